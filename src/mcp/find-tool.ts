import { Type } from 'typebox'
import type { Client } from '../client/client.js'
import type { Invoice } from '../contract/public/invoice.js'
import type { PurchaseOrder } from '../contract/public/purchase-order.js'
import type { Shipment } from '../contract/public/shipment.js'
import { closed, Identifier } from '../contract/schema.js'
import { Day, ShipmentSummary, summaryOf } from './shipment-tools.js'
import { found, known, mostSearched, pageLength, Quoted, quote, searchPages, tool } from './tool.js'

// The interface has no search of shipments: the newest ones are read.
const mostFound = 10

export const find = tool({
  name: 'find',
  title: 'Find shipments, orders and invoices',
  description:
    'Finds shipments by identifier, name, container, booking, bill of lading, vessel or order; purchase orders by reference; invoices by reference or number; order lines by SKU, product, supplier or order. Start here if you have only a word or a number.',
  input: closed({ query: Type.String({ minLength: 2, maxLength: 200, description: 'A word or number.' }) }),
  output: closed({
    shipments: Type.Array(ShipmentSummary, { description: `At most ${mostFound}.` }),
    orders: Type.Array(closed({ reference: Identifier, lines: Type.Integer() }, { supplier: Quoted })),
    invoices: Type.Array(closed({ reference: Identifier }, { number: Type.String(), status: Type.String() })),
    order_lines: Type.Array(
      closed(
        { sku: Type.String(), reference: Identifier },
        { name: Quoted, expected_date: Day, svc_shipment_id: Identifier },
      ),
      { description: 'Lines that are still to come; at most 10.' },
    ),
    searched_all: Type.Boolean({
      description: `False if there are more than ${mostSearched} shipments: of older ones only the identifier and the order were searched.`,
    }),
  }),
  async run(waybill, { query }) {
    const params = { reference: query }
    // One after another: an account may be limited to one request at a time.
    const shipment = await found(waybill.getShipment({ params: { svc_shipment_id: query } }))
    const order = await found(waybill.getPurchaseOrder({ params }))
    const invoice = await findInvoice(waybill, query)
    const lines = await waybill.listInbound({ query: { q: query, take: 10 } })
    const searched = await searchShipments(waybill, query)
    const matching = [...(shipment ? [shipment] : []), ...searched.shipments]
    if (order && !searched.isComplete) matching.push(...(await shipmentsOf(waybill, order)))
    const shipments = new Map(matching.map((each) => [each.svc_shipment_id, each]))
    const supplier = order?.supplier_name
    return {
      shipments: [...shipments.values()].slice(0, mostFound).map(summaryOf),
      orders: order
        ? [
            {
              reference: order.po_number,
              lines: order.purchase_order_lines.length,
              ...(supplier && { supplier: quote(supplier) }),
            },
          ]
        : [],
      invoices: invoice
        ? [known({ reference: invoice.reference, number: invoice.number, status: invoice.status })]
        : [],
      order_lines: lines.data.map(({ sku, reference, name, expected_date, svc_shipment_id }) =>
        known({ sku, reference, name: name === undefined ? undefined : quote(name), expected_date, svc_shipment_id }),
      ),
      searched_all: searched.isComplete,
    }
  },
})

/** By its reference, or else by the number that is printed on it. */
async function findInvoice(waybill: Client, query: string): Promise<Invoice | undefined> {
  const invoice = await found(waybill.getInvoice({ params: { reference: query } }))
  // Numbers have digits: a name is not searched for among all invoices.
  if (invoice || !/\d/.test(query)) return invoice
  const data = await searchPages((page) => waybill.listInvoices({ query: page }))
  return data.find(({ number }) => number?.toLowerCase() === query.toLowerCase())
}

async function searchShipments(waybill: Client, query: string) {
  const words = query.toLowerCase().split(/\s+/)
  const shipments: Shipment[] = []
  // Of a page only what matches is kept: shipments are large.
  for (let skip = 0; skip < mostSearched; skip += pageLength) {
    const data = (await found(waybill.listShipments({ query: { skip, take: pageLength } }))) ?? []
    shipments.push(...data.filter((each) => matches(each, words)))
    if (data.length < pageLength) return { shipments, isComplete: true }
  }
  return { shipments, isComplete: false }
}

/** Those that bring the goods of an order, however old they are. */
async function shipmentsOf(waybill: Client, { purchase_order_lines }: PurchaseOrder): Promise<Shipment[]> {
  const ids = purchase_order_lines.flatMap(({ assigned_order_lines = [] }) =>
    assigned_order_lines.map(({ svc_shipment_id }) => svc_shipment_id),
  )
  const shipments: Shipment[] = []
  for (const svc_shipment_id of [...new Set(ids)].slice(0, mostFound)) {
    const shipment = await found(waybill.getShipment({ params: { svc_shipment_id } }))
    if (shipment) shipments.push(shipment)
  }
  return shipments
}

function matches(
  { svc_shipment_id, name, cargo, booking_information, purchase_order_references, route }: Shipment,
  words: string[],
) {
  const containers = cargo?.containers?.map(({ container_number }) => container_number)
  const { carrier, master_bill, house_bill, ocean_booking, air_booking } = booking_information ?? {}
  const text = [
    svc_shipment_id,
    name,
    containers,
    carrier,
    master_bill,
    house_bill,
    Object.values(ocean_booking ?? {}),
    air_booking?.flight_number,
    purchase_order_references,
    route?.origin_port_unlocode,
    route?.destination_port_unlocode,
  ]
    .flat()
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}
