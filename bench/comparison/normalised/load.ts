import { readFile } from 'node:fs/promises'
import pg, { type Pool, type PoolClient } from 'pg'
import type { PurchaseOrder, PurchaseOrderCreate } from '../../../src/contract/public/purchase-order.js'
import type { Shipment } from '../../../src/contract/public/shipment.js'
import type { DatabasePlace } from '../../bench-server.js'
import { copyRows } from './copy.js'
import { assignedRow, containerRow, lineRow, loadRow, orderRow, shipmentRow, shippedRow } from './rows.js'

const batchLength = 2000

/**
 * Creates the normalised tables in a database of their own and fills them from a database of Waybill, in one
 * transaction. Does nothing where the tables exist.
 */
export async function loadNormalised(sourceDatabase: string, place: DatabasePlace): Promise<void> {
  const source = openPool({ ...place, database: sourceDatabase })
  try {
    await ensureDatabase(source, place.database)
    const target = openPool(place)
    try {
      await fill(source, target)
    } finally {
      await target.end()
    }
  } finally {
    await source.end()
  }
}

function openPool({ socketFolder, port, user, database }: DatabasePlace): Pool {
  return new pg.Pool({ host: socketFolder, port, user, database, max: 1 })
}

async function ensureDatabase(source: Pool, database: string): Promise<void> {
  const { rowCount } = await source.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await source.query(`create database ${pg.escapeIdentifier(database)}`)
}

async function fill(source: Pool, target: Pool): Promise<void> {
  const client = await target.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.shipped_lines') is not null as exists`,
    )
    if (rows[0]?.exists) return void (await client.query('rollback'))
    await client.query(await sqlOf('schema.sql'))
    await copyAccounts(source, client)
    const shipmentIds = await copyShipments(source, client)
    await copyOrders(source, client, shipmentIds)
    await client.query(await sqlOf('indexes.sql'))
    await raiseSequences(client)
    await client.query('commit')
    await client.query('vacuum analyze')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function sqlOf(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8')
}

async function copyAccounts(source: Pool, client: PoolClient): Promise<void> {
  const accounts = await source.query<{ id: number; slug: string; name: string }>(
    'select account_id as id, slug, name from accounts order by account_id',
  )
  await copyRows(client, 'accounts', accounts.rows)
  const keys = await source.query<{ account_id: number; hash: string; can_read: boolean; can_write: boolean }>(
    `select account_id, '\\x' || encode(hash, 'hex') as hash,
      'read' = any(scopes) as can_read, 'write' = any(scopes) as can_write
    from keys where revoked_at is null order by account_id, key_id`,
  )
  await copyRows(client, 'keys', keys.rows)
}

type Stored = { account_id: number; id: string; place: string; listed_at: string; body: string; record: string | null }

// `newest_first` is the negative time in microseconds.
const listedAt = `timestamptz 'epoch' - newest_first * interval '1 microsecond'`

async function* stored(source: Pool, kind: string, table: string, id: string): AsyncGenerator<Stored[]> {
  let last = { account_id: 0, place: '0', id: '' }
  while (true) {
    const { rows } = await source.query<Stored>(
      `select account_id, ${id} as id, newest_first::text as place, (${listedAt})::text as listed_at, body, (
        select record from changes
        where changes.account_id = ${table}.account_id and kind = $5 and changes.id = ${id} and what <> 'derived'
        order by revision desc limit 1
      ) as record
      from ${table}
      where (account_id, newest_first, ${id}) > ($1, $2, $3)
      order by account_id, newest_first, ${id} limit $4`,
      [last.account_id, last.place, last.id, batchLength, kind],
    )
    const [newLast] = rows.slice(-1)
    if (!newLast) return
    last = newLast
    yield rows
  }
}

/** Numbers the rows of a table. */
function counter() {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

/** The new identifiers of shipments, by account and original identifier. */
type ShipmentIds = Map<string, number>

async function copyShipments(source: Pool, client: PoolClient): Promise<ShipmentIds> {
  const ids: ShipmentIds = new Map()
  const [nextContainer, nextLoad] = [counter(), counter()]
  for await (const batch of stored(source, 'shipment', 'shipments', 'svc_shipment_id')) {
    const shipments = batch.map(({ body, record: _record, ...row }) => {
      const id = ids.size + 1
      ids.set(`${row.account_id} ${row.id}`, id)
      return { id, row, shipment: JSON.parse(body) as Shipment }
    })
    const rows = shipments.map(({ id, row, shipment }) => shipmentRow(id, row.account_id, row.listed_at, shipment))
    const containers = shipments.flatMap(({ id, shipment }) =>
      (shipment.cargo?.containers ?? []).map((each, index) => containerRow(nextContainer(), id, index + 1, each)),
    )
    const loads = shipments.flatMap(({ id, shipment }) =>
      (shipment.cargo?.loads ?? []).map((each, index) => loadRow(nextLoad(), id, index + 1, each)),
    )
    await copyRows(client, 'shipments', rows)
    await copyRows(client, 'containers', containers)
    await copyRows(client, 'loads', loads)
  }
  return ids
}

async function copyOrders(source: Pool, client: PoolClient, shipmentIds: ShipmentIds): Promise<void> {
  const [nextOrder, nextLine, nextAssigned, nextShipped] = [counter(), counter(), counter(), counter()]
  for await (const batch of stored(source, 'purchase_order', 'purchase_orders', 'reference')) {
    const orders: ReturnType<typeof orderRow>[] = []
    const lines: ReturnType<typeof lineRow>[] = []
    const assigned: ReturnType<typeof assignedRow>[] = []
    const shipped: ReturnType<typeof shippedRow>[] = []
    for (const { account_id, listed_at, body, record } of batch) {
      const order = JSON.parse(body) as PurchaseOrder
      const sent = record === null ? undefined : (JSON.parse(record) as PurchaseOrderCreate)
      const orderId = nextOrder()
      orders.push(orderRow(orderId, account_id, listed_at, order))
      for (const [linePlace, line] of order.purchase_order_lines.entries()) {
        const lineId = nextLine()
        lines.push(lineRow(lineId, orderId, linePlace + 1, line, sent?.product_lines[linePlace]))
        for (const [place, { svc_shipment_id, ...each }] of (line.assigned_order_lines ?? []).entries()) {
          const shipment_id = shipmentIds.get(`${account_id} ${svc_shipment_id}`)
          if (shipment_id === undefined)
            throw new Error(`order ${order.po_number} is on no shipment ${svc_shipment_id}`)
          const { assigned_quantity, shipped_order_lines = [] } = each
          const assignedId = nextAssigned()
          assigned.push(assignedRow(assignedId, lineId, place + 1, { shipment_id, assigned_quantity }))
          shipped.push(
            ...shipped_order_lines.map((one, index) => shippedRow(nextShipped(), assignedId, index + 1, one)),
          )
        }
      }
    }
    await copyRows(client, 'purchase_orders', orders)
    await copyRows(client, 'order_lines', lines)
    await copyRows(client, 'assigned_lines', assigned)
    await copyRows(client, 'shipped_lines', shipped)
  }
}

const numberedTables = [
  'shipments',
  'containers',
  'loads',
  'purchase_orders',
  'order_lines',
  'assigned_lines',
  'shipped_lines',
]

async function raiseSequences(client: PoolClient): Promise<void> {
  for (const table of numberedTables) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 0) + 1 from ${table}), false)`,
    )
  }
}
