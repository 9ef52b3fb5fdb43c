import type { Invoice } from '../../contract/invoice.js'
import type { LocationRecord } from '../../contract/location.js'
import type { Shipment } from '../../contract/shipment.js'
import type { TrackingRecord } from '../../contract/tracking.js'
import { type DocumentContentRecord, renderDocument } from '../../domain/document.js'
import { renderInvoice } from '../../domain/invoice.js'
import { renderLocation } from '../../domain/location.js'
import { mainTrackingDates, renderTracking } from '../../domain/tracking.js'
import { readLeftShipments, readOrdersBesideFile, readShipmentsBesideFile } from '../../storage/beside-file.js'
import { saveDocuments } from '../../storage/documents.js'
import { saveInvoices } from '../../storage/invoices.js'
import { saveLocations } from '../../storage/locations.js'
import { rerenderShipments, saveShipments } from '../../storage/shipments.js'
import { readStaged, removeWithoutOrder, removeWithoutShipment } from '../../storage/staged-records.js'
import { saveTracking } from '../../storage/tracking.js'
import { deriveShipments, refreshPurchaseOrders, refreshShipments } from '../derivation.js'
import { type AccountImport, changedRecords } from './account-import.js'
import { applyOrders } from './apply-orders.js'

/**
 * Stores what the file says of one account, in the order that renders every body once: what others show of
 * themselves comes before those that show it.
 */
export async function applyToAccount(work: AccountImport): Promise<void> {
  await rejectDangling(work)
  await applyLocations(work)
  await applyOrders(work)
  await applyTracking(work)
  const leftShipments = await applyInvoices(work)
  await applyDocuments(work)
  await applyShipments(work)
  const { tx, account, slug } = work
  for await (const rows of readShipmentsBesideFile(tx.sql, slug, account)) {
    await refreshShipments(
      tx,
      account,
      rows.map(({ shipment }) => shipment),
    )
  }
  for await (const rows of readLeftShipments(tx.sql, account, leftShipments)) {
    await refreshShipments(
      tx,
      account,
      rows.map(({ shipment }) => shipment),
    )
  }
  for await (const rows of readOrdersBesideFile(tx.sql, slug, account)) {
    await refreshPurchaseOrders(
      tx,
      account,
      rows.map(({ reference }) => reference),
    )
  }
}

// Every line is judged, also where another one for the same thing follows: none of them may get lost.
async function rejectDangling({ tx, account, slug, report }: AccountImport): Promise<void> {
  for (const line of await removeWithoutOrder(tx.sql, slug, account)) {
    report.reject(line, [{ pointer: '/data/reference', detail: 'the account has no such purchase order' }])
  }
  for (const line of await removeWithoutShipment(tx.sql, slug, account)) {
    report.reject(line, [{ pointer: '/data/svc_shipment_id', detail: 'the account has no such shipment' }])
  }
}

async function applyLocations(work: AccountImport): Promise<void> {
  for await (const batch of readStaged(work.tx.sql, work.slug, work.account, 'location')) {
    const changed = await changedRecords<LocationRecord>(work, 'location', batch)
    if (changed.length === 0) continue
    await saveLocations(
      work.tx,
      work.account,
      changed.map(({ data, record, what }) => ({
        location_id: data.id,
        body: JSON.stringify(renderLocation(data)),
        record,
        what,
      })),
    )
  }
}

async function applyTracking(work: AccountImport): Promise<void> {
  for await (const batch of readStaged(work.tx.sql, work.slug, work.account, 'tracking')) {
    const changed = await changedRecords<TrackingRecord>(work, 'tracking', batch)
    if (changed.length === 0) continue
    await saveTracking(
      work.tx,
      work.account,
      changed.map(({ data, record, what }) => ({
        svc_shipment_id: data.svc_shipment_id,
        main_tracking_dates: mainTrackingDates(data),
        body: JSON.stringify(renderTracking(data)),
        record,
        what,
      })),
    )
  }
}

/** Answers the shipments that invoices were moved away from. */
async function applyInvoices(work: AccountImport): Promise<string[]> {
  const left = new Set<string>()
  for await (const batch of readStaged(work.tx.sql, work.slug, work.account, 'invoice')) {
    const changed = await changedRecords<Invoice>(work, 'invoice', batch)
    if (changed.length === 0) continue
    for (const { data, before } of changed) {
      const shipment = before && (JSON.parse(before) as Invoice).svc_shipment_id
      if (shipment && shipment !== data.svc_shipment_id) left.add(shipment)
    }
    await saveInvoices(
      work.tx,
      work.account,
      changed.map(({ data, record, what, stored_at }) => ({
        reference: data.reference,
        number: data.number,
        svc_shipment_id: data.svc_shipment_id,
        type: data.type,
        status: data.status,
        sent_date: data.sent_date,
        body: JSON.stringify(renderInvoice(data)),
        record,
        what,
        stored_at,
      })),
    )
  }
  return [...left]
}

async function applyDocuments(work: AccountImport): Promise<void> {
  for await (const batch of readStaged(work.tx.sql, work.slug, work.account, 'document')) {
    // Those of unchanged documents too: an import puts back bytes that were lost.
    for (const { record } of batch) await work.acceptContent((JSON.parse(record) as DocumentContentRecord).content_hash)
    const changed = await changedRecords<DocumentContentRecord>(work, 'document', batch)
    if (changed.length === 0) continue
    await saveDocuments(
      work.tx,
      work.account,
      changed.map(({ data, record, what, stored_at }) => ({
        id: data.id,
        svc_shipment_id: data.svc_shipment_id,
        type: data.type,
        name: data.name,
        uploaded_at: data.uploaded_at,
        content_hash: data.content_hash,
        body: renderDocument(data),
        record,
        what,
        stored_at,
      })),
    )
  }
}

async function applyShipments(work: AccountImport): Promise<void> {
  const { tx, account, slug } = work
  for await (const batch of readStaged(tx.sql, slug, account, 'shipment')) {
    const changed = await changedRecords<Shipment>(work, 'shipment', batch)
    const records = new Map(changed.map(({ data }) => [data.svc_shipment_id, data]))
    const bodies = new Map((await deriveShipments(tx, account, records)).map((row) => [row.svc_shipment_id, row.body]))
    if (changed.length > 0) {
      await saveShipments(
        tx,
        account,
        changed.map(({ data, record, what, stored_at }) => ({
          svc_shipment_id: data.svc_shipment_id,
          created_at: data.created_at,
          status: data.status,
          body: bodies.get(data.svc_shipment_id) as string,
          record,
          what,
          stored_at,
        })),
      )
    }
    // What is said of a shipment elsewhere in the file may have changed all the same.
    const unchanged = batch.filter(({ id }) => !records.has(id))
    const same = new Map(unchanged.map(({ id, record }) => [id, JSON.parse(record) as Shipment]))
    if (same.size > 0) await rerenderShipments(tx, account, await deriveShipments(tx, account, same))
  }
}
