import fc from 'fast-check'
import type { TestAccount } from './account.js'
import { line } from './account.js'
import type { TestOperator } from './operator.js'

/** Random actions of operators and a customer on one account, with few identifiers, so that actions collide. */

export type Actors = { account: TestAccount; operator: TestOperator }
export type Action = { name: string; run(actors: Actors): Promise<{ status: number }> }

const shipments = fc.constantFrom('S-1', 'S-2', 'S-3')
const orders = fc.constantFrom('P-1', 'P/2')
const lines = fc.constantFrom('1', '2')
const locations = fc.constantFrom(1, 2)
const steps = fc.constantFrom('pol', 'pod', 'door')
const invoices = fc.constantFrom('I-1', 'I-2')
const quantity = fc.constantFrom(0.1, 0.2, 1, 2.5, 4, 7, 11)
const moments = fc.constantFrom('2026-03-01T08:00:00+08:00', '2026-03-09T22:30:00Z', '2026-04-02T06:00:00-05:00')
const statuses = fc.constantFrom(
  'draft',
  'booking_request',
  'awaiting_booking',
  'booked',
  'in_progress',
  'finished',
  'cancelled',
)
const reason = 'because'

function action<Values>(
  name: string,
  values: fc.Arbitrary<Values>,
  run: (actors: Actors, given: Values) => Promise<{ status: number }>,
) {
  return values.map(
    (given): Action => ({ name: `${name} ${JSON.stringify(given)}`, run: (actors) => run(actors, given) }),
  )
}

const createShipment = action(
  'createShipment',
  fc.record({ id: shipments, status: fc.constantFrom('draft', 'booked'), weight: fc.constantFrom(undefined, 10, 12) }),
  ({ account, operator }, { id, status, weight }) =>
    operator.ops('createShipment', account.slug, {
      body: {
        svc_shipment_id: id,
        status: status,
        cargo: {
          containers: [{ container_number: 'MSCU1234566' }],
          loads: [{ count: 2, type: 'pallet', weight: { value: 6, unit: 'kg' } }],
          ...(weight !== undefined && { total_weight: { value: weight, unit: 'kg' } }),
        },
      },
    }),
)
const patchShipment = action(
  'updateShipment',
  fc.record({
    id: shipments,
    patch: fc.constantFrom<object>(
      { name: 'renamed' },
      { name: null },
      { cargo: { loads: [{ count: 3, weight: { value: 5, unit: 'lbs' } }] } },
      { cargo: { total_weight: null } },
      { cargo: { containers: [{ container_number: 'MSCU1234566' }, { container_number: 'CSQU3054383' }] } },
      { cargo: { containers: [{ container_number: 'MSCU1234566' }] } },
      { route: { pickup_location_id: '1' } },
      { incoterm: 'fob', route: null },
      { incoterm: 'nonsense' },
    ),
  }),
  ({ account, operator }, { id, patch }) =>
    operator.ops('updateShipment', account.slug, {
      params: { svc_shipment_id: id },
      body: patch as Record<string, unknown>,
    }),
)
const moveShipment = action(
  'moveShipment',
  fc.record({ id: shipments, status: statuses, correction: fc.boolean() }),
  ({ account, operator }, { id, status, correction }) =>
    operator.ops('moveShipment', account.slug, {
      params: { svc_shipment_id: id },
      body: { status: status as 'draft', reason, correction },
    }),
)
const createLocation = action('createLocation', locations, ({ account, operator }, id) =>
  operator.ops('createLocation', account.slug, { body: { id, name: `Place ${id}`, zip_code: '01234' } }),
)
const retireLocation = action(
  'updateLocation',
  fc.record({ id: locations, retired: fc.boolean() }),
  ({ account, operator }, { id, retired }) =>
    operator.ops('updateLocation', account.slug, { params: { id: String(id) }, body: { retired } }),
)
const orderBody = (reference: string, ordered_quantity: number) => ({
  reference,
  product_lines: [line({ reference: '1', ordered_quantity }), line({ reference: '2', ordered_quantity: 3 })],
})
const createOrder = action('createPurchaseOrder', fc.record({ orders, quantity }), ({ account }, given) =>
  account.call('createPurchaseOrder', { body: orderBody(given.orders, given.quantity) }),
)
const updateOrder = action('updatePurchaseOrder', fc.record({ orders, quantity }), ({ account }, given) =>
  account.call('updatePurchaseOrder', { body: orderBody(given.orders, given.quantity) }),
)
const assign = action(
  'assign',
  fc.record({ reference: orders, line: lines, svc_shipment_id: shipments, quantity }),
  ({ account, operator }, { quantity: assigned_quantity, ...params }) =>
    operator.ops('assign', account.slug, { params, body: { assigned_quantity } }),
)
const pack = action(
  'pack',
  fc.record({ reference: orders, line: lines, svc_shipment_id: shipments, quantity }),
  ({ account, operator }, { quantity: shipped_quantity, ...params }) =>
    operator.ops('pack', account.slug, {
      params,
      body: { shipped_order_lines: [{ container_number: 'MSCU1234566', shipped_quantity }] },
    }),
)
const unassign = action(
  'unassign',
  fc.record({ reference: orders, line: lines, svc_shipment_id: shipments }),
  ({ account, operator }, params) => operator.ops('unassign', account.slug, { params, query: { reason } }),
)
const plan = action(
  'planTracking',
  fc.record({ id: shipments, some: fc.subarray(['pol', 'pod', 'door'], { minLength: 1 }) }),
  ({ account, operator }, { id, some }) => {
    const all = {
      pol: { id: 'pol', type: 'origin_port' as const, port: { unlocode: 'CN/SHA' } },
      pod: { id: 'pod', type: 'destination_port' as const },
      door: { id: 'door', type: 'delivery' as const },
    }
    const wanted = some.map((step) => all[step as keyof typeof all])
    return operator.ops('planTracking', account.slug, { params: { svc_shipment_id: id }, body: { steps: wanted } })
  },
)
const words = fc.record({
  container_number: fc.constantFrom('MSCU1234566', 'CSQU3054383', undefined),
  description: fc.constantFrom('Vessel departed', 'Vessel arrived', 'Delivered', 'Gate in'),
  date: moments,
  status: fc.constantFrom('planned', 'estimated', 'actual', 'problem'),
})
const addEvent = action(
  'addEvent',
  fc.record({ id: shipments, step: steps, event_id: fc.constantFrom('e1', 'e2', 'e3'), words }),
  ({ account, operator }, { id, step, event_id, words: event }) =>
    operator.ops('addEvent', account.slug, {
      params: { svc_shipment_id: id },
      body: { step, event_id, ...(event as { description: string; date: string; status: 'actual' }) },
    }),
)
const correctEvent = action(
  'correctEvent',
  fc.record({ id: shipments, step: steps, event_id: fc.constantFrom('e1', 'e2', 'pol.1'), words }),
  ({ account, operator }, { id, step, event_id, words: event }) =>
    operator.ops('correctEvent', account.slug, {
      params: { svc_shipment_id: id, event_id },
      body: { step, reason, ...(event as { description: string; date: string; status: 'actual' }) },
    }),
)
const retractEvent = action(
  'retractEvent',
  fc.record({ id: shipments, event_id: fc.constantFrom('e1', 'e2', 'pol.1') }),
  ({ account, operator }, { id, event_id }) =>
    operator.ops('retractEvent', account.slug, { params: { svc_shipment_id: id, event_id }, query: { reason } }),
)
const addPosition = action('addPosition', shipments, ({ account, operator }, id) =>
  operator.ops('addPosition', account.slug, {
    params: { svc_shipment_id: id },
    body: { latitude: 1.5, longitude: -20 },
  }),
)
const price = (amount: number) => ({ amount, currency: 'EUR' as const })
const draft = action(
  'draftInvoice',
  fc.record({ reference: invoices, id: shipments }),
  ({ account, operator }, { reference, id }) =>
    operator.ops('draftInvoice', account.slug, {
      body: { reference, svc_shipment_id: id, lines: [{ description: 'Freight', price: price(10), vatRate: 20 }] },
    }),
)
const issue = action('issueInvoice', fc.constantFrom('I-1', 'I-2', 'C-1'), ({ account, operator }, reference) =>
  operator.ops('issueInvoice', account.slug, { params: { reference }, body: {} }),
)
const moveInvoice = action(
  'moveInvoice',
  fc.record({
    reference: invoices,
    status: fc.constantFrom('available', 'due', 'in_modification', 'litigious', 'write_off'),
  }),
  ({ account, operator }, { reference, status }) =>
    operator.ops('moveInvoice', account.slug, { params: { reference }, body: { status: status as 'due' } }),
)
const pay = action(
  'recordPayment',
  fc.record({ reference: invoices, amount: fc.constantFrom(2, 5, 12) }),
  ({ account, operator }, { reference, amount }) =>
    operator.ops('recordPayment', account.slug, {
      params: { reference },
      body: { ...price(amount), paid_on: '2026-05-01' },
    }),
)
const credit = action(
  'draftCreditNote',
  fc.record({ reference: invoices, amount: fc.constantFrom(3, 12) }),
  ({ account, operator }, { reference, amount }) =>
    operator.ops('draftCreditNote', account.slug, {
      params: { reference },
      body: { reference: 'C-1', lines: [{ description: 'Credit', price: price(amount) }] },
    }),
)
const imports = action('import', shipments, async ({ account }, id) => {
  const { outcome } = await account.forwarder.triesToImport({
    kind: 'tracking',
    data: {
      svc_shipment_id: id,
      tracking_steps: [
        {
          id: 'pol',
          type: 'origin_port',
          events: [{ description: 'Departed', date: '2026-03-02T00:00:00Z', status: 'actual' }],
        },
      ],
    },
  })
  return { status: outcome.kept ? 200 : 400 }
})

/** Sequences that start by creating some data. */
export const actionSequences = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: createShipment },
      { weight: 3, arbitrary: patchShipment },
      { weight: 3, arbitrary: moveShipment },
      { weight: 1, arbitrary: createLocation },
      { weight: 1, arbitrary: retireLocation },
      { weight: 2, arbitrary: createOrder },
      { weight: 2, arbitrary: updateOrder },
      { weight: 4, arbitrary: assign },
      { weight: 2, arbitrary: pack },
      { weight: 2, arbitrary: unassign },
      { weight: 3, arbitrary: plan },
      { weight: 4, arbitrary: addEvent },
      { weight: 2, arbitrary: correctEvent },
      { weight: 2, arbitrary: retractEvent },
      { weight: 1, arbitrary: addPosition },
      { weight: 2, arbitrary: draft },
      { weight: 3, arbitrary: issue },
      { weight: 2, arbitrary: moveInvoice },
      { weight: 2, arbitrary: pay },
      { weight: 2, arbitrary: credit },
      { weight: 1, arbitrary: imports },
    ),
    { minLength: 1, maxLength: 40, size: 'max' },
  )
  .map((rest) => [...beginning, ...rest])

const beginning: Action[] = [
  ...['S-1', 'S-2'].map((id) => ({
    name: `create ${id}`,
    run: ({ account, operator }: Actors) =>
      operator.ops('createShipment', account.slug, {
        body: { svc_shipment_id: id, cargo: { containers: [{ container_number: 'MSCU1234566' }] } },
      }),
  })),
  { name: 'create P-1', run: ({ account }) => account.call('createPurchaseOrder', { body: orderBody('P-1', 7) }) },
]
