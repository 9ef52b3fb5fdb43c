import { expect, test } from 'vitest'
import type { Line } from '../../support/account.js'
import { line, newAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { ops } = await newOperator(service)

const steps = [
  { id: 'origin', type: 'origin_port' as const, port: { unlocode: 'CN/NGB' } },
  { id: 'destination', type: 'destination_port' as const, port: { unlocode: 'DE/HAM' } },
  { id: 'door', type: 'delivery' as const },
]
type EventData = Extract<Line, { kind: 'tracking_event' }>['data']
let sequence = 0

function event(given: Partial<EventData> & Pick<EventData, 'event_id' | 'step'>): Line {
  sequence += 1
  return { kind: 'tracking_event', data: { svc_shipment_id: 'S1', sequence, ...given } }
}

const departed = event({
  event_id: 'dep',
  step: 'origin',
  code: 'DEPARTED',
  status: 'actual',
  date: '2026-03-02T08:00:00+08:00',
})
function eta(date: string, issued_at: string): Line {
  return event({
    event_id: `eta-${issued_at}`,
    step: 'destination',
    code: 'ARRIVED',
    status: 'estimated',
    date,
    issued_at,
  })
}

/** An ocean shipment that is to arrive on 1 April, with an order line on it. */
async function aShipment() {
  const account = await newAccount(service)
  await account.forwarder.imports(
    {
      kind: 'shipment',
      data: {
        svc_shipment_id: 'S1',
        status: 'in_progress',
        freight_mode: 'ocean',
        freight_type: 'door_to_port',
        desired_delivery_date: '2026-04-03',
      },
    },
    { kind: 'tracking', data: { svc_shipment_id: 'S1', tracking_steps: steps } },
    {
      kind: 'purchase_order',
      data: {
        reference: 'PO1',
        desired_delivery_date: '2026-04-02',
        product_lines: [line({ reference: '10', sku: 'LAMP', ordered_quantity: 8 })],
      },
    },
    { kind: 'assignment', data: { reference: 'PO1', line: '10', svc_shipment_id: 'S1', assigned_quantity: 8 } },
    departed,
    eta('2026-04-01T10:00:00+02:00', '2026-03-03T00:00:00Z'),
  )
  await evaluate(service, account.id, '2026-03-04T00:00:00Z')
  return account
}

type Account = Awaited<ReturnType<typeof aShipment>>

async function openKinds({ call }: Account, state: 'open' | 'closed' = 'open') {
  const { body } = await call('listExceptions', { query: { state } })
  return body.map(({ kind }) => kind).toSorted()
}

test('a shipment that comes later is late, has slipped, and threatens its order', async () => {
  const account = await aShipment()
  expect(await openKinds(account)).toEqual(['missing_document', 'missing_document'])
  await account.forwarder.imports(eta('2026-04-09T10:00:00+02:00', '2026-03-05T00:00:00Z'))
  await evaluate(service, account.id, '2026-03-05T01:00:00Z')
  expect(await openKinds(account)).toEqual([
    'eta_slip',
    'late',
    'missing_document',
    'missing_document',
    'missing_document',
    'order_at_risk',
  ])
  const { body } = await account.call('listExceptions', { query: { kind: 'late' } })
  expect(body).toMatchObject([
    {
      severity: 'critical',
      state: 'open',
      episode: 1,
      reason: 'Expected on 2026-04-09, 6 days after the desired 2026-04-03.',
      raised_at: '2026-03-05T01:00:00.000Z',
      threatens: [{ po_number: 'PO1', line: '10', sku: 'LAMP', quantity: 8, desired_date: '2026-04-02', days_late: 7 }],
      evidence: [{ event_id: 'eta-2026-03-05T00:00:00Z', code: 'ARRIVED' }],
    },
  ])
  const atRisk = await account.call('listExceptions', { query: { kind: 'order_at_risk' } })
  expect(atRisk.body).toMatchObject([{ evidence: [{ event_id: 'eta-2026-03-05T00:00:00Z', code: 'ARRIVED' }] }])
  expect(body[0]).not.toHaveProperty('from_history')
})

test('dates that are acknowledged are the ones from which a slip is measured', async () => {
  const account = await aShipment()
  const { slug, call, forwarder } = account
  await forwarder.imports(eta('2026-04-02T09:00:00+02:00', '2026-03-05T00:00:00Z'))
  await evaluate(service, account.id, '2026-03-05T01:00:00Z')
  expect(await openKinds(account)).not.toContain('eta_slip')
  await forwarder.imports(eta('2026-04-02T10:00:00+02:00', '2026-03-06T00:00:00Z'))
  await evaluate(service, account.id, '2026-03-06T01:00:00Z')
  const [slip] = (await call('listExceptions', { query: { kind: 'eta_slip', state: 'open' } })).body
  expect(slip).toMatchObject({ details: { milestone: 'arrival_date', hours: 24 }, severity: 'warning' })
  // It stays while it is more than half of that.
  await forwarder.imports(eta('2026-04-01T22:00:00+02:00', '2026-03-07T00:00:00Z'))
  await evaluate(service, account.id, '2026-03-07T01:00:00Z')
  expect(await openKinds(account)).toContain('eta_slip')
  const params = { exception_id: slip?.exception_id ?? '' }
  const acknowledged = await call('acknowledgeException', { params, body: { note: 'Fine.' } })
  expect(acknowledged.body).toMatchObject({
    state: 'closed',
    closed: { how: 'acknowledged', by: `key:${account.key_id}` },
  })
  expect(await call('acknowledgeException', { params, body: {} })).toBeRefused('exception_closed')
  await evaluate(service, account.id, '2026-03-07T02:00:00Z')
  expect(await openKinds(account)).not.toContain('eta_slip')
  // 24 hours after the first date, but 12 after the acknowledged one.
  await forwarder.imports(eta('2026-04-02T10:00:00+02:00', '2026-03-08T00:00:00Z'))
  await evaluate(service, account.id, '2026-03-08T01:00:00Z')
  expect(await openKinds(account)).not.toContain('eta_slip')
  await forwarder.imports(eta('2026-04-02T22:00:00+02:00', '2026-03-09T00:00:00Z'))
  await evaluate(service, account.id, '2026-03-09T01:00:00Z')
  const [again] = (await call('listExceptions', { query: { kind: 'eta_slip', state: 'open' } })).body
  expect(again).toMatchObject({ thread: slip?.thread, episode: 2, details: { hours: 24 } })
  const { body: history } = await ops('getHistory', slug, {
    params: { kind: 'exception', id: params.exception_id },
  })
  expect(history.map(({ what, recorded_by }) => [what, recorded_by])).toEqual([
    ['updated', `key:${account.key_id}`],
    ['updated', 'waybill'],
    ['created', 'waybill'],
  ])
})
