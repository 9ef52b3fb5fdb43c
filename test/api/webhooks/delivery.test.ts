import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { BodyOf } from '../../../src/contract/public/operations.js'
import { leaseDueEndpoints, type SentDelivery } from '../../../src/store/webhook-queue.js'
import { runWebhooks } from '../../../src/usecases/webhooks/run-webhooks.js'
import { sharedWork } from '../../../src/usecases/webhooks/shared-work.js'
import { newAccount, type TestAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { newPerson } from '../../support/person.js'
import { until } from '../../support/program.js'
import { startService } from '../../support/service.js'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.js'

/** Events are delivered to real receivers, which verify them with the public library. */

// Every process that sends webhooks sends those of its database.
const service = await startService({ db: await ownDatabase('webhooks'), webhooksToPrivateNetworks: true })
const { db } = service
const { ops } = await newOperator(service)

type Run = Partial<Parameters<typeof runWebhooks>[1]>

/** Sends webhooks until the test has finished, or until it is stopped. */
function startSending(options: Run = {}) {
  const stop = new AbortController()
  const errors: unknown[] = []
  const running = runWebhooks(db, {
    allowsPrivate: true,
    mail: { base: 'http://portal.forwarder.example', forwarderName: 'Forwarder' },
    signal: stop.signal,
    onError: (error) => errors.push(error),
    pause: 20,
    ...options,
  })
  const end = async () => {
    stop.abort()
    await running
    expect(errors).toEqual([])
  }
  onTestFinished(end)
  return end
}

async function newWebhook({ call }: TestAccount, receiver: Receiver, body: Partial<BodyOf<'createWebhook'>> = {}) {
  const created = await call('createWebhook', { body: { url: receiver.url, ...body } })
  expect(created.status).toBe(201)
  receiver.secrets.push(created.body.secret)
  return { webhook_id: created.body.webhook.webhook_id }
}

let count = 0
async function makeShipments({ forwarder }: TestAccount, names: string[]): Promise<void> {
  for (const name of names) {
    count += 1
    await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: `S-${name}-${count}`, status: 'booked' } })
  }
}

const newestDelivery = async ({ call }: TestAccount, params: { webhook_id: string }) =>
  (await call('listWebhookDeliveries', { params })).body[0]

/** As if the time until the next attempt had passed. */
async function makeDue({ id }: TestAccount): Promise<void> {
  await db`update webhook_deliveries set next_attempt_at = now() where account_id = ${id} and state = 'waiting'`
  await db`update webhooks set due_at = now() where account_id = ${id} and due_at is not null`
}

test('every event of the feed is delivered once, signed, with its identifier, to those who want it', async () => {
  startSending()
  const account = await newAccount(service)
  const [all, some] = [await startReceiver(), await startReceiver()]
  const params = await newWebhook(account, all)
  await newWebhook(account, some, { kinds: ['purchase_order'], types: ['purchase_order.created', 'shipment.created'] })
  const start = (await account.call('listEvents', { query: { after: 'now' } })).body.cursor
  await makeShipments(account, ['a', 'b', 'c'])
  await account.forwarder.anAssignedOrder()
  const { events } = (await account.call('listEvents', { query: { after: start } })).body
  expect(events.length).toBeGreaterThan(4)
  await until(() => all.received.length === events.length)
  expect(all.received.map(({ id }) => id).toSorted()).toEqual(events.map(({ id }) => id).toSorted())
  expect(all.received.every(({ isValid }) => isValid)).toBe(true)
  const byId = new Map(events.map((event) => [event.id, event]))
  for (const { id, data, type } of all.received) expect([data, type]).toEqual([byId.get(id), byId.get(id)?.type])
  await until(() => some.received.length === 1)
  expect(some.received[0]?.type).toBe('purchase_order.created')
  const { body } = await account.call('listWebhookDeliveries', { params })
  expect(body).toHaveLength(events.length)
  expect(body[0]).toMatchObject({ state: 'delivered', attempts: 1, response: { status: 204 } })
  expect(JSON.parse(body[0]?.request.body ?? '')).toMatchObject({ data: { id: body[0]?.event_id } })
})

test('an ordered endpoint gets one delivery at a time and in order, whatever fails', async () => {
  startSending()
  const account = await newAccount(service)
  const receiver = await startReceiver()
  const params = await newWebhook(account, receiver, { ordered: true })
  const failing = new Set([2, 5])
  receiver.respond = async (_, response) => {
    await sleep(5)
    response.writeHead(failing.delete(receiver.received.length) ? 500 : 200).end('thanks')
  }
  const start = (await account.call('listEvents', { query: { after: 'now' } })).body.cursor
  await makeShipments(account, ['1', '2', '3', '4', '5', '6'])
  const { events } = (await account.call('listEvents', { query: { after: start } })).body
  await until(async () => {
    await makeDue(account)
    return receiver.received.length >= events.length + 2
  })
  const ids = receiver.received.map(({ id }) => id)
  expect(ids.filter((id, index) => id !== ids[index - 1])).toEqual(events.map(({ id }) => id))
  expect(ids).toHaveLength(events.length + 2)
  expect(receiver.mostUnderWay).toBe(1)
  await until(async () => (await newestDelivery(account, params))?.state === 'delivered')
})

test('failures, redirects and Retry-After put off the next attempt, and 410 disables the endpoint', async () => {
  startSending()
  const account = await newAccount(service)
  const admin = await newPerson(service, account, 'admin')
  const receiver = await startReceiver()
  const params = await newWebhook(account, receiver)
  const answers: [number, Record<string, string>][] = [
    [302, { location: 'http://127.0.0.1:1/' }],
    [503, { 'retry-after': '7200' }],
    [500, {}],
    [410, {}],
  ]
  receiver.respond = (_, response) => {
    const [status, headers] = answers[receiver.received.length - 1] ?? [200, {}]
    response.writeHead(status, headers).end('x'.repeat(5000))
  }
  await makeShipments(account, ['f'])
  const waits: number[] = []
  for (let attempts = 1; attempts <= 3; attempts += 1) {
    await until(async () => (await newestDelivery(account, params))?.attempts === attempts)
    const delivery = await newestDelivery(account, params)
    expect(delivery).toMatchObject({ state: 'waiting', response: { status: answers[attempts - 1]?.[0] } })
    expect(delivery?.response?.body).toHaveLength(2048)
    waits.push((Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.request.at ?? '')) / 1000)
    await makeDue(account)
  }
  expect(waits[0]).toBeGreaterThan(4.9)
  expect(waits[0]).toBeLessThan(10)
  expect(waits[1]).toBeGreaterThan(7100)
  expect(waits[2]).toBeGreaterThan(1700)
  expect(waits[2]).toBeLessThan(2100)
  await until(async () => (await account.call('getWebhook', { params })).body.state === 'disabled')
  expect((await account.call('getWebhook', { params })).body).toMatchObject({ disabled_reason: 'gone' })
  const { events } = (await account.call('listEvents')).body
  expect(events.at(-1)).toMatchObject({ type: 'webhook.disabled', object: { kind: 'webhook', id: params.webhook_id } })
  expect(await db`select from mails where recipient = ${admin.email}`).toHaveLength(1)
  // What happens meanwhile is sent when it is resumed.
  await makeShipments(account, ['g'])
  expect((await account.call('pauseWebhook', { params })).problem.code).toBe('webhook_disabled')
  expect((await account.call('resumeWebhook', { params })).body.state).toBe('active')
  await until(() => new Set(receiver.received.slice(4).map(({ data }) => data.object.id)).size === 3)
  expect(
    receiver.received
      .slice(4)
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['shipment.created', 'shipment.created', 'webhook.disabled'])
})

test('an endpoint that failed for five days is disabled; resumed, it gets everything', async () => {
  startSending()
  const account = await newAccount(service)
  const receiver = await startReceiver()
  const params = await newWebhook(account, receiver, { ordered: true })
  let isDown = true
  receiver.respond = (_, response) => void response.writeHead(isDown ? 500 : 200).end()
  await makeShipments(account, ['1', '2', '3'])
  await until(async () => (await account.call('getWebhook', { params })).body.failing_since !== undefined)
  await db`update webhooks set failing_since = now() - interval '5 days' where account_id = ${account.id}`
  await makeDue(account)
  await until(async () => (await account.call('getWebhook', { params })).body.disabled_reason === 'failing')
  isDown = false
  receiver.received.length = 0
  await account.call('resumeWebhook', { params })
  await until(() => receiver.received.length === 4)
  expect(receiver.received.map(({ type }) => type)).toEqual([
    'shipment.created',
    'shipment.created',
    'shipment.created',
    'webhook.disabled',
  ])
})

test('a slow endpoint and a dead one delay no other, and a dead one gets all when it is back', async () => {
  startSending({ timeout: 1000 })
  const account = await newAccount(service)
  const [fast, slow, dead] = [await startReceiver(), await startReceiver(), await startReceiver()]
  let isDead = true
  slow.respond = () => {}
  dead.respond = (request, response) => (isDead ? void request.socket.destroy() : void response.writeHead(200).end())
  for (const receiver of [slow, dead, fast]) await newWebhook(account, receiver)
  const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
  await makeShipments(account, names)
  await until(() => fast.received.length === names.length)
  await until(() => dead.received.length > 5)
  isDead = false
  dead.received.length = 0
  await makeDue(account)
  await until(() => new Set(dead.received.map(({ id }) => id)).size === names.length)
  expect(fast.received).toHaveLength(names.length)
  expect(slow.received.length).toBeGreaterThan(0)
})

test('tests, resends and replays send again what they name, also after a rotation of the secret', async () => {
  startSending()
  const account = await newAccount(service)
  const receiver = await startReceiver()
  const params = await newWebhook(account, receiver)
  const since = new Date().toISOString()
  await makeShipments(account, ['r1', 'r2'])
  await until(() => receiver.received.length === 2)
  const ids = receiver.received.map(({ id }) => id)

  const tested = (await account.call('testWebhook', { params })).body
  await until(() => receiver.received.length === 3)
  expect(receiver.received[2]).toMatchObject({ id: tested.event_id, type: 'webhook.test', isValid: true })

  const first = (await account.call('listWebhookDeliveries', { params })).body.find(
    ({ event_id }) => event_id === ids[0],
  )
  await account.call('resendWebhookDelivery', { params: { ...params, delivery_id: first?.delivery_id ?? '' } })
  await until(() => receiver.received.length === 4)
  expect(receiver.received[3]?.id).toBe(ids[0])

  const rotated = (await account.call('rotateWebhookSecret', { params, body: { overlap_hours: 1 } })).body
  expect(rotated.webhook.old_secret_until).toBeDefined()
  expect((await account.call('replayWebhook', { params, body: { event_id: ids[0] ?? '' } })).status).toBe(200)
  await until(() => receiver.received.length === 6)
  // The receiver has the old secret only.
  expect(receiver.received.every(({ isValid }) => isValid)).toBe(true)
  receiver.secrets = [rotated.secret]
  await account.call('replayWebhook', { params, body: { from: since } })
  await until(() => receiver.received.length === 8)
  expect(receiver.received.slice(6).every(({ isValid }) => isValid)).toBe(true)
  await account.call('rotateWebhookSecret', { params, body: { overlap_hours: 0 } })
  await account.call('testWebhook', { params })
  await until(() => receiver.received.length === 9)
  expect(receiver.received[8]?.isValid).toBe(false)

  for (const body of [{}, { event_id: 'evt_1_x' }, { event_id: 'x' }, { from: '2020-01-01T00:00:00Z' }])
    expect((await account.call('replayWebhook', { params, body })).problem.code).toBe('invalid_request')
})

test('tests and resends that succeed change nothing for the events that an ordered endpoint refuses', async () => {
  startSending()
  const account = await newAccount(service)
  const receiver = await startReceiver()
  const params = await newWebhook(account, receiver, { ordered: true })
  const state = async () => (await account.call('getWebhook', { params })).body
  await makeShipments(account, ['accepted'])
  await until(() => receiver.received.length === 1)
  const accepted = await newestDelivery(account, params)
  const acceptedIds = [accepted?.event_id]

  // From now on it accepts tests and what it has had, and refuses every event.
  let refuses = true
  receiver.respond = (_, response, { id, type }) => {
    const isAccepted = !refuses || acceptedIds.includes(id) || (type as string) === 'webhook.test'
    response.writeHead(isAccepted ? 204 : 500).end()
  }
  const start = (await account.call('listEvents', { query: { after: 'now' } })).body.cursor
  await makeShipments(account, ['1', '2', '3'])
  const { events } = (await account.call('listEvents', { query: { after: start } })).body
  await until(async () => (await newestDelivery(account, params))?.state === 'waiting')
  const blocking = await newestDelivery(account, params)
  const before = await state()
  expect(before.failing_since).toBeDefined()
  const delivery = async (id: string | undefined) =>
    (await account.call('listWebhookDeliveries', { params })).body.find(({ delivery_id }) => delivery_id === id)
  for (let attempts = 2; attempts <= 12; attempts += 1) {
    const tested = (await account.call('testWebhook', { params })).body
    const resend = { ...params, delivery_id: accepted?.delivery_id ?? '' }
    expect((await account.call('resendWebhookDelivery', { params: resend })).body.state).toBe('waiting')
    for (const id of [tested.delivery_id, accepted?.delivery_id])
      await until(async () => (await delivery(id))?.state === 'delivered')
    await makeDue(account)
    await until(async () => (await delivery(blocking?.delivery_id))?.attempts === attempts)
  }
  // The countdown to being disabled goes on, and the event still holds up the others.
  expect(await state()).toMatchObject({ failing_since: before.failing_since, last_success_at: before.last_success_at })
  expect(await delivery(blocking?.delivery_id)).toMatchObject({ state: 'waiting', event_id: events[0]?.id })
  // A resend that fails disables nothing and holds up nothing.
  acceptedIds.pop()
  const resend = { ...params, delivery_id: accepted?.delivery_id ?? '' }
  await account.call('resendWebhookDelivery', { params: resend })
  await until(async () => (await delivery(accepted?.delivery_id))?.attempts === 1)
  expect(await delivery(accepted?.delivery_id)).toMatchObject({ state: 'waiting', response: { status: 500 } })

  refuses = false
  receiver.received.length = 0
  await account.call('resendWebhookDelivery', { params: { ...params, delivery_id: blocking?.delivery_id ?? '' } })
  await until(() => receiver.received.length >= events.length + 1)
  const fresh = receiver.received.filter(({ id }) => id !== accepted?.event_id)
  expect(fresh.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
  await until(async () => (await state()).failing_since === undefined)
})

test('several processes share the endpoints, and one that ends without a word loses nothing', async () => {
  const account = await newAccount(service)
  const receiver = await startReceiver()
  const params = await newWebhook(account, receiver, { ordered: true })
  await makeShipments(account, ['k1', 'k2', 'k3'])
  // As if a process had ended in the middle of its turn.
  await db`
    update webhooks set lease = gen_random_uuid(), leased_until = now() + interval '1 second'
    where account_id = ${account.id}`
  for (let process = 0; process < 3; process += 1) startSending()
  await until(() => receiver.received.length === 3)
  expect(receiver.mostUnderWay).toBe(1)
  await makeShipments(account, ['k4', 'k5'])
  await until(() => receiver.received.length === 5)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(5)
  await until(async () => (await account.call('getWebhook', { params })).body.position.waiting === 0)
})

test('the forwarder sees the endpoints of all accounts, and stops one', async () => {
  const account = await newAccount(service)
  const receiver = await startReceiver()
  const params = await newWebhook(account, receiver, { description: 'ERP' })
  const mine = (await ops('listWebhooks', undefined, { query: { account: account.slug } })).body
  expect(mine).toMatchObject([{ account: account.slug, description: 'ERP', state: 'active' }])
  await ops('disableWebhook', account.slug, { params })
  expect((await account.call('resumeWebhook', { params })).problem.code).toBe('webhook_disabled')
  expect((await account.call('testWebhook', { params })).problem.code).toBe('webhook_disabled')
  expect((await ops('enableWebhook', account.slug, { params })).body.state).toBe('active')
  await account.call('pauseWebhook', { params })
  expect((await account.call('testWebhook', { params })).problem.detail).toBe(
    'The endpoint is paused: resume it before.',
  )
  expect((await ops('listWebhookDeliveries', account.slug, { params })).body).toEqual([])
  expect((await account.call('deleteWebhook', { params })).status).toBe(200)
  expect((await account.call('getWebhook', { params })).problem.code).toBe('webhook_not_found')
})

test('endpoints at the same place share what is read, and one that cannot be saved holds up no other', async () => {
  const account = await newAccount(service)
  const receiver = await startReceiver()
  const ids = [await newWebhook(account, receiver), await newWebhook(account, receiver)]
  await makeShipments(account, ['l'])
  const endpoints = await leaseDueEndpoints(db, {
    lease: randomUUID(),
    seconds: 60,
    most: 100,
    failing: { from: 5, isFailing: false },
  })
  const [one, other] = ids.map(({ webhook_id }) => endpoints.find((each) => each.webhook_id === webhook_id)!)
  const { readPage, save } = sharedWork(db, (use) => use())
  const origin = { account: account.id, epoch: one!.epoch }
  const pages = [1, 2].map(() => readPage(origin, one!.position, { types: undefined, limit: 10 }))
  expect(pages[1]).toBe(pages[0])
  const { events, position } = await pages[0]!
  const sent = (delivery_id: string, answer: string): SentDelivery => ({
    delivery_id,
    event_id: events[0]!.id,
    type: events[0]!.type,
    content: '{}',
    attempts: 1,
    state: 'delivered',
    delay: null,
    attempted: 0,
    url: receiver.url,
    status: 200,
    milliseconds: 1,
    answer,
    error: null,
  })
  const saved = await Promise.allSettled([
    // PostgreSQL stores no NUL.
    save({ endpoint: { ...one!, position }, sent: [sent('dlv_1', '\0')], isLast: true }),
    save({ endpoint: { ...other!, position }, sent: [sent('dlv_2', 'fine')], isLast: true }),
    save({ endpoint: { ...other!, lease: randomUUID() }, sent: [sent('dlv_3', 'of another lease')], isLast: true }),
  ])
  expect(saved.map((each) => (each.status === 'fulfilled' ? each.value : each.status))).toEqual([
    'rejected',
    true,
    false,
  ])
  expect(await newestDelivery(account, ids[0]!)).toBeUndefined()
  expect(await newestDelivery(account, ids[1]!)).toMatchObject({ delivery_id: 'dlv_2', state: 'delivered' })
})
