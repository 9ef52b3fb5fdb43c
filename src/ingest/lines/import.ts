import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountData } from '../../contract/import-line.js'
import type { Quotas } from '../../contract/operator/quotas.js'
import { type AccountScope, includesAccount } from '../../database/account-id.js'
import { analyzeTables } from '../../database/catalog.js'
import type { Database, TransactionSql } from '../../database/database.js'
import type { DocumentFiles, Intake } from '../../documents/document-files.js'
import { type PlacedNumber, placeOfNumber } from '../../domain/invoices/invoice-number.js'
import { commitWithin } from '../../ledger/commit.js'
import { findAccount } from '../../store/accounts.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import { raiseSeries } from '../../store/number-series.js'
import {
  listStagedAccounts,
  listStagedLineNumbers,
  openStaging,
  type Staging,
} from '../../store/staging/import-staging.js'
import { findStagedAccount } from '../../store/staging/staged-records.js'
import { saveAccount } from '../../usecases/accounts/save-account.js'
import type { AccountImport, LineChange } from './account-import.js'
import { applyToAccount } from './apply.js'
import { type ContentSource, takeInDocument } from './document-content.js'
import type { NumberedReading } from './line-batch.js'
import { type ReadStream, readInThisProcess } from './read-batches.js'
import { ImportReport, type ImportSummary, type ReportListeners } from './report.js'

export type ImportOptions = {
  /** The folder that `file` of a document is relative to; undefined where lines come without files. */
  folder: string | undefined
  /** Refuse the types of documents that uploads refuse. Whoever runs commands may import any. */
  checksFileTypes?: boolean
  /** Store the valid lines of a file that has invalid ones. */
  skipInvalid: boolean
  /** The accounts that may be imported into, if not all. */
  accounts?: AccountScope
  /** What is wrong with new records is no news, unless this is false. */
  isHistory?: boolean
  /** Report every fault, and change nothing. */
  checkOnly?: boolean
  author: string
  /** The author as an actor of the audit log. */
  actor?: Actor
} & ReportListeners

export type LineOptions = ImportOptions & {
  /** How lines are read: in this process, unless another one is given. */
  readStream?: ReadStream
}

export type PatchOptions = ImportOptions & {
  /** Completes a patch when the whole table has been read. */
  settle?: AccountImport['settle']
  /** Called for what would change in stored records. */
  onChange?: ((change: LineChange) => void) | undefined
}

export type ImportStorage = {
  db: Database
  files: DocumentFiles
  /** Quotas of accounts that have none of their own. */
  quotas?: Quotas
}

// From this size on, an import changes tables enough to update the planner's statistics.
const manyLines = 1000

export type ImportOutcome = {
  kept: boolean
  summary: ImportSummary
  rejectedLines: Set<number>
  /** How many faults there are beyond those that were reported. */
  moreFaults: number
}

/** Imports a file of lines in one transaction: all of it or, if a line is invalid, nothing. */
export async function importLines(
  storage: ImportStorage,
  stream: AsyncIterable<Buffer>,
  { readStream = readInThisProcess, ...options }: LineOptions,
): Promise<ImportOutcome> {
  return importReadings(storage, readStream(stream), { ...options, isPatch: false })
}

/** The same for the patches of a table. */
export async function importPatches(
  storage: ImportStorage,
  patches: AsyncIterable<NumberedReading[]>,
  options: PatchOptions,
): Promise<ImportOutcome> {
  return importReadings(storage, patches, { ...options, isPatch: true })
}

async function importReadings(
  { db, files, quotas = {} }: ImportStorage,
  readings: AsyncIterable<NumberedReading[]>,
  options: PatchOptions & { isPatch: boolean },
): Promise<ImportOutcome> {
  const report = new ImportReport(options)
  const intake = files.createIntake()
  const outcome = (kept: boolean) => {
    const { rejectedLines, moreFaults } = report
    return { kept, summary: report.summary(), rejectedLines, moreFaults }
  }
  try {
    const keep = async (sql: TransactionSql) => {
      await stageLines(sql, readings, intake, report, options)
      await applyStaged(sql, intake, report, { ...options, quotas })
      if (options.checkOnly || (report.rejectedLines.size > 0 && !options.skipInvalid)) throw new NothingKept()
      if (report.lines >= manyLines) await analyzeTables(sql)
      await intake.keepAccepted()
    }
    // Tables grow by orders of magnitude while their statistics stay as they are: inserting 500 invoices went from 0.1 s to
    // 2 s while the account grew to 5,000.
    await db.beginLong(keep, { pinsPlans: true })
    return outcome(true)
  } catch (error) {
    if (error instanceof NothingKept) return outcome(false)
    throw error
  } finally {
    await intake.discard()
  }
}

class NothingKept extends Error {}

// A file may have any number of lines for an account that does not exist: others take turns meanwhile.
const linesPerTurn = 2000

async function stageLines(
  sql: TransactionSql,
  readings: AsyncIterable<NumberedReading[]>,
  intake: Intake,
  report: ImportReport,
  { folder, checksFileTypes = false }: ImportOptions,
): Promise<void> {
  const staging = openStaging(sql)
  await addLines(staging, readings, report, { intake, folder, checksFileTypes })
  await staging.close()
}

async function addLines(
  staging: Staging,
  batches: AsyncIterable<NumberedReading[]>,
  report: ImportReport,
  source: ContentSource,
): Promise<void> {
  for await (const batch of batches) {
    for (const { line, reading } of batch) {
      report.lines += 1
      // Only documents are awaited: that saves a microtask for each line.
      const taken = 'document' in reading ? await takeInDocument(reading.document, source) : reading
      if ('faults' in taken) report.reject(line, taken.faults, taken.moreFaults)
      else {
        if ('warnings' in taken) report.warn(line, taken.warnings ?? [])
        const added = staging.add({ line, ...taken.staged })
        if (added) await added
      }
    }
  }
}

async function applyStaged(
  sql: TransactionSql,
  intake: Intake,
  report: ImportReport,
  {
    author,
    actor,
    accounts = 'all',
    quotas,
    isPatch,
    isHistory = true,
    settle,
    onChange,
  }: PatchOptions & { quotas: Quotas; isPatch: boolean },
): Promise<void> {
  const highest = new Map<string, PlacedNumber>()
  function passNumber(number: string): void {
    const place = placeOfNumber(number)
    if (!place) return
    const key = `${place.series} ${place.year}`
    if (place.last > (highest.get(key)?.last ?? 0)) highest.set(key, place)
  }
  // Sorted, so that two concurrent imports lock their accounts in the same order.
  for (const { slug, kinds } of await listStagedAccounts(sql)) {
    const known = await findAccount(sql, slug)
    const isOpen = accounts === 'all' || (known !== undefined && includesAccount(accounts, known))
    const given = isOpen && kinds.includes('account') ? await findStagedAccount(sql, slug) : undefined
    if (given !== undefined) {
      report.count('account', await saveAccount(sql, slug, JSON.parse(given) as AccountData, author))
    }
    const account = isOpen ? await findAccount(sql, slug) : undefined
    if (account === undefined) {
      for (const [index, line] of (await listStagedLineNumbers(sql, slug)).entries()) {
        report.reject(line, [{ pointer: '/account', detail: `there is no account ${slug}` }])
        if (index % linesPerTurn === linesPerTurn - 1) await nextTurn()
      }
      continue
    }
    await commitWithin(sql, account, author, async (tx) => {
      tx.applyDefaultQuotas(quotas)
      const act = { kind: 'operator', action: 'imported', details: { kinds } } as const
      await recordAudit(sql, account, { actor: author, ...actor }, act)
      return applyToAccount({
        tx,
        account,
        slug,
        kinds,
        report,
        isPatch,
        isHistory,
        settle,
        onChange,
        rejected: [],
        acceptContent: (hash) => intake.accept(hash),
        passNumber,
      })
    })
  }
  // Last, as in issuing an invoice: the account is locked before the number series.
  await raiseSeries(sql, [...highest.values()])
}
