import type { Shipment } from '../../contract/shipment.js'
import { readLeftShipments, readOrdersBesideFile, readShipmentsBesideFile } from '../../storage/beside-file.js'
import { findRecords } from '../../storage/records.js'
import { rerenderShipments, saveShipmentBodies } from '../../storage/shipments.js'
import { readStaged, readStagedIds } from '../../storage/staged-records.js'
import {
  findShipmentsToLeave,
  findStagedContents,
  saveStagedDocuments,
  saveStagedInvoices,
  saveStagedLocations,
  saveStagedPayments,
} from '../../storage/staged-saving.js'
import { deriveShipments, refreshPurchaseOrders, refreshShipments } from '../derivation.js'
import { type AccountImport, applyKind, recordChanged } from './account-import.js'
import { applyOrders } from './apply-orders.js'
import { applyTracking, renderTrackingOf } from './apply-tracking.js'
import { judgeInvoices } from './judge-invoices.js'
import { rejectDangling, rejectWithoutInvoice } from './reject-dangling.js'

/**
 * Stores what the file says of one account, in the order that renders every body once: what others show of
 * themselves comes before those that show it.
 */
export async function applyToAccount(work: AccountImport): Promise<void> {
  const { tx, account, slug } = work
  await rejectDangling(work)
  if (await judgeInvoices(work)) await rejectWithoutInvoice(work)
  await applyKind(work, 'location', (changed) => saveStagedLocations(tx, account, slug, changed))
  await applyOrders(work)
  await applyTracking(work)
  const leftShipments = await applyInvoices(work)
  await applyKind(work, 'payment', (changed) => saveStagedPayments(tx, account, slug, changed))
  await applyDocuments(work)
  await applyShipments(work)
  for await (const rows of readShipmentsBesideFile(tx.sql, slug, account)) {
    const ids = rows.map(({ shipment }) => shipment)
    await renderTrackingOf(work, await findShipments(work, ids), new Set())
    await refreshShipments(tx, account, ids)
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

/** Answers the shipments that invoices were moved away from. */
async function applyInvoices(work: AccountImport): Promise<string[]> {
  const { tx, account, slug } = work
  const left = new Set<string>()
  await applyKind(work, 'invoice', async (changed) => {
    for (const shipment of await findShipmentsToLeave(tx.sql, account, slug, changed)) left.add(shipment)
    const numbers = await saveStagedInvoices(tx, account, slug, changed)
    for (const name of [...numbers, ...changed]) work.passNumber(name)
  })
  return [...left]
}

async function applyDocuments(work: AccountImport): Promise<void> {
  const { tx, account, slug } = work
  for await (const ids of readStagedIds(tx.sql, slug, 'document')) {
    // Those of unchanged documents too: an import puts back bytes that were lost.
    for (const hash of await findStagedContents(tx.sql, slug, ids)) await work.acceptContent(hash)
    const changed = await recordChanged(work, 'document', ids)
    if (changed.length > 0) await saveStagedDocuments(tx, account, slug, changed)
  }
}

async function findShipments({ tx, account }: AccountImport, ids: string[]): Promise<Map<string, Shipment>> {
  const records = await findRecords(tx.sql, account, 'shipment', ids)
  return new Map([...records].map(([id, record]) => [id, JSON.parse(record) as Shipment]))
}

async function applyShipments(work: AccountImport): Promise<void> {
  const { tx, account, slug } = work
  for await (const batch of readStaged(tx.sql, slug, 'shipment')) {
    const ids = batch.map(({ id }) => id)
    const records = new Map(batch.map(({ id, record }) => [id, JSON.parse(record) as Shipment]))
    const changed = new Set(await recordChanged(work, 'shipment', ids))
    await renderTrackingOf(work, records, changed)
    const bodies = await deriveShipments(tx, account, records)
    const bodyOf = new Map(bodies.map((row) => [row.svc_shipment_id, row.body]))
    const rows = batch
      .filter(({ id }) => changed.has(id))
      .map(({ id, stored_at }) => ({
        svc_shipment_id: id,
        created_at: records.get(id)?.created_at,
        status: records.get(id)?.status,
        stored_at: stored_at ?? undefined,
        body: bodyOf.get(id) as string,
      }))
    if (rows.length > 0) await saveShipmentBodies(tx, account, rows)
    // What is said of a shipment elsewhere in the file may have changed all the same.
    const others = bodies.filter(({ svc_shipment_id }) => !changed.has(svc_shipment_id))
    if (others.length > 0) await rerenderShipments(tx, account, others)
  }
}
