import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { InboundLine, inboundFilter, OrderArrivals } from '../public/inbound.js'
import { SimpleDate } from '../public/shared-types.js'
import { closed, explained, named, oneOf } from '../schema.js'

/** What arrives when, as people see it: with sums by week. */

export const inboundGroups = ['sku', 'location'] as const
const group = explained(inboundGroups, 'Adds sums by product or by place, each by week.', {
  sku: 'By SKU.',
  location: 'By location, or port.',
})

export const InboundSearch = closed({}, { ...inboundFilter, group, skip, take: take(200, { default: 100 }) })
export const InboundExport = closed({ format: oneOf(['csv', 'xlsx']) }, { ...inboundFilter, group })

const count = Type.Integer({ minimum: 0 })
const InboundWeek = named(
  'InboundWeek',
  { quantity: Type.Number(), late_quantity: Type.Number(), lines: count },
  { week: Object.assign({ ...SimpleDate }, { description: 'Its Monday. Absent for what has no date.' }) },
)

const InboundGroup = named(
  'InboundGroup',
  {
    quantity: Type.Number(),
    late_quantity: Type.Number(),
    lines: count,
    weeks: Type.Array(InboundWeek, { description: 'The same by week.' }),
  },
  {
    key: Type.String({ description: 'The SKU, location or port. Absent where it is not known.' }),
    name: Type.String({ description: 'The product.' }),
  },
)
export type InboundGroup = Static<typeof InboundGroup>

export const InboundPage = named(
  'InboundPage',
  {
    lines: Type.Array(InboundLine),
    count,
    late: Type.Integer({ minimum: 0, description: 'How many of all lines are late.' }),
    unassigned: Type.Integer({ minimum: 0, description: 'How many of all lines are not assigned to a shipment.' }),
    weeks: Type.Array(InboundWeek, { description: 'Sums of all lines by week.' }),
  },
  { groups: Type.Array(InboundGroup, { description: 'With `group`, the first 1,000, in the order of `sort`.' }) },
)
export type InboundPage = Static<typeof InboundPage>

const { reference, expected_date, date_status, days_late } = OrderArrivals.properties

/** When an order arrives: the last of its lines. */
export const OrderArrival = named(
  'OrderArrival',
  { reference, date_status },
  { expected_date, days_late, cancelled: Type.Boolean({ description: 'Whether the order is cancelled.' }) },
)
export type OrderArrival = Static<typeof OrderArrival>
