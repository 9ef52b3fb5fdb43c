import { expect, test } from 'vitest'
import { type Line, line, newAccount, type TestAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { startService } from '../../support/service.js'

const service = await startService({ db: await ownDatabase('exceptions') })
const { ops, operator_id } = await newOperator(service)

const later = '2999-01-01T00:00:00Z'

function order(reference: string, ordered_quantity = 10): Line {
  return {
    kind: 'purchase_order',
    data: {
      reference,
      desired_ex_factory_date: '2026-01-02',
      product_lines: [line({ reference: '1', ordered_quantity })],
    },
  }
}

/** An account with an exception for each of its orders. */
async function anAccount(...orders: string[]) {
  const account = await newAccount(service)
  await evaluate(service, account.id, '2026-01-03T00:00:00Z')
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S1', status: 'booked' } })
  for (const [index, reference] of orders.entries()) {
    await account.forwarder.imports(order(reference))
    await evaluate(service, account.id, `2026-01-06T00:00:0${index}Z`)
  }
  return account
}

async function exceptionsOf({ slug }: TestAccount, query: { state?: 'open' | 'closed'; as_of?: string } = {}) {
  return (await ops('listAccountExceptions', slug, { query })).body.map(({ record }) => record)
}

async function assigns({ forwarder }: TestAccount, reference: string, assigned_quantity: number): Promise<void> {
  await forwarder.imports({
    kind: 'assignment',
    data: { reference, line: '1', svc_shipment_id: 'S1', assigned_quantity },
  })
}

test('what a person closed stays closed while it is so, and comes back as a new episode', async () => {
  const account = await anAccount('A')
  const [raised] = await exceptionsOf(account)
  expect(raised).toMatchObject({ kind: 'order_at_risk', topic: 'unassigned', state: 'open', details: { quantity: 10 } })
  const params = { exception_id: raised?.exception_id ?? '' }
  expect(await ops('actOnException', account.slug, { params, body: { action: 'close' } })).toBeRefused(
    'invalid_request',
  )
  expect(await ops('actOnException', account.slug, { params, body: { action: 'waive', reason: 'r' } })).toBeRefused(
    'exception_not_waivable',
  )
  const before = new Date().toISOString()
  const closing = { action: 'close', reason: 'Ordered by mistake', note: 'Asked the customer' } as const
  const { body } = await ops('actOnException', account.slug, { params, body: closing })
  expect(body.record).toMatchObject({
    state: 'closed',
    closed: { how: 'closed', by: `operator:${operator_id}`, reason: 'Ordered by mistake' },
    notes: [{ text: 'Asked the customer' }],
  })
  expect((await account.call('getException', { params })).body.closed?.by).toBe('forwarder')
  expect(await ops('actOnException', account.slug, { params, body: { action: 'acknowledge' } })).toBeRefused(
    'exception_closed',
  )
  await assigns(account, 'A', 4)
  await evaluate(service, account.id, '2026-01-07T00:00:00Z')
  expect(await exceptionsOf(account, { state: 'open' })).toEqual([])
  await assigns(account, 'A', 10)
  await evaluate(service, account.id, '2026-01-08T00:00:00Z')
  await assigns(account, 'A', 9)
  await evaluate(service, account.id, '2026-01-09T00:00:00Z')
  expect(await exceptionsOf(account, { state: 'open' })).toMatchObject([{ thread: raised?.thread, episode: 2 }])
  expect(await exceptionsOf(account, { as_of: before })).toMatchObject([{ episode: 1, state: 'open' }])
  expect((await account.call('listExceptions', { query: { as_of: before, state: 'closed' } })).body).toEqual([])
})

test('a snoozed exception is open again at its time, and cleared when its condition ends', async () => {
  const account = await anAccount('A')
  const [raised] = await exceptionsOf(account)
  const params = { exception_id: raised?.exception_id ?? '' }
  const until = new Date(Date.now() + 60_000).toISOString()
  expect(
    await ops('actOnException', account.slug, { params, body: { action: 'snooze', until: '2020-01-01T00:00:00Z' } }),
  ).toBeRefused('invalid_request')
  await ops('actOnException', account.slug, { params, body: { action: 'snooze', until } })
  await evaluate(service, account.id, new Date().toISOString())
  expect((await exceptionsOf(account))[0]?.state).toBe('snoozed')
  expect((await account.call('getException', { params })).body.state).toBe('open')
  await evaluate(service, account.id, until)
  expect((await exceptionsOf(account))[0]).toMatchObject({ state: 'open' })
  await assigns(account, 'A', 10)
  await evaluate(service, account.id, until)
  expect((await exceptionsOf(account))[0]).toMatchObject({ state: 'closed', closed: { how: 'cleared', by: 'waybill' } })
})

test('one request acts on exceptions of several accounts, each with an outcome of its own', async () => {
  const [one, other] = [await anAccount('A'), await anAccount('B')]
  const named = async (account: TestAccount) => ({
    account: account.slug,
    exception_id: (await exceptionsOf(account))[0]?.exception_id ?? '',
  })
  const exceptions = [
    await named(one),
    await named(other),
    { account: one.slug, exception_id: 'none' },
    { account: 'none', exception_id: 'x' },
  ]
  const { body } = await ops('actOnExceptions', undefined, { body: { action: 'assign', owner: 'Jo', exceptions } })
  expect(body.outcomes.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['changed', undefined],
    ['changed', undefined],
    ['refused', 'exception_not_found'],
    ['refused', 'account_not_found'],
  ])
  const { body: ofJo } = await ops('listExceptions', undefined, { query: { owner: 'Jo', account: other.slug } })
  expect(ofJo.exceptions.map(({ id }) => id)).toEqual([exceptions[1]?.exception_id])
})

test('the list of all accounts names the shipment and the place', async () => {
  const account = await newAccount(service)
  const params = { svc_shipment_id: 'S1' }
  const body = { ...params, name: 'Lamps for spring', status: 'in_progress', freight_mode: 'ocean' } as const
  await ops('createShipment', account.slug, { body })
  const steps = [
    { id: 'from', type: 'origin_port' as const, port: { unlocode: 'CN/SHA' } },
    { id: 'to', type: 'destination_port' as const, port: { unlocode: 'DE/HAM' } },
  ]
  await ops('planTracking', account.slug, { params, body: { steps } })
  await evaluate(service, account.id, '2026-03-01T00:00:00Z')
  const held = { step: 'to', code: 'CUSTOMS_HOLD', description: 'Customs hold', status: 'actual' } as const
  await ops('addEvent', account.slug, { params, body: { ...held, date: '2026-03-02T08:00:00+01:00' } })
  await evaluate(service, account.id, '2026-03-02T12:00:00Z')
  const { exceptions } = (await ops('listExceptions', undefined, { query: { account: account.slug, kind: 'hold' } }))
    .body
  expect(exceptions).toMatchObject([{ shipment_name: 'Lamps for spring', place_name: 'Hamburg' }])
})

test('pages over all accounts go on after the last one, whatever changes meanwhile', async () => {
  const account = await anAccount('A', 'B', 'C')
  const query = { account: account.slug, take: 1 }
  const pages: string[] = []
  let after: string | undefined
  do {
    const { body } = await ops('listExceptions', undefined, {
      query: { ...query, ...(after !== undefined && { after }) },
    })
    pages.push(...body.exceptions.map(({ record }) => record.po_number ?? ''))
    const [listed] = body.exceptions
    await ops('actOnException', account.slug, {
      params: { exception_id: listed?.id ?? '' },
      body: { action: 'acknowledge' },
    })
    after = body.next
  } while (after !== undefined)
  expect(pages).toEqual(['C', 'B', 'A'])
  expect(await ops('listExceptions', undefined, { query: { after: 'x' } })).toBeRefused('invalid_request')
})

test('rules of an account take effect: what it sees, what is raised, and from when', async () => {
  const account = await anAccount('A')
  const rules = { kinds: { order_at_risk: { shown_to_customers: false } } }
  const { body } = await ops('setAccountExceptionRules', account.slug, { body: rules })
  expect(body).toMatchObject({
    settings: rules,
    in_force: { kinds: { order_at_risk: { enabled: true, shown_to_customers: false } } },
  })
  await evaluate(service, account.id, '2026-01-07T00:00:00Z')
  expect((await account.call('listExceptions')).body).toEqual([])
  expect(await exceptionsOf(account, { state: 'open' })).toHaveLength(1)
  const [raised] = await exceptionsOf(account)
  const params = { exception_id: raised?.exception_id ?? '' }
  expect(await account.call('acknowledgeException', { params, body: {} })).toBeRefused('exception_not_found')
  await ops('setAccountExceptionRules', account.slug, { body: { thresholds: { order_unassigned_days: 30 } } })
  await evaluate(service, account.id, '2026-01-08T00:00:00Z')
  expect(await exceptionsOf(account, { state: 'open' })).toEqual([])
  await evaluate(service, account.id, '2026-02-01T00:00:00Z')
  expect(await exceptionsOf(account, { state: 'open' })).toMatchObject([{ episode: 2 }])
  await ops('setAccountExceptionRules', account.slug, { body: { kinds: { order_at_risk: { enabled: false } } } })
  await evaluate(service, account.id, later)
  expect(await exceptionsOf(account, { state: 'open' })).toEqual([])
  const wrong = { body: { thresholds: { order_unassigned_days: -1 } } }
  expect(await ops('setAccountExceptionRules', account.slug, wrong)).toBeRefused('invalid_request')
})

test('a missing document is waived with its shipment', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports({
    kind: 'shipment',
    data: {
      svc_shipment_id: 'S1',
      status: 'booked',
      created_at: '2026-01-01T00:00:00Z',
      transported_goods: { is_hazardous: true },
    },
  })
  await evaluate(service, account.id, '2026-01-02T00:00:00Z')
  const [missing] = await exceptionsOf(account)
  expect(missing).toMatchObject({ kind: 'missing_document', severity: 'critical', from_history: true })
  const params = { exception_id: missing?.exception_id ?? '' }
  await ops('actOnException', account.slug, { params, body: { action: 'waive', reason: 'Below the limits' } })
  const { body } = await ops('getChecklist', account.slug, { params: { svc_shipment_id: 'S1' } })
  expect(body.documents[0]).toMatchObject({ type: 'dangerous_goods_declaration', waived: true })
  await evaluate(service, account.id, '2026-01-03T00:00:00Z')
  expect(await exceptionsOf(account)).toMatchObject([
    { closed: { how: 'waived' }, ended_at: '2026-01-03T00:00:00.000Z' },
  ])
})
