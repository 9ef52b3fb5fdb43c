import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { type DateOrder, dateOrders } from '../../domain/records/liberal-values.js'
import { type ImportOutcome, importLines } from '../../ingest/lines/import.js'
import { readLines } from '../../ingest/lines/lines.js'
import type { LineFault } from '../../ingest/lines/report.js'
import { type TableName, tableNames } from '../../ingest/tables/columns.js'
import { Failure } from '../failure.js'
import { findFileFailure, openFile } from '../file-failure.js'
import { describeImport } from '../import-summary.js'
import { withStorage } from '../open-storage.js'
import { type Progress, showProgress } from '../progress.js'
import { readSettings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'
import { warningPrinter } from '../warning-printer.js'

type Flags = {
  as?: TableName
  account?: string
  skipInvalid?: true
  check?: true
  replace?: true
  dates?: DateOrder
  map?: string[]
  json?: true
}

export function addTo(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'JSON lines: {"kind", "account", "data"} each; - for standard input; or a table')
    .addOption(new Option('--as <table>', 'read FILE.csv, FILE.tsv or FILE.xlsx as a table').choices(tableNames))
    .option('--account <slug>', 'the account that the rows of a table belong to')
    .option('--skip-invalid', 'import valid lines; write invalid ones to FILE.rejected (tables: FILE.rejected.csv)')
    .option('--check', 'validate only: report every fault, and what a table would change; change nothing')
    .option('--replace', 'remove values that a table leaves out, instead of leaving them as they are')
    .addOption(new Option('--dates <order>', 'how a table writes dates such as 05/11/2026').choices(dateOrders))
    .option('--map <heading=field...>', 'what headings of a table stand for; "Heading=" ignores a column')
    .option('--json', 'print the summary as JSON')
    .description('load accounts, locations, shipments, tracking, invoices, documents, orders and assignments')
    .action(async (file: string, flags: Flags) => {
      const table = tableFlags(file, flags)
      if (table) {
        const { importTableFile } = await import('../import-table.js')
        return importTableFile(file, table)
      }
      const settings = readSettings(process.env)
      const progress = showProgress({ isSilent: flags.json ?? false })
      const source = await openSource(file, progress)
      try {
        const outcome = await withStorage(settings, (storage) =>
          run({ ...storage, quotas: settings.quotas }, source, flags, progress),
        )
        if (outcome.kept && outcome.rejectedLines.size > 0) await writeRejected(source, outcome.rejectedLines)
        console.log(
          flags.json
            ? JSON.stringify({ kept: outcome.kept, ...outcome.summary })
            : describeImport(outcome, 'lines', source.rejected),
        )
        const { rejected } = outcome.summary
        if (!outcome.kept && rejected > 0) throw new Failure(`${rejected} invalid lines: nothing was imported`)
      } finally {
        await source.close()
      }
    })
}

// Returns undefined for JSON lines.
function tableFlags(file: string, flags: Flags): (Flags & { as: TableName; account: string }) | undefined {
  const { as, account } = flags
  const isTable = /\.(?:csv|tsv|xlsx)$/i.test(file)
  if (as === undefined) {
    if (isTable) throw new Failure(`${file}: state the kind of its rows with --as ${tableNames.join('|')}`, 2)
    if (account !== undefined) throw new Failure('--account requires --as: JSON lines contain their accounts', 2)
    if (flags.dates) throw new Failure('--dates requires --as: JSON lines have dates like 2026-11-05', 2)
    if (flags.map) throw new Failure('--map requires --as: JSON lines have no headings', 2)
    if (flags.replace) throw new Failure('--replace requires --as: JSON lines always replace records', 2)
    return undefined
  }
  if (account === undefined) throw new Failure('--as requires --account', 2)
  if (!isTable) throw new Failure(`${file}: with --as, the file name must end with .csv, .tsv or .xlsx`, 2)
  return { ...flags, as, account }
}

type Source = { path: string; folder: string; rejected: string; close(): Promise<void> }

// Rejected lines are copied from the source, so standard input is written to a temporary file first.
async function openSource(file: string, progress: Progress): Promise<Source> {
  if (file !== '-') {
    await (await openFile(file)).close()
    return { path: file, folder: dirname(resolve(file)), rejected: `${file}.rejected`, close: async () => {} }
  }
  const stop = stopSignal()
  const folder = await mkdtemp(join(tmpdir(), 'waybill-import-'))
  const path = join(folder, 'lines')
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(process.stdin, progress.follow('receiving'), createWriteStream(path), { signal: stop })
  } catch (error) {
    await close()
    throw findFileFailure(error, { name: 'the folder for temporary files (TMPDIR)', path: tmpdir() }) ?? error
  } finally {
    progress.end()
  }
  return { path, folder: process.cwd(), rejected: 'stdin.rejected', close }
}

// Opened on the first read: an earlier error event would have no listener and end the process.
async function* readChunks(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>
}

async function run(
  storage: Parameters<typeof importLines>[0],
  source: Source,
  { skipInvalid, check }: Flags,
  progress: Progress,
): Promise<ImportOutcome> {
  const warnings = warningPrinter(
    progress,
    ({ line, pointer, detail }: LineFault) => `line ${line}: ${pointer} ${detail}`,
  )
  const { size } = await stat(source.path)
  try {
    return await importLines(storage, progress.follow('reading', size)(readChunks(source.path)), {
      folder: source.folder,
      skipInvalid: skipInvalid ?? false,
      checkOnly: check ?? false,
      author: 'import',
      onFault: ({ line, pointer, detail }) => progress.print(`line ${line}: ${pointer}${pointer && ' '}${detail}`),
      onWarning: warnings.add,
      onProgress: progress.report,
    })
  } finally {
    progress.end()
    warnings.end()
  }
}

async function writeRejected({ path, rejected }: Source, lines: Set<number>): Promise<void> {
  await pipeline(async function* () {
    for await (const { number, raw } of readLines(createReadStream(path))) if (lines.has(number)) yield raw
  }, createWriteStream(rejected)).catch((error: unknown) => {
    throw findFileFailure(error, { name: 'the file of rejected lines', path: rejected }) ?? error
  })
}
