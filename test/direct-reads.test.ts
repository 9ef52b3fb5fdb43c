import { expect, test } from 'vitest'
import { endKey, issueKey } from '../src/operator/keys.js'
import { line, newAccount, type TestAccount } from './support/account.js'
import { newOperator } from './support/operator.js'
import { type RunningService, startService } from './support/service.js'

/** Answers that are sent again from memory are those that would be made anew, on every process. */

const answerMemory = 1_000_000
const service = await startService({ answerMemory })
const other = await startService({ answerMemory })
const forgetful = await startService({ answerMemory: 0 })
const limited = await startService({ rateLimit: 3, answerMemory })

async function read({ baseUrl }: RunningService, key: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(baseUrl + path, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function withShipment(): Promise<TestAccount> {
  const account = await newAccount(service)
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', name: 'first' } })
  return account
}

const oneShipment = '/v1/shipments/S'

test('an answer from memory is the one that was made, header by header', async () => {
  const { key } = await withShipment()
  const [made, remembered] = [await read(service, key, oneShipment), await read(service, key, oneShipment)]
  expect(remembered.text).toBe(made.text)
  const names = (headers: Headers) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  expect(names(remembered.headers)).toEqual(names(made.headers))
  expect(remembered.headers.get('x-request-id')).toMatch(/^req_\w+$/)
  const etag = made.headers.get('etag') as string
  const unchanged = await read(service, key, oneShipment, { 'if-none-match': etag })
  expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag])
})

test('a write is seen by the next read on every process, however often it was read before', async () => {
  const { key, forwarder, call } = await withShipment()
  for (let round = 0; round < 20; round += 1) {
    for (const at of [service, other]) await read(at, key, oneShipment)
    await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', name: `round ${round}` } })
    for (const at of [service, other, forgetful]) {
      expect(JSON.parse((await read(at, key, oneShipment)).text)).toMatchObject({ name: `round ${round}` })
    }
  }
  expect(JSON.parse((await read(other, key, '/v1/purchaseOrders')).text)).toEqual([])
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line()] } })
  expect(JSON.parse((await read(other, key, '/v1/purchaseOrders')).text)).toHaveLength(1)
})

test('a revoked key and a suspended account stop at once, also where their answers are remembered', async () => {
  const { key, key_id, id, slug } = await withShipment()
  const second = await issueKey(service.db, id, { scopes: ['read'] })
  for (const each of [key, second.key]) for (let count = 0; count < 2; count += 1) await read(other, each, oneShipment)
  await endKey(service.db, key_id)
  expect((await read(other, key, oneShipment)).status).toBe(401)
  expect((await read(other, second.key, oneShipment)).status).toBe(200)
  const { ops } = await newOperator(service)
  await ops('updateAccount', slug, { body: { suspended: true } })
  expect((await read(other, second.key, oneShipment)).status).toBe(403)
  await ops('updateAccount', slug, { body: { suspended: false } })
  expect((await read(other, second.key, oneShipment)).status).toBe(200)
})

test('an answer is remembered for its account alone', async () => {
  const [one, two] = [await withShipment(), await newAccount(service)]
  for (let count = 0; count < 2; count += 1) expect((await read(service, one.key, oneShipment)).status).toBe(200)
  for (let count = 0; count < 2; count += 1) expect((await read(service, two.key, oneShipment)).status).toBe(404)
})

test('a key without the scope is refused, also where the answer is remembered', async () => {
  const { key, id } = await withShipment()
  const { key: writing } = await issueKey(service.db, id, { scopes: ['write'] })
  await read(service, key, oneShipment)
  for (let count = 0; count < 2; count += 1) expect((await read(service, writing, oneShipment)).status).toBe(403)
})

test('answers from memory count against the limit', async () => {
  const { key } = await withShipment()
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) statuses.push((await read(limited, key, oneShipment)).status)
  // A minute may begin in between.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1)
  expect(statuses.slice(0, 2)).toEqual([200, 200])
})

test('a compressed answer from memory unpacks to the plain one', async () => {
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', name: 'x'.repeat(5000) } })
  const plain = await read(service, key, oneShipment)
  for (let count = 0; count < 5; count += 1) {
    const response = await fetch(service.baseUrl + oneShipment, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
    })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toBe(plain.text)
    expect(response.headers.get('etag')).toBe(plain.headers.get('etag'))
  }
})

test.each([
  ['from memory', service],
  ['without a memory', forgetful],
])('of many reads at once each gets what it asked for, %s', async (_where, at) => {
  const accounts = await Promise.all([1, 2, 3].map(() => newAccount(service)))
  const ids = Array.from({ length: 30 }, (_, index) => `S-${index}`)
  for (const { slug, forwarder } of accounts) {
    const shipments = ids.map((id) => ({
      svc_shipment_id: id,
      name: `${slug} ${id}`,
      created_at: '2026-01-01T00:00:00Z',
    }))
    await forwarder.imports(
      ...shipments.map((data) => ({ kind: 'shipment' as const, data })),
      { kind: 'purchase_order', data: { reference: 'P', supplier_id: slug, product_lines: [line()] } },
      { kind: 'tracking', data: { svc_shipment_id: 'S-1', status: 'pending' } },
    )
  }
  const named = (slug: string, from: number, to: number) =>
    ids
      .toSorted()
      .slice(from, to)
      .map((id) => ({ name: `${slug} ${id}` }))
  const questions = accounts.flatMap(({ key, slug }) => [
    ...ids.map((id) => ({ key, path: `/v1/shipments/${id}`, answer: { svc_shipment_id: id, name: `${slug} ${id}` } })),
    { key, path: '/v1/shipments', answer: named(slug, 0, 10) },
    { key, path: '/v1/shipments?take=3', answer: named(slug, 0, 3) },
    { key, path: '/v1/shipments?take=100', answer: named(slug, 0, 30) },
    { key, path: '/v1/shipments?skip=28&take=100', answer: named(slug, 28, 30) },
    { key, path: '/v1/shipments?skip=30', answer: { code: 'no_shipments_found' } },
    { key, path: '/v1/shipments/none', answer: { code: 'shipment_not_found' } },
    { key, path: '/v1/purchaseOrders/P', answer: { supplier_name: slug } },
    { key, path: '/v1/tracking/S-1', answer: { svc_shipment_id: 'S-1' } },
    { key, path: '/v1/tracking/S-2', answer: { code: 'tracking_not_found' } },
  ])
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(questions.map(({ key, path }) => read(at, key, path)))
    for (const [index, { text }] of answers.entries()) {
      expect(JSON.parse(text)).toMatchObject(questions[index]?.answer as object)
      if (Array.isArray(questions[index]?.answer)) expect(JSON.parse(text)).toHaveLength(questions[index].answer.length)
    }
  }
})
