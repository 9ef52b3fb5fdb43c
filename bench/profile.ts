import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/storage/database.js'
import type { DatabaseServer } from './database-server.js'
import { type DataAccount, makeDataset, pristine } from './dataset.js'
import { type CpuProfile, drawFlames, flamesOf, sharesOf } from './flame-graph.js'
import { autocannonGenerator } from './load/autocannon.js'
import { findWrk } from './load/wrk.js'
import { describeCommit } from './machine.js'
import { type Bench, makeConditional, measure, prepareLoad } from './measure.js'
import type { Options } from './options.js'
import { readResults } from './report-files.js'
import { missed } from './targets.js'
import { waybillContender } from './waybill.js'
import { drawWishes, type Heat, workloadNamed } from './workloads.js'

/** Where the time goes in the workloads that miss their targets: flame graphs of the server, and the plans of its statements. */

const seconds = 4
const folder = join(import.meta.dirname, '..', 'docs', 'performance')

export async function profileMissed(options: Options, server: DatabaseServer, scratch: string): Promise<void> {
  const named = options.workloads?.map((workload) => ({ workload, heat: 'warm' as const }))
  const wanted = named ?? missed(await readResults())
  const accounts = await makeDataset(server, options.size)
  await server.drop('run_profile')
  await server.create('run_profile', pristine)
  const generator = (await findWrk()) ?? autocannonGenerator
  const requests = join(scratch, 'requests')
  await mkdir(requests, { recursive: true })
  const { connections, mostSeconds } = options
  const bench = { server, generator, folder: requests, seconds, warmUpSeconds: seconds, mostSeconds, connections }
  const sections: string[] = []
  for (const { workload, heat } of wanted) sections.push(await profileOne(bench, accounts, workload, heat))
  await server.drop('run_profile')
  await rm(requests, { recursive: true, force: true })
  const page = `# Profiles

Written by \`npm run bench -- --profile\` (commit ${describeCommit()}); do not edit. For each workload that misses its target in
[performance.md](../performance.md): where one hot server process spends ${seconds} seconds of it, as V8's sampling profiler sees it (which costs some of
the speed itself), and which statements PostgreSQL is sent, with their plans. Callers stand below what they call. *Waiting* is the time in which the process had nothing
to do; *native code* is Node's and the kernel's: reading and writing sockets, parsing HTTP.

${sections.join('\n\n')}
`
  await writeFile(join(folder, 'profiles.md'), page)
  console.log('wrote docs/performance/profiles.md')
}

async function profileOne(bench: Bench, accounts: DataAccount[], name: string, heat: Heat): Promise<string> {
  const workload = workloadNamed(name)
  const profiles = await mkdtemp(join(tmpdir(), 'waybill-profile-'))
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=500']
  const contender = waybillContender({ caches: heat === 'warm', nodeFlags })
  const running = await contender.start(bench.server.place('run_profile'))
  const runner = { contender, running, database: 'run_profile' }
  const wishes = drawWishes(workload, accounts, heat)
  const requests = wishes.flatMap((wish) => contender.request(wish) ?? [])
  if (workload.isConditional) await makeConditional(running.url, requests)
  const warmUp = { times: 1, requests: requests.length }
  const ready = await prepareLoad(bench, runner, requests, workload.connections ?? bench.connections, warmUp)
  if ('alone' in ready) throw new Error(`${name} takes ${ready.alone} s`)
  const figures = await measure(bench, runner, ready)
  const statements = await topStatements(bench.server)
  await running.stop()
  const [file = ''] = await readdir(profiles)
  const flames = flamesOf(JSON.parse(await readFile(join(profiles, file), 'utf8')) as CpuProfile, seconds)
  await rm(profiles, { recursive: true, force: true })
  const title = `${name}, ${heat}`
  const image = `profile-${title.replaceAll(/[^a-z0-9]+/gi, '-')}.svg`
  await writeFile(join(folder, image), drawFlames(`${title}: where the server's time goes`, flames))
  console.log(`${title}: ${figures.rate.toFixed(0)}/s while profiled`)
  const shares = sharesOf(flames).map(([part, share]) => `${part} ${(share * 100).toFixed(0)}%`)
  return `## ${title}

${figures.rate.toFixed(0)} requests/s while profiled, ${(figures.cpu * 1000).toFixed(0)} µs of CPU each, and ${(figures.databaseCpu * 1000).toFixed(0)} µs of PostgreSQL's. ${shares.join(', ')}.

![${title}](${image})

${statements}`
}

type Statement = { query: string; calls: number; milliseconds: number }

/** What took the most of the database's time since counting began, each with its plan. */
async function topStatements(server: DatabaseServer): Promise<string> {
  const db = server.open('run_profile', 1)
  // Statements of all databases are counted there.
  const maintenance = server.open('postgres', 1)
  try {
    const rows = await maintenance<Statement[]>`
      select query, calls, mean_exec_time as milliseconds from pg_stat_statements
      where dbid = (select oid from pg_database where datname = 'run_profile') and query ~* '^\\s*(select|with|insert|update)'
        and query !~ 'pg_stat_statements'
      order by total_exec_time desc limit 2`
    const told: string[] = []
    for (const { query, calls, milliseconds } of rows) {
      told.push(
        `${calls} times, ${(milliseconds * 1000).toFixed(0)} µs each:\n\n\`\`\`\n${await planOf(db, query)}\n\`\`\``,
      )
    }
    return told.join('\n\n')
  } finally {
    await Promise.all([db.end(), maintenance.end()])
  }
}

async function planOf(db: Database, query: string): Promise<string> {
  const rows = await db.unsafe<{ 'QUERY PLAN': string }[]>(`explain (generic_plan, costs off) ${query}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
