import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { type ImportOutcome, importLines } from '../../operator/import/import.js'
import { readLines } from '../../operator/import/lines.js'
import { type TableName, tableNames } from '../../operator/tables/columns.js'
import { Failure } from '../failure.js'
import { describeImport } from '../import-summary.js'
import { withStorage } from '../open-storage.js'
import { progressBar } from '../progress.js'
import { readSettings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'

type Flags = { as?: TableName; account?: string; skipInvalid?: true; check?: true; json?: true }

export function addTo(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'JSON lines: {"kind", "account", "data"} each; - for standard input; or a table')
    .addOption(new Option('--as <table>', 'read FILE.csv or FILE.xlsx as a table').choices(tableNames))
    .option('--account <slug>', 'the account that the rows of a table belong to')
    .option('--skip-invalid', 'keep what is good; write what is bad to FILE.rejected (tables: FILE.rejected.csv)')
    .option('--check', 'report every fault, and change nothing')
    .option('--json', 'print the summary as JSON')
    .description('load accounts, locations, shipments, tracking, invoices, documents, orders and assignments')
    .action(async (file: string, flags: Flags) => {
      const table = tableFlags(file, flags)
      if (table) {
        const { importTableFile } = await import('../import-table.js')
        return importTableFile(file, table)
      }
      const settings = readSettings(process.env)
      const source = await openSource(file)
      try {
        const outcome = await withStorage(settings, (storage) => run(storage, source, flags))
        if (outcome.kept && outcome.rejectedLines.size > 0) await writeRejected(source, outcome.rejectedLines)
        console.log(
          flags.json
            ? JSON.stringify({ kept: outcome.kept, ...outcome.summary })
            : describeImport(outcome, 'lines', source.rejected),
        )
        const { rejected } = outcome.summary
        if (!outcome.kept && rejected > 0) throw new Failure(`${rejected} bad lines: nothing was kept`)
      } finally {
        await source.close()
      }
    })
}

// What was asked for as a table; undefined for lines.
function tableFlags(file: string, flags: Flags): (Flags & { as: TableName; account: string }) | undefined {
  const { as, account } = flags
  const isTable = /\.(?:csv|xlsx)$/i.test(file)
  if (as === undefined) {
    if (isTable) throw new Failure(`${file}: say what its rows are, --as ${tableNames.join('|')}`, 2)
    if (account !== undefined) throw new Failure('--account goes with --as: lines name their accounts themselves', 2)
    return undefined
  }
  if (account === undefined) throw new Failure('--as needs --account', 2)
  if (!isTable) throw new Failure(`${file}: with --as, the name of the file ends with .csv or .xlsx`, 2)
  return { ...flags, as, account }
}

type Source = { path: string; folder: string; rejected: string; close(): Promise<void> }

// Rejected lines are copied from the file as they are, so what comes by a pipe is set down first.
async function openSource(file: string): Promise<Source> {
  if (file !== '-') {
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) throw new Failure(`there is no file ${file}`)
    const readable = await open(file).catch(({ message }: Error) => {
      throw new Failure(`${file} cannot be read: ${message}`)
    })
    await readable.close()
    return { path: file, folder: dirname(resolve(file)), rejected: `${file}.rejected`, close: async () => {} }
  }
  const stop = stopSignal()
  const folder = await mkdtemp(join(tmpdir(), 'waybill-import-'))
  const path = join(folder, 'lines')
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(process.stdin, createWriteStream(path), { signal: stop })
  } catch (error) {
    await close()
    throw error
  }
  return { path, folder: process.cwd(), rejected: 'stdin.rejected', close }
}

// Opened when it is first read from: an error of a stream that nobody reads yet would find no listener.
async function* readChunks(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>
}

async function run(
  storage: Parameters<typeof importLines>[0],
  source: Source,
  { skipInvalid, check }: Flags,
): Promise<ImportOutcome> {
  const progress = progressBar('Reading', (await stat(source.path)).size)
  try {
    return await importLines(storage, progress.follow(readChunks(source.path)), {
      folder: source.folder,
      skipInvalid: skipInvalid ?? false,
      checkOnly: check ?? false,
      author: 'import',
      onFault: ({ line, pointer, detail }) => progress.print(`line ${line}: ${pointer}${pointer && ' '}${detail}`),
    })
  } finally {
    progress.end()
  }
}

async function writeRejected({ path, rejected }: Source, lines: Set<number>): Promise<void> {
  await writeFile(rejected, '')
  await pipeline(async function* () {
    for await (const { number, raw } of readLines(createReadStream(path))) if (lines.has(number)) yield raw
  }, createWriteStream(rejected))
}
