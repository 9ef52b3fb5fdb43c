import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { type ImportOutcome, importLines } from '../../operator/import/import.js'
import { readLines } from '../../operator/import/lines.js'
import type { ImportSummary } from '../../operator/import/report.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { progressBar } from '../progress.js'
import { readSettings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'
import { table } from '../table.js'

type Flags = { skipInvalid?: true; check?: true; json?: true }

export function addImport(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'JSON lines: {"kind", "account", "data"} each; - for standard input')
    .option('--skip-invalid', 'keep the good lines; write the bad ones to FILE.rejected')
    .option('--check', 'report every fault, and change nothing')
    .option('--json', 'print the summary as JSON')
    .description('load accounts, locations, shipments, tracking, invoices, documents, orders and assignments')
    .action(async (file: string, flags: Flags) => {
      const settings = readSettings(process.env)
      const source = await openSource(file)
      try {
        const outcome = await withStorage(settings, (storage) => run(storage, source, flags))
        if (outcome.kept && outcome.rejectedLines.size > 0) await writeRejected(source, outcome.rejectedLines)
        console.log(flags.json ? JSON.stringify({ kept: outcome.kept, ...outcome.summary }) : describe(outcome, source))
        const { rejected } = outcome.summary
        if (!outcome.kept && rejected > 0) throw new Failure(`${rejected} bad lines: nothing was kept`)
      } finally {
        await source.close()
      }
    })
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

function describe({ kept, summary, rejectedLines }: ImportOutcome, { rejected }: Source): string {
  const good = summary.lines - rejectedLines.size
  const head = kept
    ? `Imported ${good} of ${summary.lines} lines.`
    : `Nothing was changed: ${good} of ${summary.lines} lines are good.`
  const tail = kept && rejectedLines.size > 0 ? `\n${rejectedLines.size} bad lines are in ${rejected}.` : ''
  return `${head}\n${kept ? tableOf(summary) : ''}${tail}`.trimEnd()
}

function tableOf({ kinds }: ImportSummary): string {
  return table(
    Object.entries(kinds).map(([kind, tally]) => ({
      kind,
      created: String(tally.created),
      updated: String(tally.updated),
      unchanged: String(tally.unchanged),
    })),
  )
}
