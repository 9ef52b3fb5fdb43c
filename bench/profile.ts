import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../src/database/database.js'
import type { DatabaseServer } from './database-server.js'
import { type DataAccount, makeDataset, sources } from './dataset.js'
import { describeCommit } from './machine.js'
import { type Bench, makeConditional, measure, prepareLoad } from './measure.js'
import type { Options } from './options.js'
import { readResults, resultsFolder } from './report-files.js'
import { statementTable } from './statement-table.js'
import { missedWorkloads } from './targets.js'
import { waybillServer } from './waybill-server.js'
import { type CacheState, drawQueries, workloadNamed } from './workloads.js'

/**
 * Where the time goes: a CPU profile of the server for each workload, which Chrome's developer tools open, and the
 * plans of its most expensive statements.
 */

const seconds = 4
const database = 'run_profile'
const folder = join(resultsFolder, 'profiles')

export async function profileWorkloads(options: Options, given: Bench): Promise<void> {
  const named = options.namedWorkloads?.map((workload) => ({ workload, cache: 'warm' as const }))
  const wanted = named ?? missedWorkloads(await readResults())
  const { server } = given
  const accounts = await makeDataset(server, options.size)
  await server.drop(database)
  await server.create(database, sources.full)
  await mkdir(folder, { recursive: true })
  const bench = { ...given, seconds, warmUpSeconds: seconds }
  const sections: string[] = []
  for (const { workload, cache } of wanted) sections.push(await profile(bench, accounts, workload, cache))
  await server.drop(database)
  await writeFile(join(folder, 'profiles.md'), `# Profiles of commit ${describeCommit()}\n\n${sections.join('\n\n')}\n`)
  console.log(`Wrote ${folder}`)
}

async function profile(bench: Bench, accounts: DataAccount[], name: string, cache: CacheState): Promise<string> {
  const workload = workloadNamed(name)
  const title = `${name}, ${cache}`
  const profiles = join(folder, 'unnamed')
  await rm(profiles, { recursive: true, force: true })
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=500']
  const server = waybillServer({ cache: cache === 'warm', nodeFlags })
  const running = await server.start(bench.server.place(database))
  const runner = { server, running, database }
  const requests = drawQueries(workload, accounts, cache).flatMap((query) => server.request(query) ?? [])
  if (workload.isConditional) await makeConditional(running.url, requests)
  const warmUp = { times: 1, requests: requests.length }
  const ready = await prepareLoad(bench, runner, requests, workload.connections ?? bench.connections, warmUp)
  const { requests: count, rate, cpu, databaseCpu } = await measure(bench, runner, ready)
  const statements = await describeStatements(bench.server, count)
  await running.stop()
  const file = `${title.replaceAll(/[^a-z0-9]+/gi, '-')}.cpuprofile`
  const [written = ''] = await readdir(profiles)
  await rename(join(profiles, written), join(folder, file))
  await rm(profiles, { recursive: true, force: true })
  console.log(`${title}: ${rate.toFixed(0)}/s while profiled`)
  return `## ${title}

${file}: ${rate.toFixed(0)} requests/s while profiled, ${(cpu * 1000).toFixed(0)} µs of CPU each, and ${(databaseCpu * 1000).toFixed(0)} µs in PostgreSQL.

${statements}`
}

/** The statements since counting began, and the plans of those that took most time. */
async function describeStatements(server: DatabaseServer, requests: number): Promise<string> {
  const statements = await server.slowestStatements(database, 30)
  const db = server.open(database, 1)
  try {
    const plans: string[] = []
    const planned = statements
      .map(({ query }) => query)
      .filter((query) => /^\s*(select|with|insert|update)/i.test(query))
    for (const query of planned.slice(0, 3)) plans.push(`\`\`\`\n${query}\n\n${await planOf(db, query)}\n\`\`\``)
    return `\`\`\`\n${statementTable(statements, requests)}\n\`\`\`\n\n${plans.join('\n\n')}`
  } finally {
    await db.end()
  }
}

async function planOf(db: Database, query: string): Promise<string> {
  const rows = (await db.unsafe(`explain (generic_plan, costs off) ${query}`)) as { 'QUERY PLAN': string }[]
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
