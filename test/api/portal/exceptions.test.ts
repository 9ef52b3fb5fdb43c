import { expect, test } from 'vitest'
import { exceptionKinds, severities } from '../../../src/contract/public/exception.js'
import { evaluate } from '../../support/exceptions.js'
import { startForwarding } from '../../support/forwarder.js'
import { generatedAccount } from '../../support/generated-account.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { ops } = await newOperator(service)

test('people see the exceptions of systems, the most severe first, and the overview counts what the lists have', async () => {
  const account = await generatedAccount(service, 80, 'portal exceptions')
  await evaluate(service, account.id)
  const { ask } = await newPerson(service, account, 'viewer')
  const { body: all } = await account.call('listExceptions', { query: { state: 'open', take: 1000 } })
  expect(all.length).toBeGreaterThan(10)

  const { body: page } = await ask('findExceptions', { query: { state: 'open', take: 100 } })
  const { body: rest } = await ask('findExceptions', { query: { state: 'open', skip: 100, take: 100 } })
  const found = [...page.exceptions, ...rest.exceptions].map(({ exception }) => exception)
  const rank = ({ severity }: (typeof all)[number]) => -severities.indexOf(severity)
  expect(found).toEqual(all.toSorted((one, other) => rank(one) - rank(other)).slice(0, 200))
  expect(page.count).toEqual({ value: all.length, exact: true })
  const counts = exceptionKinds.map((kind) => ({ kind, count: all.filter((each) => each.kind === kind).length }))
  expect(page.kinds.toSorted((one, other) => (one.kind < other.kind ? -1 : 1))).toEqual(
    counts.filter(({ count }) => count > 0).toSorted((one, other) => (one.kind < other.kind ? -1 : 1)),
  )
  for (const { exception, shipment_name } of page.exceptions) {
    const { svc_shipment_id } = exception
    if (svc_shipment_id === undefined) continue
    const { body: shipment } = await account.call('getShipment', { params: { svc_shipment_id } })
    expect(shipment_name).toBe(shipment.name)
  }

  const { body: overview } = await ask('getOverview')
  const { held, free_time, missing_documents } = overview.to_do
  for (const [kind, count] of [
    ['hold', held],
    ['free_time', free_time],
    ['missing_document', missing_documents],
  ] as const) {
    const { body } = await ask('findExceptions', { query: { kind, state: 'open', take: 100 } })
    expect(body.count, kind).toEqual(count)
    expect(body.exceptions.length).toBe(Math.min(100, count.value))
  }

  const one = all.find(
    ({ kind, threatens }) => kind !== 'eta_slip' && kind !== 'order_at_risk' && threatens.length > 0,
  )!
  const params = { exception_id: one.exception_id }
  const member = await newPerson(service, account, 'member')
  await ops('actOnException', account.slug, { params, body: { action: 'assign', owner: 'Mia of import' } })
  const { body: before } = await ask('findExceptions', { query: { state: 'unacknowledged', kind: one.kind } })
  const written = await fetch(`${service.baseUrl}/v1/exceptions/${one.exception_id}/acknowledge`, {
    method: 'POST',
    headers: { ...member.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ note: 'We know' }),
  })
  expect(written.status).toBe(200)
  const { body: after } = await ask('findExceptions', { query: { state: 'unacknowledged', kind: one.kind } })
  expect(after.count.value).toBe(before.count.value - 1)
  const { po_number } = one.threatens[0]!
  const { body: ofOrder } = await ask('findExceptions', { query: { state: 'open', po_number, take: 100 } })
  expect(ofOrder.exceptions.find(({ exception }) => exception.exception_id === one.exception_id)).toMatchObject({
    owner: 'Mia of import',
    acknowledged_by: member.name,
    exception: { state: 'acknowledged', acknowledged: { note: 'We know' } },
  })
  for (const { exception } of ofOrder.exceptions) {
    expect([exception.po_number, ...exception.threatens.map((line) => line.po_number)]).toContain(po_number)
  }
  expect((await ask('findExceptions', { query: { state: 'closed' } })).body.count.value).toBe(
    (await account.call('listExceptions', { query: { state: 'closed', take: 1000 } })).body.length,
  )
})

test('the list of shipments names those that are held, until they are released', async () => {
  const account = await startForwarding(service)
  const { forwarder } = account
  const { ask } = await newPerson(service, account, 'viewer')
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const event = (sequence: number, code: 'ARRIVED' | 'CUSTOMS_HOLD' | 'CUSTOMS_RELEASED', hours: number) => ({
    kind: 'tracking_event' as const,
    data: {
      svc_shipment_id: 'S-1',
      event_id: code,
      sequence,
      step: 'port',
      code,
      status: 'actual' as const,
      date: hoursAgo(hours),
    },
  })
  for (const svc_shipment_id of ['S-1', 'S-2']) {
    await forwarder.imports({
      kind: 'shipment',
      data: { svc_shipment_id, status: 'in_progress', freight_mode: 'ocean' },
    })
  }
  const tracking_steps = [{ id: 'port', type: 'destination_port' as const, port: { unlocode: 'NL/RTM' } }]
  await forwarder.imports({ kind: 'tracking', data: { svc_shipment_id: 'S-1', tracking_steps } })
  const held = async () => {
    await evaluate(service, account.id)
    return (await ask('findShipments')).body.held
  }
  await forwarder.imports(event(1, 'ARRIVED', 9))
  expect(await held()).toEqual([])
  await forwarder.imports(event(2, 'CUSTOMS_HOLD', 8))
  expect(await held()).toEqual(['S-1'])
  await forwarder.imports(event(3, 'CUSTOMS_RELEASED', 2))
  expect(await held()).toEqual([])
})
