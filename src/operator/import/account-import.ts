import type { ImportKind } from '../../contract/import-line.js'
import { findStagedStatuses, type StagedRecord } from '../../storage/import-staging.js'
import { findRecords } from '../../storage/records.js'
import { findShipmentStatuses } from '../../storage/shipments.js'
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

/** Those of a batch whose shipment is stored or in the file; the others are rejected. */
export async function withKnownShipments(work: AccountImport, batch: StagedRecord[]): Promise<StagedRecord[]> {
  const shipmentOf = new Map(
    batch.map(({ id, record }) => [id, (JSON.parse(record) as { svc_shipment_id?: string }).svc_shipment_id]),
  )
  const statuses = await shipmentStatuses(
    work,
    [...shipmentOf.values()].flatMap((shipment) => shipment ?? []),
  )
  return batch.filter(({ id, line }) => {
    const shipment = shipmentOf.get(id)
    if (shipment === undefined || statuses.has(shipment)) return true
    work.report.reject(line, [unknownShipment])
    return false
  })
}

export const unknownShipment = { pointer: '/data/svc_shipment_id', detail: 'the account has no such shipment' }

/** The statuses that shipments will have when the import is done; what is not in the map does not exist. */
export async function shipmentStatuses({ tx, account, slug }: AccountImport, ids: string[]) {
  const stored = await findShipmentStatuses(tx.sql, account, ids)
  const staged = await findStagedStatuses(tx.sql, slug, ids)
  return new Map([...stored, ...staged])
}
