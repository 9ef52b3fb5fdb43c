import type { AccountData } from '../../contract/import-line.js'
import type { Fault } from '../../contract/refusals.js'
import { type PlacedNumber, placeOfNumber } from '../../domain/invoice-number.js'
import { findAccount, saveAccount } from '../../storage/accounts.js'
import { informPlanner } from '../../storage/catalogue.js'
import type { Database, TransactionSql } from '../../storage/database.js'
import type { DocumentFiles, Intake } from '../../storage/document-files.js'
import { listStagedAccounts, listStagedLineNumbers, openStaging, removeRepeated } from '../../storage/import-staging.js'
import { raiseSeries } from '../../storage/number-series.js'
import { asOwnWrite } from '../../storage/own-writes.js'
import { findStagedAccount } from '../../storage/staged-records.js'
import { writeTo } from '../../storage/transaction.js'
import { applyToAccount } from './apply.js'
import { readLines } from './lines.js'
import { readLine } from './read-line.js'
import { ImportReport, type ImportSummary, type LineFault } from './report.js'

export type ImportOptions = {
  /** Where `file` of a document is looked for; undefined: there are no files beside the lines. */
  folder: string | undefined
  /** Keep the good lines of a file that has bad ones. */
  skipInvalid: boolean
  /** Report every fault, and change nothing. */
  checkOnly?: boolean
  author: string
  onFault(fault: LineFault): void
  /** Several lines for the same thing are faults of all but the first, rather than the last one counting. */
  refuseRepeated?(earlierLine: number): Fault
}

// So many change what a plan costs.
const manyLines = 1000

export type ImportOutcome = { kept: boolean; summary: ImportSummary; rejectedLines: Set<number> }

/** Reads a whole file of lines into the database: in one transaction, all of it or, with bad lines, nothing. */
export async function importLines(
  { db, files }: { db: Database; files: DocumentFiles },
  stream: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const report = new ImportReport(options.onFault)
  const intake = files.takeIn()
  const outcome = (kept: boolean) => ({ kept, summary: report.summary(), rejectedLines: report.rejectedLines })
  try {
    const keep = async (sql: TransactionSql) => {
      await stageLines(sql, stream, intake, report, options)
      await applyStaged(sql, intake, report, options)
      if (options.checkOnly || (report.rejectedLines.size > 0 && !options.skipInvalid)) throw new NothingKept()
      if (report.lines >= manyLines) await informPlanner(sql)
      await intake.keepAccepted()
    }
    await asOwnWrite(db, 'any', () => db.begin(keep))
    return outcome(true)
  } catch (error) {
    if (error instanceof NothingKept) return outcome(false)
    throw error
  } finally {
    await intake.discard()
  }
}

class NothingKept extends Error {}

async function stageLines(
  sql: TransactionSql,
  stream: AsyncIterable<Buffer>,
  intake: Intake,
  report: ImportReport,
  { folder, refuseRepeated }: ImportOptions,
): Promise<void> {
  const staging = await openStaging(sql)
  try {
    await addLines(staging, stream, intake, report, folder)
  } catch (error) {
    await staging.abandon()
    throw error
  }
  await staging.close()
  if (!refuseRepeated) return
  for (const { line, earlier } of await removeRepeated(sql)) report.reject(line, [refuseRepeated(earlier)])
}

async function addLines(
  staging: Pick<Awaited<ReturnType<typeof openStaging>>, 'add'>,
  stream: AsyncIterable<Buffer>,
  intake: Intake,
  report: ImportReport,
  folder: string | undefined,
): Promise<void> {
  for await (const { number, bytes } of readLines(stream)) {
    report.lines += 1
    // Nothing is waited for that is there already: most lines are read and added at once.
    let reading = readLine(bytes, intake, folder)
    if (reading instanceof Promise) reading = await reading
    if (reading.faults) report.reject(number, reading.faults)
    else {
      const added = staging.add({ line: number, ...reading.staged })
      if (added) await added
    }
  }
}

async function applyStaged(
  sql: TransactionSql,
  intake: Intake,
  report: ImportReport,
  { author }: ImportOptions,
): Promise<void> {
  const highest = new Map<string, PlacedNumber>()
  function passNumber(number: string): void {
    const place = placeOfNumber(number)
    if (!place) return
    const key = `${place.series} ${place.year}`
    if (place.last > (highest.get(key)?.last ?? 0)) highest.set(key, place)
  }
  // By name, so that two imports that meet lock their accounts in the same order.
  for (const slug of await listStagedAccounts(sql)) {
    const given = await findStagedAccount(sql, slug)
    if (given !== undefined) {
      report.count('account', await saveAccount(sql, slug, JSON.parse(given) as AccountData, author))
    }
    const account = await findAccount(sql, slug)
    if (account === undefined) {
      for (const line of await listStagedLineNumbers(sql, slug)) {
        report.reject(line, [{ pointer: '/account', detail: `there is no account ${slug}` }])
      }
      continue
    }
    await writeTo(sql, account, author, (tx) =>
      applyToAccount({
        tx,
        account,
        slug,
        report,
        rejected: [],
        acceptContent: (hash) => intake.accept(hash),
        passNumber,
      }),
    )
  }
  // Last: whoever issues an invoice locks its account first, and then the series.
  await raiseSeries(sql, [...highest.values()])
}
