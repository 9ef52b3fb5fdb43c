import { expect, test } from 'vitest'
import type { OperatorResponse } from '../../../src/contract/operator/operations.js'
import type { NamedWorkItem } from '../../../src/contract/operator/work.js'
import type { HandledFilter } from '../../../src/contract/operator/work-filter.js'
import { removeDoneWork } from '../../../src/store/work-items.js'
import { createOperatorWithKey } from '../../../src/usecases/accounts/create-operator.js'
import { evaluateAccount } from '../../../src/usecases/exceptions/run-exceptions.js'
import { line } from '../../support/account.js'
import { edifact, iftsta } from '../../support/edi.js'
import { startForwarding } from '../../support/forwarder.js'
import { uniqueContainer } from '../../support/messages.js'
import { checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { proposalForm } from '../../support/proposals.js'
import { startService } from '../../support/service.js'

/** What waits for the forwarder. */

const service = await startService()

async function start() {
  const forwarding = await startForwarding(service)
  const { ops, slug } = forwarding
  const counts = async (query: object = {}) =>
    (await ops('countWork', undefined, { query: { account: slug, ...query } })).body
  return { ...forwarding, counts }
}

test('work is counted by source: requests, orders, disputes and exceptions', async () => {
  const { counts, shipment, call, work } = await start()
  expect(await counts()).toEqual({
    exceptions: 0,
    messages: 0,
    codes: 0,
    documents: 0,
    conversations: 0,
    orders: 0,
    booking_requests: 0,
    disputes: 0,
  })
  await shipment({ status: 'booking_request' })
  await shipment({ status: 'booked' })
  await call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' as const } }]
  await work('draftInvoice', { body: { reference: 'DISPUTED', lines } })
  await work('issueInvoice', { params: { reference: 'DISPUTED' }, body: {} })
  await work('moveInvoice', { params: { reference: 'DISPUTED' }, body: { status: 'litigious' } })
  expect(await counts()).toMatchObject({ booking_requests: 1, orders: 1, disputes: 1, documents: 0 })
})

test('exceptions are listed and counted by what was done about them', async () => {
  const { counts, work, ops, slug, id, call } = await start()
  for (const reference of ['PO-1', 'PO-2', 'PO-3'])
    await call('createPurchaseOrder', {
      body: { reference, desired_ex_factory_date: '2026-01-10', product_lines: [line()] },
    })
  await evaluateAccount(service.db, id, Date.now())
  const query = { account: slug, kind: 'order_at_risk' as const }
  const listed = async (state?: 'open' | 'closed' | 'new' | 'acknowledged' | 'snoozed') =>
    (await ops('listExceptions', undefined, { query: { ...query, ...(state && { state }) } })).body.exceptions
  const [first, second] = await listed('open')
  expect(await listed('new')).toHaveLength(3)
  await work('actOnException', {
    params: { exception_id: first?.id ?? '' },
    body: { action: 'acknowledge' },
  })
  await work('actOnException', {
    params: { exception_id: second?.id ?? '' },
    body: { action: 'snooze', until: new Date(Date.now() + 86_400_000).toISOString() },
  })
  expect(await listed('open')).toHaveLength(3)
  expect((await listed('acknowledged')).map((each) => each.id)).toEqual([first?.id])
  expect((await listed('snoozed')).map((each) => each.id)).toEqual([second?.id])
  expect(await listed('new')).toHaveLength(1)
  for (const [state, count] of [
    ['open', 3],
    ['new', 1],
    ['acknowledged', 1],
    ['snoozed', 1],
    ['closed', 0],
  ] as const)
    expect((await counts({ kind: 'order_at_risk', state })).exceptions, state).toBe(count)
})

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

type Acting = { action: 'assign' | 'snooze' | 'wake'; owner?: string; until?: string }

/** An account in which one of each kind waits. */
async function startWaiting() {
  const started = await start()
  const { slug, shipment, call, work, ops, operatorKey } = started
  const request = await shipment({ status: 'booking_request' })
  await call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' as const } }]
  await work('draftInvoice', { body: { reference: 'DISPUTED', lines } })
  await work('issueInvoice', { params: { reference: 'DISPUTED' }, body: {} })
  await work('moveInvoice', { params: { reference: 'DISPUTED' }, body: { status: 'litigious' } })
  await call('postMessage', { body: { svc_shipment_id: request, text: 'When does it leave?' } })
  const document = (await call('proposeDocument', { body: proposalForm({ svc_shipment_id: request }) })).body
  // A message about a container that nobody has, with a code that nobody knows.
  const sender = `S${slug}`
  const status = { code: 'ODD::ZZZ:Odd', at: '202603100830', place: 'CNNGB', container: uniqueContainer() }
  const response = await fetch(`${service.baseUrl}/ops/v1/messages?format=iftsta&sender=${sender}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: edifact([iftsta(status, { issued: '202603110900' })], '1'),
  })
  const { message_id } = (await checkedOperatorResponse('receiveMessage', response)).body
  const items = [
    { account: slug, kind: 'booking_request', item: request },
    { account: slug, kind: 'order', item: 'PO-1' },
    { account: slug, kind: 'dispute', item: 'DISPUTED' },
    { account: slug, kind: 'conversation', item: `shipment/${request}` },
    { account: slug, kind: 'document', item: document.id },
    { kind: 'message', item: String(message_id) },
    { kind: 'code', item: `${sender}/iftsta/ODD::ZZZ` },
  ] as const satisfies NamedWorkItem[]
  const act = async (acting: Acting, some: readonly NamedWorkItem[] = items) =>
    (await ops('actOnWorkItems', undefined, { body: { ...acting, items: [...some] } })).body.outcomes
  /** The lists in which something is found by these filters. */
  const listed = async (filter: HandledFilter) => {
    const query = { account: slug, ...filter }
    const ofSender = { ...filter, sender }
    const found = {
      booking_request: (await ops('findShipments', undefined, { query: { ...query, status: 'booking_request' } })).body
        .shipments,
      order: (await ops('findOpenOrders', undefined, { query })).body.orders,
      dispute: (await ops('findInvoices', undefined, { query: { ...query, state: 'disputed' } })).body.invoices,
      conversation: (await ops('listConversations', undefined, { query: { ...query, unanswered: 'true' } })).body
        .conversations,
      document: (await ops('listDocumentProposals', undefined, { query: { ...query, state: 'proposed' } })).body
        .proposals,
      message: (await ops('listMessages', undefined, { query: ofSender })).body.messages,
      code: (await ops('listCodes', undefined, { query: { ...ofSender, state: 'unknown' } })).body.codes,
    }
    return Object.entries(found).flatMap(([kind, each]) => (each.length === 1 ? [kind] : []))
  }
  /** The database is that of other tests, too. */
  const isOurs = ({ account, kind, item }: NamedWorkItem) =>
    items.some((each: NamedWorkItem) => each.account === account && each.kind === kind && each.item === item)
  const handled = async () => {
    const found: OperatorResponse<'listWorkItems'>['items'] = []
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const { body } = await ops('listWorkItems', undefined, { query: { take: 1000, ...(after && { after }) } })
      found.push(...body.items.filter(isOurs))
      after = body.next
    }
    return found
  }
  return { ...started, request, items, act, listed, handled, message_id, document: document.id }
}

const kindsOf = (items: { kind: string }[]) => items.map(({ kind }) => kind)
const sorted = (kinds: string[]) => kinds.toSorted()

test('what waits is assigned, put aside and taken up again, and each list and count has it by owner and state', async () => {
  const { items, act, listed, handled, counts, revision } = await startWaiting()
  const all = kindsOf(items)
  const before = await revision()
  expect(sorted(await listed({ owner: '' }))).toEqual(sorted(all))
  for (const outcome of await act({ action: 'assign', owner: 'Ines' })) expect(outcome.outcome).toBe('changed')
  expect(sorted(await listed({ owner: 'Ines' }))).toEqual(sorted(all))
  expect(await listed({ owner: '' })).toEqual([])
  expect(await listed({ owner: 'Jette' })).toEqual([])
  const ofAccount = { documents: 1, conversations: 1, orders: 1, booking_requests: 1, disputes: 1 }
  const none = { documents: 0, conversations: 0, orders: 0, booking_requests: 0, disputes: 0 }
  expect(await counts({ owner: 'Ines' })).toMatchObject(ofAccount)
  expect(await counts({ owner: '' })).toMatchObject(none)

  const until = tomorrow()
  await act({ action: 'snooze', until })
  expect(sorted(await listed({ snoozed: 'true' }))).toEqual(sorted(all))
  expect(await listed({ snoozed: 'false' })).toEqual([])
  expect(await counts({ state: 'new' })).toMatchObject(none)
  expect(await counts({ state: 'snoozed' })).toMatchObject(ofAccount)
  const handling = { owner: 'Ines', snoozed_until: until }
  expect(await handled()).toEqual(
    expect.arrayContaining(items.map((each): unknown => expect.objectContaining({ ...each, ...handling }))),
  )

  await act({ action: 'wake' })
  await act({ action: 'assign', owner: '' })
  expect(sorted(await listed({ owner: '', snoozed: 'false' }))).toEqual(sorted(all))
  expect(await handled()).toEqual([])
  // The customer sees nothing of it.
  expect(await revision()).toBe(before)
})

test('a snooze ends by the clock, and the owner stays', async () => {
  const { items, act, listed, handled, id } = await startWaiting()
  const [request] = items
  await act({ action: 'assign', owner: 'Ines' }, [request])
  await act({ action: 'snooze', until: tomorrow() }, [request])
  expect(await listed({ snoozed: 'true' })).toEqual(['booking_request'])
  const past = new Date(Date.now() - 1000).toISOString()
  await service.db`update work_items set snoozed_until = ${past}::text::timestamptz where account_id = ${id}`
  expect(await listed({ snoozed: 'true' })).toEqual([])
  const [found, ...others] = await handled()
  expect(found).toMatchObject({ ...request, owner: 'Ines' })
  expect(found).not.toHaveProperty('snoozed_until')
  expect(others).toEqual([])
})

test('a conversation that is put aside waits again when the customer writes, and the owner stays', async () => {
  const { items, act, listed, handled, call, request } = await startWaiting()
  const conversation = items.filter(({ kind }) => kind === 'conversation')
  await act({ action: 'assign', owner: 'Ines' }, conversation)
  await act({ action: 'snooze', until: tomorrow() }, conversation)
  expect(await listed({ snoozed: 'true' })).toEqual(['conversation'])
  await call('postMessage', { body: { svc_shipment_id: request, text: 'Is there any news?' } })
  expect(await listed({ snoozed: 'true' })).toEqual([])
  expect(await listed({ owner: 'Ines', snoozed: 'false' })).toEqual(['conversation'])
  expect((await handled())[0]).not.toHaveProperty('snoozed_until')
})

test('what no longer waits is refused, is not listed, and its row is removed', async () => {
  const { items, act, handled, ops, work, call, shipment, slug, id, request, message_id, document } =
    await startWaiting()
  await act({ action: 'assign', owner: 'Ines' })
  expect(await handled()).toHaveLength(items.length)
  const booked = await shipment({ status: 'booked' })
  await work('moveShipment', { params: { svc_shipment_id: request }, body: { status: 'awaiting_booking' } })
  await call('cancelPurchaseOrder', { params: { reference: 'PO-1' }, body: {} })
  await work('moveInvoice', { params: { reference: 'DISPUTED' }, body: { status: 'available' } })
  await work('settleConversation', { body: { svc_shipment_id: request } })
  await work('returnProposal', { params: { id: document }, body: { reason: 'Not ours' } })
  await ops('dropMessage', undefined, { params: { message_id: String(message_id) }, body: { reason: 'Noise' } })
  const params = { sender: `S${slug}`, format: 'iftsta', code: 'ODD::ZZZ' } as const
  await ops('mapCode', undefined, { params, body: { mapped_to: 'DEPARTED' } })
  // Orders are read from the index, which follows.
  await ops('findOpenOrders', undefined, { query: { account: slug } })
  expect(await handled()).toEqual([])
  for (const outcome of await act({ action: 'snooze', until: tomorrow() }))
    expect(outcome).toMatchObject({ outcome: 'refused', code: 'work_item_not_found' })
  const never = [
    { account: slug, kind: 'booking_request', item: booked },
    { account: slug, kind: 'document', item: 'no-uuid' },
    { account: slug, kind: 'message', item: String(message_id) },
    { kind: 'order', item: 'PO-1' },
    { kind: 'message', item: 'none' },
  ] satisfies NamedWorkItem[]
  for (const outcome of await act({ action: 'assign', owner: 'Ines' }, never))
    expect(outcome).toMatchObject({ outcome: 'refused', code: 'work_item_not_found' })

  while ((await removeDoneWork(service.db, 100)) > 0);
  const rows = await service.db`
    select kind, item from work_items
    where account_id = ${id} or item like ${`%S${slug}%`} or (kind = 'message' and item = ${String(message_id)})`
  expect(rows).toEqual([])
})

test('finance handles what waits, viewers do not, and an action that is not complete is refused', async () => {
  const { items, slug } = await startWaiting()
  const [request] = items
  const body = { action: 'assign' as const, owner: 'Ines', items: [request] }
  const finance = await newOperator(service, 'finance')
  expect((await finance.ops('actOnWorkItems', undefined, { body })).body.outcomes).toMatchObject([
    { outcome: 'changed' },
  ])
  const viewer = await newOperator(service, 'viewer')
  expect(await viewer.ops('actOnWorkItems', undefined, { body })).toBeRefused('insufficient_role')
  const { items: seen } = (await viewer.ops('listWorkItems', undefined, { query: { account: slug } })).body
  expect(seen).toMatchObject([{ ...request, owner: 'Ines' }])
  for (const wrong of [
    { action: 'assign' },
    { action: 'snooze' },
    { action: 'snooze', until: '2020-01-01T00:00:00Z' },
  ] as const)
    expect(await finance.ops('actOnWorkItems', undefined, { body: { ...wrong, items: [request] } })).toBeRefused(
      'invalid_request',
    )
})

test('an operator of some accounts handles only what is of these, and no code, which concerns all', async () => {
  const [own, other] = [await startWaiting(), await startWaiting()]
  const limited = await createOperatorWithKey(service.db, { name: 'Limited', role: 'admin', accounts: [own.id] })
  const items = [...own.items, ...other.items]
  const response = await fetch(`${service.baseUrl}/ops/v1/work/items/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${limited.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'assign', owner: 'Limited', items }),
  })
  const { outcomes } = (await checkedOperatorResponse('actOnWorkItems', response)).body
  const changed = outcomes.filter(({ outcome }) => outcome === 'changed')
  expect(changed).toHaveLength(5)
  for (const { account } of changed) expect(account).toBe(own.slug)
  expect(await other.handled()).toEqual([])
  await other.act({ action: 'assign', owner: 'Ines' })
  const query = { owner: 'Ines' }
  const list = await fetch(`${service.baseUrl}/ops/v1/work/items?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${limited.key}` },
  })
  expect((await checkedOperatorResponse('listWorkItems', list)).body.items).toEqual([])
})

test('who handled what is in the audit log of the account, or of the forwarder', async () => {
  const { items, act, work, ops } = await startWaiting()
  await act({ action: 'assign', owner: 'Ines' })
  const ofAccount = (await work('listAccountAudit', { query: { take: 5 } })).body.entries
  expect(ofAccount[0]).toMatchObject({
    action: 'operator_acted',
    details: { operation: 'actOnWorkItems', action: 'assign' },
  })
  const code = items.at(-1)?.item
  const ofForwarder = (await ops('listForwarderAudit', undefined, { query: { take: 50 } })).body.entries
  expect(ofForwarder.some(({ details }) => JSON.stringify(details).includes(JSON.stringify(code)))).toBe(true)
})

test('the list of handled work is read page by page', async () => {
  const { act, ops, slug } = await startWaiting()
  await act({ action: 'assign', owner: 'Ines' })
  const seen = []
  let after: string | undefined
  do {
    const query = { account: slug, take: 2, ...(after !== undefined && { after }) }
    const { items, next } = (await ops('listWorkItems', undefined, { query })).body
    seen.push(...items)
    after = next
  } while (after !== undefined)
  expect(sorted(kindsOf(seen))).toEqual(['booking_request', 'conversation', 'dispute', 'document', 'order'])
  expect(await ops('listWorkItems', undefined, { query: { after: 'x' } })).toBeRefused('invalid_request')
})
