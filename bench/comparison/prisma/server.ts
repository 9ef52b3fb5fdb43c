import type { PurchaseOrderUpdate } from '../../../src/contract/public/purchase-order.js'
import { placeGiven, serve } from '../http/serve.js'
import { shipmentOf } from '../normalised/assemble.js'
import { linesOf } from '../normalised/sent-lines.js'
import { openDatabase } from './database.js'
import { Prisma } from './generated/client.js'
import { orderOf, wholeOrder } from './order.js'
import { wholeShipment } from './shipment.js'

const prisma = openDatabase(placeGiven())
// A query for each table: joins, with JSON built by the database, were slower in every list.
const relationLoadStrategy = 'query'

const deep = 500
const newestFirst: Prisma.ShipmentOrderByWithRelationInput[] = [{ listed_at: 'desc' }, { svc_shipment_id: 'asc' }]

await serve({
  async findCaller(hash) {
    const caller = await prisma.key.findUnique({
      where: { hash: new Uint8Array(hash) },
      select: { account_id: true, can_read: true, can_write: true },
    })
    return caller ?? undefined
  },

  async listShipments(account_id, { skip, take }) {
    const where = skip < deep ? { account_id } : { id: { in: await findPage(account_id, skip, take) } }
    const rows = await prisma.shipment.findMany({
      ...wholeShipment,
      relationLoadStrategy,
      where,
      orderBy: newestFirst,
      ...(skip < deep && { skip, take }),
    })
    return rows.length === 0 ? undefined : rows.map((row) => shipmentOf(row, row.containers, row.loads))
  },

  async findShipment(account_id, svc_shipment_id) {
    const row = await prisma.shipment.findUnique({
      ...wholeShipment,
      relationLoadStrategy,
      where: { account_id_svc_shipment_id: { account_id, svc_shipment_id } },
    })
    return row ? shipmentOf(row, row.containers, row.loads) : undefined
  },

  async findOrder(account_id, reference) {
    const row = await prisma.purchaseOrder.findUnique({
      ...wholeOrder,
      relationLoadStrategy,
      where: { account_id_reference: { account_id, reference } },
    })
    return row ? orderOf(row) : undefined
  },

  async createOrder(account_id, order) {
    const lines = { createMany: { data: linesOf(order.product_lines) } }
    const data = { account_id, reference: order.reference, ...headerOf(order), lines }
    try {
      await prisma.purchaseOrder.create({ data, select: { id: true } })
      return { status: 201, body: JSON.stringify({ reference: order.reference }) }
    } catch (error) {
      if (isKnown(error, 'P2002')) return { refusal: 'purchase_order_exists' }
      throw error
    }
  },

  async updateOrder(account_id, order) {
    const account_id_reference = { account_id, reference: order.reference }
    const lines = order.product_lines && { deleteMany: {}, createMany: { data: linesOf(order.product_lines) } }
    try {
      // The reference is set to itself, so that the order is locked before its lines are replaced.
      await prisma.purchaseOrder.update({
        where: { account_id_reference, lines: { none: { assigned_lines: { some: {} } } } },
        data: { reference: order.reference, ...headerOf(order), ...(lines && { lines }) },
        select: { id: true },
      })
      return undefined
    } catch (error) {
      if (!isKnown(error, 'P2025')) throw error
      const exists = await prisma.purchaseOrder.findUnique({ where: { account_id_reference }, select: { id: true } })
      return exists ? 'purchase_order_assigned' : 'purchase_order_not_found'
    }
  },
})

/** Pages deep in the list are found in the index alone, before whole rows are read. */
async function findPage(account_id: number, skip: number, take: number): Promise<bigint[]> {
  const rows = await prisma.shipment.findMany({
    select: { id: true },
    where: { account_id },
    orderBy: newestFirst,
    skip,
    take,
  })
  return rows.map(({ id }) => id)
}

function headerOf(order: PurchaseOrderUpdate) {
  return {
    supplier_id: order.supplier_id,
    desired_ex_factory_date: midnightOf(order.desired_ex_factory_date),
    desired_delivery_date: midnightOf(order.desired_delivery_date),
    custom_parameters: order.custom_parameters,
  }
}

function midnightOf(day: string | undefined): Date | undefined {
  return day === undefined ? undefined : new Date(day)
}

function isKnown(error: unknown, code: string): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code
}
