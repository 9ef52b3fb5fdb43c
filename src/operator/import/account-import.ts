import type { Fault } from '../../contract/refusals.js'
import { findShipmentStatuses } from '../../storage/shipments.js'
import { findStagedStatuses, readStagedIds, type StagedKind } from '../../storage/staged-records.js'
import { removeStaged, type StagedKey } from '../../storage/staged-references.js'
import { recordStaged } from '../../storage/staged-saving.js'
import type { AccountId, Transaction } from '../../storage/transaction.js'
import type { ImportReport } from './report.js'

/** What the file says of one account, being stored. */
export type AccountImport = {
  tx: Transaction
  account: AccountId
  slug: string
  report: ImportReport
  /** Lines that were rejected, but are still among those that are to be stored. */
  rejected: StagedKey[]
  /** Marks the bytes of a document that are to stay. */
  acceptContent(hash: string): Promise<void>
  /** Tells what an invoice is called: numbers of ours that follow must be higher. */
  passNumber(name: string): void
}

/** Puts those of a batch that differ from what is stored into the change log; answers them. */
export async function recordChanged(
  { tx, account, slug, report }: AccountImport,
  kind: StagedKind,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const results = await recordStaged(tx, account, slug, kind, ids)
  for (const { result } of results) report.count(kind, result)
  return results.filter(({ result }) => result !== 'unchanged').map(({ id }) => id)
}

/** What depends on nothing else is ready in the database: it is only told which lines changed something. */
export async function applyKind(
  work: AccountImport,
  kind: StagedKind,
  save: (changed: string[]) => Promise<void>,
): Promise<void> {
  for await (const ids of readStagedIds(work.tx.sql, work.slug, kind)) {
    const changed = await recordChanged(work, kind, ids)
    if (changed.length > 0) await save(changed)
  }
}

/** Rejects a line that does not hold beside others. It is taken out of the file with the rest of its batch. */
export function rejectStaged({ report, rejected }: AccountImport, line: StagedKey, fault: Fault): void {
  report.reject(line.line, [fault])
  rejected.push(line)
}

export async function takeOutRejected({ tx, slug, rejected }: AccountImport): Promise<void> {
  await removeStaged(tx.sql, slug, rejected.splice(0))
}

/** The statuses that shipments will have when the import is done; what is not in the map does not exist. */
export async function shipmentStatuses({ tx, account, slug }: AccountImport, ids: string[]) {
  const stored = await findShipmentStatuses(tx.sql, account, ids)
  const staged = await findStagedStatuses(tx.sql, slug, ids)
  return new Map([...stored, ...staged])
}
