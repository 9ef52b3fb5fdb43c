import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { largestFile } from '../operator/tables/archive.js'
import type { TableName } from '../operator/tables/columns.js'
import { openCsv } from '../operator/tables/csv.js'
import { importTable, rejectedCsv, type TableOutcome } from '../operator/tables/import-table.js'
import { describeFault, type Sheet, UnreadableTable } from '../operator/tables/sheet.js'
import { openXlsx } from '../operator/tables/xlsx.js'
import { findAccount } from '../storage/accounts.js'
import { Failure } from './failure.js'
import { describeImport } from './import-summary.js'
import { type Storage, withStorage } from './open-storage.js'
import { progressBar } from './progress.js'
import { readSettings } from './settings.js'

export type TableFlags = { as: TableName; account: string; skipInvalid?: true; check?: true; json?: true }

/** `waybill import --as shipments FILE.csv`. */
export async function importTableFile(file: string, flags: TableFlags): Promise<void> {
  const { as, json } = flags
  const settings = readSettings(process.env)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new Failure(`there is no file ${file}`)

  const outcome = await withStorage(settings, (storage) => naming(file, () => run(storage, file, found.size, flags)))
  const rejectedFile = `${file}.rejected.csv`
  if (outcome.kept && outcome.rejectedLines.size > 0) {
    const sheets = await openTable(file)
    await pipeline(rejectedCsv(as, sheets, outcome.rejectedLines), createWriteStream(rejectedFile))
  }
  console.log(json ? jsonOf(outcome) : describeImport(outcome, as, rejectedFile))
  for (const sheet of outcome.unreadSheets) console.error(`${sheet}: not read, as none of its columns is one of ${as}`)
  if (outcome.hasBadHeader) throw new Failure('the header has faults: nothing was kept')
  const { rejected } = outcome.summary
  if (!outcome.kept && rejected > 0) throw new Failure(`${rejected} bad ${as}: nothing was kept`)
}

function jsonOf({ kept, summary, unreadSheets }: TableOutcome): string {
  return JSON.stringify({ kept, ...summary, unread_sheets: unreadSheets })
}

async function run(
  storage: Storage,
  file: string,
  size: number,
  { as, account, skipInvalid, check }: TableFlags,
): Promise<TableOutcome> {
  if ((await findAccount(storage.db, account)) === undefined) throw new Failure(`there is no account ${account}`)
  const progress = progressBar('Reading', size)
  try {
    const sheets = await openTable(file, progress.follow)
    return await importTable(storage, sheets, {
      table: as,
      account,
      skipInvalid: skipInvalid ?? false,
      checkOnly: check ?? false,
      author: 'import',
      onFault: (fault) => progress.print(describeFault(fault)),
    })
  } finally {
    progress.end()
  }
}

type Follow = (stream: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

async function openTable(file: string, follow: Follow = (stream) => stream): Promise<Sheet[]> {
  if (extname(file).toLowerCase() === '.csv') return openCsv(follow(readChunks(file)))
  if ((await stat(file)).size > largestFile) throw new UnreadableTable('is too large for XLSX: save it as CSV')
  return openXlsx(await readFile(file))
}

// Opened when it is first read from: an error of a stream that nobody reads yet would find no listener.
async function* readChunks(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>
}

async function naming<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnreadableTable) throw new Failure(`${file} ${error.message}`)
    throw error
  }
}
