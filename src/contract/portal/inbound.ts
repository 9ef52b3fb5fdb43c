import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { InboundLine, inboundFilter, OrderArrivals } from '../public/inbound.js'
import { SimpleDate } from '../public/shared-types.js'
import { closed, named, oneOf } from '../schema.js'

/** What arrives when, as people see it: with sums by week. */

export const InboundSearch = closed({}, { ...inboundFilter, skip, take: take(200, { default: 100 }) })
export const InboundExport = closed({ format: oneOf(['csv', 'xlsx']) }, inboundFilter)

const count = Type.Integer({ minimum: 0 })
const InboundWeek = named(
  'InboundWeek',
  { quantity: Type.Number(), late_quantity: Type.Number(), lines: count },
  { week: Object.assign({ ...SimpleDate }, { description: 'Its Monday. Absent for what has no date.' }) },
)

export const InboundPage = named('InboundPage', {
  lines: Type.Array(InboundLine),
  count,
  late: Type.Integer({ minimum: 0, description: 'How many of all lines are late.' }),
  unassigned: Type.Integer({ minimum: 0, description: 'How many of all lines are not assigned to a shipment.' }),
  weeks: Type.Array(InboundWeek, { description: 'Sums of all lines by week.' }),
})
export type InboundPage = Static<typeof InboundPage>

const { reference, expected_date, date_status, days_late } = OrderArrivals.properties

/** When an order arrives: the last of its lines. */
export const OrderArrival = named('OrderArrival', { reference, date_status }, { expected_date, days_late })
export type OrderArrival = Static<typeof OrderArrival>
