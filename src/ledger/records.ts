import type { AccountData, AssignmentData } from '../contract/import-line.js'
import type { ExceptionRecord } from '../contract/operator/exceptions.js'
import type { HistoryKind } from '../contract/operator/history.js'
import type { InvoiceRecord, PaymentRecord } from '../contract/public/invoice.js'
import type { OwnLocationRecord } from '../contract/public/location.js'
import type { MessageFileRecord, MessageRecord } from '../contract/public/message.js'
import type { DocumentProposalRecord } from '../contract/public/proposal.js'
import type { ShipmentRecord } from '../contract/public/shipment.js'
import type { TrackingEventRecord, TrackingPositionRecord, TrackingRecord } from '../contract/public/tracking.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import type { DocumentContentRecord } from '../domain/documents/document.js'
import type { PurchaseOrderRecord } from '../domain/purchase-orders/purchase-order.js'
import { type AccountKey, accountsOf, idsOf } from '../store/account-key.js'
import { assignmentId } from '../store/assignments.js'
import { entryChangeId } from '../store/tracking-entries.js'

/** The kinds of records in the change log. */
export type ChangeKind = HistoryKind

/** Records as they were received: resources are rendered from them, and the change log keeps every version. */
export type Records = {
  location: OwnLocationRecord
  shipment: ShipmentRecord
  tracking: TrackingRecord
  tracking_event: TrackingEventRecord
  tracking_position: TrackingPositionRecord
  invoice: InvoiceRecord
  payment: PaymentRecord
  document: DocumentContentRecord
  document_proposal: DocumentProposalRecord
  purchase_order: PurchaseOrderRecord
  assignment: AssignmentData
  exception: ExceptionRecord
  message: MessageRecord
  message_file: MessageFileRecord
  account: AccountData
  key: object
  person: object
}
export type RecordKind = keyof Records

/** The identifier of a record in the change log. */
export const recordId: {
  [Kind in Exclude<RecordKind, 'account' | 'key' | 'person'>]: (record: Records[Kind]) => string
} = {
  location: ({ id }) => String(id),
  shipment: ({ svc_shipment_id }) => svc_shipment_id,
  tracking: ({ svc_shipment_id }) => svc_shipment_id,
  tracking_event: ({ svc_shipment_id, event_id }) => entryChangeId({ svc_shipment_id, entry_id: event_id }),
  tracking_position: ({ svc_shipment_id, position_id }) => entryChangeId({ svc_shipment_id, entry_id: position_id }),
  invoice: ({ reference }) => reference,
  payment: ({ payment_id }) => payment_id,
  document: ({ id }) => id,
  document_proposal: ({ id }) => id,
  purchase_order: ({ reference }) => reference,
  assignment: assignmentId,
  exception: ({ exception_id }) => exception_id,
  message: ({ message_id }) => message_id,
  message_file: ({ file_id }) => file_id,
}

/** The newest version of each record as text; removed records are left out. */
export async function findRecords(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  ids: string[],
): Promise<Map<string, string>> {
  const keys = ids.map((id) => ({ account, kind, id }))
  return new Map((await lookUpRecords(db, keys)).map((row) => [row.id, row.record]))
}

const lookUpRecords = lookup<AccountKey & { kind: ChangeKind }, { id: string; record: string }>(
  (db, keys) => db`
    select place, wanted.id, newest.record
    from unnest(${accountsOf(keys)}::integer[], ${keys.map(({ kind }) => kind)}::text[], ${idsOf(keys)}::text[])
      with ordinality as wanted (account_id, kind, id, place)
    cross join lateral (
      select record from changes
      where account_id = wanted.account_id and kind = wanted.kind and id = wanted.id and what <> 'derived'
      order by revision desc limit 1
    ) newest
    where newest.record is not null`,
)

/** The same, parsed. */
export async function readRecords<Kind extends RecordKind>(
  db: Reader,
  account: AccountId,
  kind: Kind,
  ids: string[],
): Promise<Map<string, Records[Kind]>> {
  const records = await findRecords(db, account, kind, ids)
  return new Map([...records].map(([id, record]) => [id, JSON.parse(record) as Records[Kind]]))
}

export async function findRecord<Kind extends RecordKind>(
  db: Reader,
  account: AccountId,
  kind: Kind,
  id: string,
): Promise<Records[Kind] | undefined> {
  return (await readRecords(db, account, kind, [id])).get(id)
}
