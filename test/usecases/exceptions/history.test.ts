import { expect, test } from 'vitest'
import { notifyRound } from '../../../src/usecases/notifications/run-notifications.js'
import { type Line, line, newAccount, type TestAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

/** What was wrong before it was known here, and what is wrong from the beginning. */

const service = await startService({ db: await ownDatabase('exception_history') })
const { ops } = await newOperator(service)

const order = (reference: string) => ({
  reference,
  desired_ex_factory_date: '2026-01-31',
  product_lines: [line({ reference: '1' })],
})

async function titlesOf(account: TestAccount, kind: 'order_at_risk' | 'late') {
  const { body } = await account.call('listExceptions', { query: { kind } })
  return Object.fromEntries(body.map((each) => [each.po_number ?? each.svc_shipment_id, each.from_history ?? false]))
}

async function exceptionEvents(account: TestAccount) {
  const { body } = await account.call('listEvents', { query: { limit: 1000 } })
  return body.events.filter(({ object }) => object.kind === 'exception').map(({ type }) => type)
}

test('what is ordered in the first second of an account is raised, before anything was evaluated', async () => {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: order('FIRST') })
  await evaluate(service, account.id)
  expect(await titlesOf(account, 'order_at_risk')).toEqual({ FIRST: false })
  expect(await exceptionEvents(account)).toEqual(['exception.raised'])
})

test('what is there when an account from before exceptions is first evaluated raises nothing', async () => {
  const account = await newAccount(service)
  await service.db`delete from exception_state where account_id = ${account.id}`
  await account.call('createPurchaseOrder', { body: order('THERE BEFORE') })
  await evaluate(service, account.id)
  expect(await titlesOf(account, 'order_at_risk')).toEqual({ 'THERE BEFORE': true })
  expect(await exceptionEvents(account)).toEqual(['exception.updated'])
})

test('an import raises nothing: its exceptions are listed, and are no news; those of a new order are', async () => {
  const account = await newAccount(service)
  const kim = await newPerson(service, account)
  const body = { scope: 'all', exceptions: ['order_at_risk'], changes: [], delivery: 'portal' } as const
  await kim.portal('createSubscription', { body: { ...body, exceptions: [...body.exceptions], changes: [] } })
  const notified = async () => {
    while (await notifyRound(service.db, Date.now(), { mail: undefined })) continue
    return (await kim.portal('listNotifications', { query: { take: 100 } })).body.notifications.map(
      ({ title }) => title,
    )
  }
  await account.forwarder.imports({ kind: 'purchase_order', data: order('IMPORTED') })
  await evaluate(service, account.id)
  expect(await titlesOf(account, 'order_at_risk')).toEqual({ IMPORTED: true })
  expect(await exceptionEvents(account)).toEqual(['exception.updated'])
  expect(await notified()).toEqual([])

  await account.call('createPurchaseOrder', { body: order('ORDERED') })
  await evaluate(service, account.id)
  expect(await titlesOf(account, 'order_at_risk')).toMatchObject({ ORDERED: false })
  expect((await exceptionEvents(account)).at(-1)).toBe('exception.raised')
  expect(await notified()).toEqual(['ORDERED'])
})

test('what gets worse after an import is no history any more', async () => {
  const account = await newAccount(service)
  const kim = await newPerson(service, account)
  await kim.portal('createSubscription', {
    body: { scope: 'all', exceptions: ['late'], changes: [], delivery: 'portal' },
  })
  await account.forwarder.imports({
    kind: 'shipment',
    data: { svc_shipment_id: 'S', status: 'in_progress', desired_delivery_date: '2026-03-01' },
  })
  await evaluate(service, account.id, '2026-03-03T00:00:00Z')
  expect(await titlesOf(account, 'late')).toEqual({ S: true })
  expect(await exceptionEvents(account)).toEqual(['exception.updated'])
  await evaluate(service, account.id, '2026-03-09T00:00:00Z')
  expect(await titlesOf(account, 'late')).toEqual({ S: false })
  expect(await exceptionEvents(account)).toEqual(['exception.updated', 'exception.updated'])
  while (await notifyRound(service.db, Date.now(), { mail: undefined })) continue
  const { body } = await kim.portal('listNotifications', { query: { take: 10 } })
  expect(body.notifications).toMatchObject([{ exception: { kind: 'late', severity: 'critical', stage: 'worse' } }])
})

test('a container that a finished shipment has not returned costs, unless it was finished when it came', async () => {
  const account = await newAccount(service)
  const number = 'MSKU1234565'
  await ops('setFreeTimeTerm', undefined, {
    params: { term_id: 'detention' },
    body: {
      account: account.slug,
      direction: 'import',
      clock: 'detention',
      free: 3,
      unit: 'calendar_days',
      start_event: 'GATE_OUT',
      start_rule: 'next_day',
      stop_event: 'EMPTY_IN',
      after_free: 'calendar',
      tiers: [{ from_day: 1, amount: 50, currency: 'EUR' }],
    },
  })
  const shipment = (svc_shipment_id: string, status: 'in_progress' | 'finished'): Line => ({
    kind: 'shipment',
    data: { svc_shipment_id, status, freight_mode: 'ocean', cargo: { containers: [{ container_number: number }] } },
  })
  const events = [
    { id: 'd', code: 'DISCHARGED', date: '2026-03-06T10:00:00+01:00', status: 'actual', container_number: number },
    { id: 'g', code: 'GATE_OUT', date: '2026-03-09T10:00:00+01:00', status: 'actual', container_number: number },
  ] as const
  const tracking = (svc_shipment_id: string): Line => ({
    kind: 'tracking',
    data: {
      svc_shipment_id,
      tracking_steps: [{ id: 'port', type: 'destination_port', port: { unlocode: 'NL/RTM' }, events: [...events] }],
    },
  })
  await account.forwarder.imports(
    shipment('NOW', 'in_progress'),
    tracking('NOW'),
    shipment('OLD', 'finished'),
    tracking('OLD'),
  )
  await evaluate(service, account.id, '2026-03-10T00:00:00Z')
  await account.forwarder.imports(shipment('NOW', 'finished'))
  await evaluate(service, account.id, '2026-03-15T12:00:00Z')
  const open = async () => (await account.call('listExceptions', { query: { kind: 'free_time', state: 'open' } })).body
  expect(await open()).toMatchObject([
    {
      svc_shipment_id: 'NOW',
      severity: 'critical',
      details: { clock: 'detention', day: '2026-03-12', amounts: [{ amount: 150, currency: 'EUR' }] },
      evidence: [{ event_id: 'g' }],
    },
  ])
  const clocksOf = async (svc_shipment_id: string) =>
    (await account.call('getFreeTime', { params: { svc_shipment_id } })).body.clocks.map(({ state }) => state)
  expect(await clocksOf('NOW')).toEqual(['expired'])
  expect(await clocksOf('OLD')).toEqual(['stopped'])

  await account.forwarder.imports({
    kind: 'tracking_event',
    data: {
      svc_shipment_id: 'NOW',
      event_id: 'e',
      sequence: 1,
      step: 'port',
      code: 'EMPTY_IN',
      status: 'actual',
      date: '2026-03-14T10:00:00+01:00',
      container_number: number,
    },
  })
  await evaluate(service, account.id, '2026-03-16T00:00:00Z')
  expect(await open()).toEqual([])
  expect(await clocksOf('NOW')).toEqual(['stopped'])
})
