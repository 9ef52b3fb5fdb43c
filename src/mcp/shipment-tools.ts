import { Type } from 'typebox'
import type { Client } from '../client/client.js'
import { exceptionKinds } from '../contract/public/exception.js'
import { ShipmentId } from '../contract/public/shared-types.js'
import type { Shipment } from '../contract/public/shipment.js'
import { closed, Identifier, oneOf } from '../contract/schema.js'
import { Amount, day, found, known, limit, more, Quoted, quote, searchPages, tool } from './tool.js'

export const Day = Type.String({ description: 'A day, as 2026-03-31.' })

export const ShipmentSummary = closed(
  { svc_shipment_id: Identifier },
  {
    name: Quoted,
    status: Type.String(),
    freight_mode: Type.String(),
    from: Type.String(),
    to: Type.String(),
    arrival_date: Day,
    delivery_date: Day,
  },
)

export function summaryOf({
  svc_shipment_id,
  name,
  status,
  freight_mode,
  route,
  main_tracking_dates: dates,
}: Shipment) {
  return known({
    svc_shipment_id,
    name: name === undefined ? undefined : quote(name),
    status,
    freight_mode,
    from: route?.origin_port_unlocode,
    to: route?.destination_port_unlocode,
    arrival_date: day(dates?.arrival_date?.date),
    delivery_date: day(dates?.delivery_date?.date),
  })
}

export const getShipment = tool({
  name: 'get_shipment',
  title: 'A shipment, its dates, and why',
  description:
    'Where a shipment is, its expected and actual dates, why each date is what it is, and what needs attention about it.',
  input: closed({ svc_shipment_id: ShipmentId }),
  output: closed(
    {
      shipment: ShipmentSummary,
      containers: Type.Array(Type.String(), { description: 'At most 20.' }),
      orders: Type.Array(Identifier, { description: 'At most 20.' }),
      invoices: Type.Array(Identifier, { description: 'At most 20.' }),
      dates: Type.Array(
        closed(
          { milestone: Type.String(), why: Quoted },
          { date: Type.String(), status: Type.String(), was: Type.String() },
        ),
      ),
      attention: Type.Array(closed({ kind: Type.String(), severity: Type.String(), reason: Quoted })),
    },
    { carrier: Quoted, vessel: Quoted, desired_delivery_date: Day },
  ),
  async run(waybill, { svc_shipment_id }) {
    const params = { svc_shipment_id }
    const { data: shipment } = await waybill.getShipment({ params })
    const [explanation, exceptions] = await Promise.all([
      found(waybill.explainTracking({ params })),
      waybill.listExceptions({ query: { svc_shipment_id, state: 'open', take: 10 } }),
    ])
    const { carrier, ocean_booking } = shipment.booking_information ?? {}
    return known({
      shipment: summaryOf(shipment),
      carrier: carrier === undefined ? undefined : quote(carrier),
      vessel: ocean_booking?.vessel === undefined ? undefined : quote(ocean_booking.vessel),
      desired_delivery_date: shipment.desired_delivery_date,
      containers: (shipment.cargo?.containers ?? [])
        .flatMap(({ container_number }) => container_number ?? [])
        .slice(0, 20),
      orders: (shipment.purchase_order_references ?? []).slice(0, 20),
      invoices: (shipment.invoice_references ?? []).slice(0, 20),
      dates: (explanation?.milestones ?? []).map(({ milestone, sentence, date, moved_from }) =>
        known({ milestone, date: date?.date, status: date?.status, was: moved_from, why: quote(sentence) }),
      ),
      attention: exceptions.data.map(({ kind, severity, reason }) => ({ kind, severity, reason: quote(reason) })),
    })
  },
})

const ofDelays = new Set<string>([
  'late',
  'eta_slip',
  'milestone_overdue',
  'rolled',
  'missed_connection',
  'order_at_risk',
])

export const listLate = tool({
  name: 'list_late',
  title: 'What is late, and what it threatens',
  description:
    'Open exceptions about delays, the most recent first, with the order lines that each threatens, and the order lines that are most late. With `kind`, exceptions of one other kind, such as hold, free_time or missing_document.',
  input: closed(
    {},
    { kind: oneOf(exceptionKinds, { description: 'Only these; all about delays if it is omitted.' }), limit },
  ),
  output: closed({
    late: Type.Array(
      closed(
        {
          kind: Type.String(),
          severity: Type.String(),
          reason: Quoted,
          since: Type.String(),
          threatens: Type.Array(
            closed(
              { po_number: Identifier, quantity: Type.Number() },
              { sku: Type.String(), desired_date: Day, expected_date: Day, days_late: Type.Integer() },
            ),
            { description: 'Order lines; at most 5.' },
          ),
          threatened_lines: Type.Integer({ description: 'How many order lines it threatens altogether.' }),
        },
        { svc_shipment_id: Identifier, po_number: Identifier },
      ),
    ),
    latest_order_lines: Type.Array(
      closed(
        { sku: Type.String(), reference: Identifier, quantity: Type.Number() },
        { expected_date: Day, days_late: Type.Integer() },
      ),
    ),
    more,
  }),
  async run(waybill, { kind, limit: most = 10 }) {
    const [data, lines] = await Promise.all([
      searchPages((page) => waybill.listExceptions({ query: { state: 'open', ...page, ...(kind && { kind }) } })),
      waybill.listInbound({ query: { late: 'true', sort: 'late', take: 5 } }),
    ])
    const wanted = kind ? data : data.filter((each) => ofDelays.has(each.kind))
    return {
      late: wanted.slice(0, most).map((each) =>
        known({
          kind: each.kind,
          severity: each.severity,
          reason: quote(each.reason),
          since: each.since,
          svc_shipment_id: each.svc_shipment_id,
          po_number: each.po_number,
          threatens: each.threatens
            .slice(0, 5)
            .map(({ po_number, quantity, sku, desired_date, expected_date, days_late }) =>
              known({ po_number, quantity, sku, desired_date, expected_date: day(expected_date), days_late }),
            ),
          threatened_lines: each.threatens.length + (each.more_threatened ?? 0),
        }),
      ),
      latest_order_lines: lines.data.map(({ sku, reference, quantity, expected_date, days_late }) =>
        known({ sku, reference, quantity, expected_date, days_late }),
      ),
      more: wanted.length > most,
    }
  },
})

export const Clock = closed(
  { direction: Type.String(), clock: Type.String(), state: Type.String(), why: Type.Array(Quoted) },
  {
    container_number: Type.String(),
    port: Type.String(),
    last_free_day: Day,
    days_left: Type.Integer(),
    days_over: Type.Integer(),
    cost_so_far: Amount,
    each_further_day: Amount,
  },
)

/** The clocks of a shipment, those that cost money first. */
export async function clocksOf(waybill: Client, svc_shipment_id: string) {
  const { data } = await waybill.getFreeTime({ params: { svc_shipment_id } })
  return data.clocks
    .toSorted((one, other) => (other.cost?.amount ?? 0) - (one.cost?.amount ?? 0))
    .map((clock) =>
      known({
        container_number: clock.container_number,
        port: clock.port,
        direction: clock.direction,
        clock: clock.clock,
        state: clock.state,
        last_free_day: clock.last_free_day,
        days_left: clock.days_left,
        days_over: clock.days_over,
        cost_so_far: clock.cost ? { amount: clock.cost.amount, currency: clock.cost.currency } : undefined,
        each_further_day: clock.each_further_day ?? undefined,
        why: clock.why.slice(0, 5).map(quote),
      }),
    )
}

export const getFreeTime = tool({
  name: 'get_free_time',
  title: 'Free time of containers',
  description:
    'Until when the containers of a shipment can be kept without demurrage, detention or storage, and what it costs after that.',
  input: closed({ svc_shipment_id: ShipmentId }),
  output: closed({ clocks: Type.Array(Clock, { description: 'At most 20, the most expensive first.' }), more }),
  async run(waybill, { svc_shipment_id }) {
    const clocks = await clocksOf(waybill, svc_shipment_id)
    return { clocks: clocks.slice(0, 20), more: clocks.length > 20 }
  },
})
