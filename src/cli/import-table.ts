import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DateOrder } from '../domain/records/liberal-values.js'
import { type TableName, tables } from '../ingest/tables/columns.js'
import type { ColumnMapping } from '../ingest/tables/header.js'
import { importTable, rejectedCsv, type TableOutcome } from '../ingest/tables/import-table.js'
import { largestFile } from '../spreadsheet/archive.js'
import { openCsv } from '../spreadsheet/csv-reader.js'
import { describeFault, type Sheet, UnreadableTable } from '../spreadsheet/sheet.js'
import { openXlsx } from '../spreadsheet/xlsx-reader.js'
import { findAccount } from '../store/accounts.js'
import { ChangeList } from './change-list.js'
import { Failure } from './failure.js'
import { findFileFailure, openFile } from './file-failure.js'
import { describeImport } from './import-summary.js'
import { type Storage, withStorage } from './open-storage.js'
import { showProgress } from './progress.js'
import { readSettings, type Settings } from './settings.js'
import { warningPrinter } from './warning-printer.js'

export type TableFlags = {
  as: TableName
  account: string
  skipInvalid?: true
  check?: true
  replace?: true
  dates?: DateOrder
  map?: string[]
  json?: true
}

/** `waybill import --as shipments FILE.csv`. */
export async function importTableFile(file: string, flags: TableFlags): Promise<void> {
  const { as, json } = flags
  const settings = readSettings(process.env)
  await (await openFile(file)).close()
  const { size } = await stat(file)

  const changes = new ChangeList(json ?? false)
  const outcome = await withStorage(settings, (storage) =>
    withFileName(file, () => run({ ...storage, quotas: settings.quotas }, file, size, flags, changes)),
  )
  const rejectedFile = `${file}.rejected.csv`
  if (outcome.kept && outcome.rejectedLines.size > 0) {
    const sheets = await openTable(file)
    await pipeline(
      rejectedCsv(as, sheets, outcome.rejectedLines, mappingOf(as, flags.map)),
      createWriteStream(rejectedFile),
    ).catch((error) => {
      throw findFileFailure(error, { name: 'the file of rejected rows', path: rejectedFile }) ?? error
    })
  }
  if (json) console.log(JSON.stringify({ ...jsonOf(outcome), ...(flags.check && changes.asJson()) }))
  else console.log([describeImport(outcome, as, rejectedFile), ...(flags.check ? [changes.describe()] : [])].join('\n'))
  for (const sheet of outcome.unreadSheets) console.error(`${sheet}: skipped, because it has no column of ${as}`)
  if (outcome.hasBadHeader) throw new Failure('the header is not valid: nothing was imported')
  const { rejected } = outcome.summary
  if (!outcome.kept && rejected > 0) throw new Failure(`${rejected} invalid ${as}: nothing was imported`)
}

/** `Heading=field`, as `--map` takes it. A heading may contain the sign. */
function mappingOf(as: TableName, given: string[] = []): ColumnMapping {
  const fields = new Set(tables[as].columns.map(({ name }) => name))
  return Object.fromEntries(
    given.map((text) => {
      const place = text.lastIndexOf('=')
      const name = text.slice(place + 1).trim()
      if (place < 1) throw new Failure(`--map ${text}: write it as "Heading=field"`, 2)
      if (name !== '' && !fields.has(name)) throw new Failure(`--map ${text}: ${as} have no column ${name}`, 2)
      return [text.slice(0, place), name]
    }),
  )
}

function jsonOf({ kept, summary, unreadSheets }: TableOutcome) {
  return { kept, ...summary, unread_sheets: unreadSheets }
}

async function run(
  storage: Storage & Pick<Settings, 'quotas'>,
  file: string,
  size: number,
  { as, account, skipInvalid, check, replace, dates, map, json }: TableFlags,
  changes: ChangeList,
): Promise<TableOutcome> {
  if ((await findAccount(storage.db, account)) === undefined) throw new Failure(`there is no account ${account}`)
  const progress = showProgress({ isSilent: json ?? false })
  const warnings = warningPrinter(progress, describeFault)
  try {
    const sheets = await openTable(file, progress.follow('reading', size))
    return await importTable(storage, sheets, {
      table: as,
      account,
      skipInvalid: skipInvalid ?? false,
      checkOnly: check ?? false,
      replace: replace ?? false,
      dates,
      mapping: mappingOf(as, map),
      onWarning: warnings.add,
      onChange: check && ((change) => changes.add(change)),
      author: 'import',
      onFault: (fault) => progress.print(describeFault(fault)),
      onProgress: progress.report,
    })
  } finally {
    progress.end()
    warnings.end()
  }
}

type Follow = (stream: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

async function openTable(file: string, follow: Follow = (stream) => stream): Promise<Sheet[]> {
  if (['.csv', '.tsv'].includes(extname(file).toLowerCase())) return openCsv(follow(readChunks(file)))
  if ((await stat(file)).size > largestFile) throw new UnreadableTable('is too large for XLSX: save it as CSV')
  return openXlsx(await readFile(file))
}

// Opened on the first read: an earlier error event would have no listener and end the process.
async function* readChunks(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>
}

async function withFileName<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnreadableTable) throw new Failure(`${file} ${error.message}`)
    throw error
  }
}
