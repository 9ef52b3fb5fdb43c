import type { ImportKind } from '../../contract/import-line.js'
import type { TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import type { AccountId } from '../../database/account-id.js'
import type { RecordChange } from '../../domain/records/record-changes.js'
import { readRecords } from '../../ledger/records.js'
import type { Put, Transaction } from '../../ledger/transaction.js'
import { markHistory } from '../../store/exception-marks.js'
import { type WatchedKind, watchedKinds } from '../../store/exception-watches.js'
import type { StagedKind, StagedRecord } from '../../store/staging/staged-records.js'
import { removeStaged, type StagedKey } from '../../store/staging/staged-references.js'
import { withQuarantine, withQuarantines } from '../../usecases/tracking/event-rules.js'
import type { RecordPatch } from './record-patch.js'
import type { ImportReport, LocatedFault } from './report.js'

/** A difference that a line makes to a stored record. */
export type LineChange = RecordChange & { line: number; id: string }

/** The import of one account: its transaction, and the state that validation and storing share. */
export type AccountImport = {
  tx: Transaction
  account: AccountId
  slug: string
  /** The kinds of lines that the file has for the account: steps that concern others are left out. */
  kinds: ImportKind[]
  report: ImportReport
  /** Whether the lines are patches, which are merged with the stored records first. */
  isPatch: boolean
  /** Whether what is wrong with new records was so before: nobody is notified of it. */
  isHistory: boolean
  /** Completes a patch when the whole table has been read, and returns what cannot be. */
  settle: ((patch: RecordPatch, line: number) => LocatedFault[]) | undefined
  onChange: ((change: LineChange) => void) | undefined
  /** Rejected lines that are not removed from the staging table yet. */
  rejected: StagedKey[]
  /** Marks the content of a document as used, so that it is kept at the end. */
  acceptContent(hash: string): Promise<void>
  /** Records a used invoice number: the next number of its series must be higher. */
  passNumber(name: string): void
}

export function hasLinesOf({ kinds }: AccountImport, ...wanted: ImportKind[]): boolean {
  return wanted.some((kind) => kinds.includes(kind))
}

/** Stores a batch of lines through the transaction, as every other write does. */
export async function putStaged<Kind extends StagedKind>(
  { tx, account, report, isHistory }: AccountImport,
  kind: Kind,
  batch: StagedRecord[],
): Promise<Put<Kind>[]> {
  const before = await readRecords(
    tx.sql,
    account,
    kind,
    batch.map(({ id }) => id),
  )
  const puts = batch.map(({ id, record, stored_at }) => ({
    record: received(kind, JSON.parse(record) as Put<Kind>['record'], tx.at),
    before: before.get(id),
    stored_at: stored_at ?? undefined,
  }))
  const results = tx.put(kind, puts)
  for (const result of results) report.count(kind, result)
  if (isHistory && isWatched(kind)) {
    const created = batch.flatMap(({ id }, index) => (results[index] === 'created' ? [id] : []))
    if (created.length > 0) tx.sql.send(markHistory(tx.sql, account, kind, created))
  }
  return puts
}

function isWatched(kind: StagedKind): kind is StagedKind & WatchedKind {
  return (watchedKinds as string[]).includes(kind)
}

/** A record as it is stored when it comes in at this time. */
function received<Kind extends StagedKind>(kind: Kind, record: Put<Kind>['record'], at: string): Put<Kind>['record'] {
  if (kind === 'tracking') return withQuarantines(record as TrackingRecord, at) as Put<Kind>['record']
  if (kind === 'tracking_event') return withQuarantine(record as TrackingEventRecord, at) as Put<Kind>['record']
  return record
}

/** Rejects a line that conflicts with others. `removeRejected` deletes it, with the rest of its batch, from the staging table. */
export function rejectStaged({ report, rejected }: AccountImport, line: StagedKey, fault: LocatedFault): void {
  report.reject(line.line, [fault])
  rejected.push(line)
}

export async function removeRejected({ tx, slug, rejected }: AccountImport): Promise<void> {
  await removeStaged(tx.sql, slug, rejected.splice(0))
}
