import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../sampling.js'
import { grouped, megabytes } from '../summary.js'
import { type ImportRun, runImport } from '../waybill-program.js'
import { databaseNames, type ImportDatabases, openDatabases } from './databases.js'
import { type Accounts, type LinesFile, writeBase, writeMeasured } from './lines.js'
import { type ImportOptions, readImportOptions, usage } from './options.js'
import { type Measured, type Shape, summaryOf } from './summary.js'

/**
 * `npm run bench:import`: lines per second of `waybill import`, for one large account and for many small ones, each
 * into an empty database and into one that holds a large import of other accounts, at growing sizes.
 */

const shapes: Shape[] = (['one', 'many'] as const).flatMap((accounts) =>
  (['empty', 'full'] as const).map((database) => ({ accounts, database })),
)

process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const options = readImportOptions(args)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-import-'))
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  try {
    const files = await writeFiles(folder, options)
    const measured: Measured[] = []
    for (const name of options.databases ?? databaseNames()) {
      const databases = await openDatabases(name, join(folder, `postgres-${name}`))
      try {
        measured.push(...(await measureOn(databases, files, options)))
      } finally {
        await databases.close()
      }
    }
    console.log(`\n${summaryOf(measured, options)}`)
    return measured.every(({ rate }) => rate !== undefined) ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Files = { folder: string; single: string; base: LinesFile; measured: Record<Accounts, LinesFile[]> }

async function writeFiles(folder: string, { sizes, full }: ImportOptions): Promise<Files> {
  const measured: Files['measured'] = { one: [], many: [] }
  for (const accounts of ['one', 'many'] as const) {
    for (const size of sizes) {
      measured[accounts].push(await writeMeasured(join(folder, `${accounts}-${size}.ndjson`), accounts, size))
    }
  }
  const single = join(folder, 'single.ndjson')
  await writeFile(single, '{"kind":"account","account":"single","data":{"name":"Single"}}\n')
  return { folder, single, measured, base: await writeBase(join(folder, 'base.ndjson'), full) }
}

async function measureOn(
  databases: ImportDatabases,
  { folder, single, base, measured }: Files,
  { limit, rounds }: ImportOptions,
): Promise<Measured[]> {
  const { version } = databases
  const importFile = (file: string) => (databaseUrl: string) =>
    runImport(file, { databaseUrl, dataFolder: folder, limit })
  const repeat = async (times: number, template: Shape['database'], file: string): Promise<ImportRun[]> => {
    const runs: ImportRun[] = []
    while (runs.length < times && !runs.at(-1)?.isStopped)
      runs.push(await databases.withCopy(template, importFile(file)))
    return runs
  }
  const start = median((await repeat(rounds, 'empty', single)).map(({ seconds }) => seconds))
  console.log(`PostgreSQL ${version}; starting the program takes ${start.toFixed(2)} s, which is not counted`)
  const loaded = await databases.fill(importFile(base.file))
  const loading = loaded.isStopped ? `stopped after ${limit} s` : `${(loaded.seconds - start).toFixed(1)} s`
  console.log(`  ${grouped(base.lines)} lines of other accounts for the full database: ${loading}`)

  const results: Measured[] = []
  for (const shape of shapes) {
    let isStopped = shape.database === 'full' && loaded.isStopped
    for (const { file, lines } of measured[shape.accounts]) {
      const label = `  ${shape.accounts === 'one' ? 'one account' : 'many accounts'}, ${shape.database} database, ${grouped(lines)} lines:`
      // After one that was stopped, a larger one would take even longer.
      const runs = isStopped ? [] : await repeat(lines < 50_000 ? rounds : 1, shape.database, file)
      isStopped ||= runs.some((each) => each.isStopped)
      // A very short import may seem to take less than the start, which varies.
      const seconds = Math.max(median(runs.map((each) => each.seconds)) - start, 0.001)
      const rate = isStopped ? undefined : lines / seconds
      results.push({ version, ...shape, lines, rate })
      if (rate !== undefined) {
        const memory = megabytes(Math.max(...runs.map((each) => each.peakBytes)))
        console.log(`${label} ${seconds.toFixed(1)} s, ${grouped(rate)} lines per second, ${memory} MB of memory`)
      } else if (runs.length > 0) {
        console.log(`${label} stopped after ${limit} s: fewer than ${grouped(lines / limit)} lines per second`)
      } else console.log(`${label} not measured`)
    }
  }
  return results
}
