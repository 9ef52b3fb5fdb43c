import type { PurchaseOrder } from '../contract/public/purchase-order.js'
import type { Shipment } from '../contract/public/shipment.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, TransactionSql } from '../database/database.js'
import { inboundParts } from '../domain/inbound/inbound-parts.js'
import { shipmentArrival } from '../domain/inbound/shipment-arrival.js'
import { saveArrivals, saveInbound } from '../store/inbound.js'
import { commit } from './commit.js'

// Raised whenever the rules change by which rows of what arrives follow from bodies.
const currentRules = 1

// Others of the account wait for a transaction: it takes some 100 ms.
const bodiesAtOnce = 200

/** Writes the rows of what arrives where earlier versions have not; ended early, it goes on at the next start. */
export async function renewInbound(db: Database): Promise<void> {
  const accounts = await db<{ id: AccountId }[]>`
    select account_id as id from accounts where inbound_rules < ${currentRules} order by account_id`
  for (const { id } of accounts) {
    await inBatches(db, id, saveArrivalsAfter)
    await inBatches(db, id, saveInboundAfter)
    await db`update accounts set inbound_rules = ${currentRules} where account_id = ${id}`
  }
}

type SaveAfter = (sql: TransactionSql, account: AccountId, after: string) => Promise<string | undefined>

async function inBatches(db: Database, account: AccountId, save: SaveAfter): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    after = await commit(db, account, 'waybill', ({ sql }) => save(sql, account, from))
  }
}

// Known since before the first revision: nothing has moved because it was derived now.
const saveArrivalsAfter: SaveAfter = async (sql, account, after) => {
  const rows = await sql<{ id: string; body: string }[]>`
    select svc_shipment_id as id, body from shipments
    where account_id = ${account} and svc_shipment_id > ${after} order by svc_shipment_id limit ${bodiesAtOnce}`
  const arrivals = rows.map(({ id, body }) => ({
    svc_shipment_id: id,
    arrival: shipmentArrival(JSON.parse(body) as Shipment),
  }))
  saveArrivals({ sql, revision: 0 }, account, arrivals)
  return rows.at(-1)?.id
}

const saveInboundAfter: SaveAfter = async (sql, account, after) => {
  const rows = await sql<{ id: string; body: string; is_cancelled: boolean }[]>`
    select reference as id, body, cancelled_at is not null as is_cancelled from purchase_orders
    where account_id = ${account} and reference > ${after} order by reference limit ${bodiesAtOnce}`
  const orders = rows.map(({ id, body, is_cancelled }) => ({
    reference: id,
    parts: is_cancelled ? [] : inboundParts(JSON.parse(body) as PurchaseOrder),
  }))
  sql.send(saveInbound({ sql }, account, orders))
  return rows.at(-1)?.id
}
