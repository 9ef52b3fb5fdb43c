import type { AccountId } from '../database/account-id.js'
import type { Fragment, TransactionSql } from '../database/database.js'
import { renderDocument } from '../domain/documents/document.js'
import { renderException } from '../domain/exceptions/episodes.js'
import { renderInvoice } from '../domain/invoices/invoice.js'
import { renderLocation } from '../domain/locations/location.js'
import { shipmentReferences } from '../domain/messages/references.js'
import { deleteAssignment, saveAssignments } from '../store/assignments.js'
import { saveMessageFiles, saveMessages } from '../store/conversations.js'
import { saveProposals } from '../store/document-proposals.js'
import { deleteDocument, saveDocuments } from '../store/documents.js'
import { saveExceptions } from '../store/exceptions.js'
import { deleteInvoice, saveInvoices } from '../store/invoices.js'
import { saveLocations } from '../store/locations.js'
import { deletePayment, savePayments } from '../store/payments.js'
import { saveOrderReferences, saveShipmentReferences } from '../store/shipment-references.js'
import { deleteTrackingEvent, saveTrackingEntries } from '../store/tracking-entries.js'
import type { RecordKind, Records } from './records.js'

/** Rows that depend on their own record only: written together with the record. */

type Row<Kind extends RecordKind> = {
  record: Records[Kind]
  before: Records[Kind] | undefined
  stored_at?: string | undefined
}
type Write = { sql: TransactionSql; revision: number; at: string; author: string }
type Saving = {
  [Kind in RecordKind]?: (tx: Write, account: AccountId, rows: Row<Kind>[]) => Fragment | Fragment[] | void
}

const saving: Saving = {
  shipment: (tx, account, rows) =>
    saveShipmentReferences(
      tx,
      account,
      rows.flatMap(({ record, before }) => {
        const references = shipmentReferences(record)
        const isSame = before && JSON.stringify(shipmentReferences(before)) === JSON.stringify(references)
        return isSame ? [] : [{ svc_shipment_id: record.svc_shipment_id, references }]
      }),
    ),
  location: (tx, account, rows) =>
    saveLocations(
      tx,
      account,
      rows.map(({ record: { retired = false, ...location } }) => ({
        location_id: location.id,
        retired,
        body: JSON.stringify(renderLocation(location)),
      })),
    ),
  invoice: (tx, account, rows) =>
    saveInvoices(
      tx,
      account,
      rows.map(({ record, stored_at }) => ({
        ...record,
        draft: record.draft ?? false,
        stored_at,
        body: JSON.stringify(renderInvoice(record)),
      })),
    ),
  payment: (tx, account, rows) =>
    savePayments(
      tx,
      account,
      rows.map(({ record }) => record),
    ),
  document: (tx, account, rows) =>
    saveDocuments(
      tx,
      account,
      rows.map(({ record, stored_at }) => ({ ...record, stored_at, body: renderDocument(record) })),
    ),
  document_proposal: (tx, account, rows) =>
    saveProposals(
      tx.sql,
      account,
      rows.map(({ record }) => record),
    ),
  assignment: (tx, account, rows) => {
    const records = rows.map(({ record }) => ({ ...record, shipped_order_lines: record.shipped_order_lines ?? [] }))
    return [saveAssignments(tx, account, records), ...saveOrderReferences(tx, account, records)]
  },
  exception: (tx, account, rows) =>
    saveExceptions(
      tx,
      account,
      rows.map(({ record }) => ({ record, body: JSON.stringify(renderException(record)) })),
    ),
  message: (tx, account, rows) =>
    saveMessages(
      tx,
      account,
      rows.map(({ record }) => record),
    ),
  message_file: (tx, account, rows) =>
    saveMessageFiles(
      tx.sql,
      account,
      rows.map(({ record }) => record),
    ),
  tracking_event: (tx, account, rows) =>
    saveTrackingEntries(
      tx,
      account,
      rows.map(({ record }) => ({ kind: 'tracking_event', entry_id: record.event_id, record })),
    ),
  tracking_position: (tx, account, rows) =>
    saveTrackingEntries(
      tx,
      account,
      rows.map(({ record }) => ({ kind: 'tracking_position', entry_id: record.position_id, record })),
    ),
}

/** None for orders and tracking: `derive` writes their rows, and the bodies of shipments. */
export function saveRows<Kind extends RecordKind>(tx: Write, account: AccountId, kind: Kind, rows: Row<Kind>[]): void {
  const statements = saving[kind]?.(tx, account, rows)
  if (statements) tx.sql.send(...[statements].flat())
}

const deleting = {
  invoice: (sql: TransactionSql, account: AccountId, { reference }: Records['invoice']) =>
    deleteInvoice(sql, account, reference),
  payment: (sql: TransactionSql, account: AccountId, { payment_id }: Records['payment']) =>
    deletePayment(sql, account, payment_id),
  document: (sql: TransactionSql, account: AccountId, { id }: Records['document']) => deleteDocument(sql, account, id),
  assignment: deleteAssignment,
  tracking_event: deleteTrackingEvent,
}

export function deleteRows<Kind extends keyof typeof deleting>(
  sql: TransactionSql,
  account: AccountId,
  kind: Kind,
  record: Records[Kind],
): Fragment {
  const remove = deleting[kind] as (sql: TransactionSql, account: AccountId, record: Records[Kind]) => Fragment
  return remove(sql, account, record)
}
