import { Type } from 'typebox'
import { inboundFilter } from '../contract/public/inbound.js'
import { PurchaseOrderCreate } from '../contract/public/purchase-order.js'
import { closed, Identifier } from '../contract/schema.js'
import { known, limit, more, Quoted, quote, tool } from './tool.js'

export const listInbound = tool({
  name: 'list_inbound',
  title: 'What arrives when, by SKU',
  description:
    'Order lines that are still to come, soonest first: how many pieces, when, with which shipment, and how late against the desired date.',
  input: closed(
    {},
    {
      sku: inboundFilter.sku,
      search: inboundFilter.q,
      from: inboundFilter.from,
      to: inboundFilter.to,
      late_only: Type.Boolean({ description: 'Only what is later than desired.' }),
      limit,
    },
  ),
  output: closed({
    lines: Type.Array(
      closed(
        { sku: Type.String(), reference: Identifier, quantity: Type.Number(), date_status: Type.String() },
        {
          name: Quoted,
          expected_date: Type.String(),
          desired_delivery_date: Type.String(),
          days_late: Type.Integer(),
          svc_shipment_id: Identifier,
          vessel: Quoted,
        },
      ),
    ),
    pieces: Type.Number({ description: 'The sum of the quantities that were returned.' }),
    more,
  }),
  async run(waybill, { sku, search, from, to, late_only, limit: most = 10 }) {
    const filter = known({ sku, q: search, from, to, late: late_only ? ('true' as const) : undefined })
    const { data } = await waybill.listInbound({ query: { ...filter, take: most + 1 } })
    const lines = data.slice(0, most)
    return {
      lines: lines.map((line) =>
        known({
          sku: line.sku,
          name: line.name === undefined ? undefined : quote(line.name),
          reference: line.reference,
          quantity: line.quantity,
          date_status: line.date_status,
          expected_date: line.expected_date,
          desired_delivery_date: line.desired_delivery_date,
          days_late: line.days_late,
          svc_shipment_id: line.svc_shipment_id,
          vessel: line.vessel === undefined ? undefined : quote(line.vessel),
        }),
      ),
      pieces: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      more: data.length > most,
    }
  },
})

const { reference, product_lines, supplier_id, desired_delivery_date, desired_ex_factory_date } =
  PurchaseOrderCreate.properties

export const createOrder = tool({
  name: 'create_order',
  title: 'Create a purchase order',
  description:
    'Creates a purchase order, after a person has agreed. Needs a key that may write. The reference must be new.',
  input: closed({ reference, product_lines }, { supplier_id, desired_delivery_date, desired_ex_factory_date }),
  output: closed({ reference: Identifier }),
  asks({ reference: name, product_lines: lines, desired_delivery_date: wanted }) {
    const listed = lines.slice(0, 10).map(({ ordered_quantity, product }) => `${ordered_quantity} × ${product.sku}`)
    const others = lines.length > 10 ? ` and ${lines.length - 10} more lines` : ''
    const until = wanted === undefined ? '' : `, to be delivered by ${wanted}`
    return `Create the purchase order ${name} with ${listed.join(', ')}${others}${until}?`
  },
  async run(waybill, body) {
    const { data } = await waybill.createPurchaseOrder({ body })
    return data
  },
})
