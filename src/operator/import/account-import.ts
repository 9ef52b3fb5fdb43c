import type { ImportKind } from '../../contract/import-line.js'
import { findRecords } from '../../storage/records.js'
import { findShipmentStatuses } from '../../storage/shipments.js'
import { findStagedStatuses, type StagedRecord } from '../../storage/staged-records.js'
import type { AccountId, Transaction } from '../../storage/transaction.js'
import type { ImportReport } from './report.js'

/** What the file says of one account, being stored. */
export type AccountImport = {
  tx: Transaction
  account: AccountId
  slug: string
  report: ImportReport
  /** Marks the bytes of a document that are to stay. */
  acceptContent(hash: string): Promise<void>
}

export type ChangedRecord<Data> = {
  data: Data
  record: string
  before: string | undefined
  what: 'created' | 'updated'
  stored_at: string | undefined
}

/** Those of a batch that differ from what is stored. */
export async function changedRecords<Data>(
  { tx, account, report }: AccountImport,
  kind: Exclude<ImportKind, 'account'>,
  batch: StagedRecord[],
): Promise<ChangedRecord<Data>[]> {
  const stored = await findRecords(
    tx.sql,
    account,
    kind,
    batch.map(({ id }) => id),
  )
  return batch.flatMap(({ id, record, stored_at }) => {
    const before = stored.get(id)
    const result = before === undefined ? 'created' : before === record ? 'unchanged' : 'updated'
    report.count(kind, result)
    return result === 'unchanged'
      ? []
      : [{ data: JSON.parse(record) as Data, record, before, what: result, stored_at: stored_at ?? undefined }]
  })
}

/** The statuses that shipments will have when the import is done; what is not in the map does not exist. */
export async function shipmentStatuses({ tx, account, slug }: AccountImport, ids: string[]) {
  const stored = await findShipmentStatuses(tx.sql, account, ids)
  const staged = await findStagedStatuses(tx.sql, slug, ids)
  return new Map([...stored, ...staged])
}
