import { expect, inject, test } from 'vitest'
import { endKey, issueKey } from '../src/operator/keys.js'
import { openDatabase } from '../src/storage/database.js'
import { line, newAccount, type TestAccount } from './support/account.js'
import { countingQueries } from './support/counting.js'
import { newOperator } from './support/operator.js'
import { startService } from './support/service.js'

/** An order that is created by a key which was used before is one statement, and everything else about it is the same. */

const counted = countingQueries(openDatabase({ url: inject('databaseUrl') }, { connections: 2 }))
const service = await startService({ db: counted.db, answerMemory: 1_000_000 })
const other = await startService()

async function create(key: string, content: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.baseUrl}/v1/purchaseOrders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  })
  return { status: response.status, location: response.headers.get('location'), body: await response.json() }
}

/** An account whose key the service has seen. */
async function knownAccount(): Promise<TestAccount> {
  const account = await newAccount(service)
  await account.call('listPurchaseOrders')
  return account
}

const order = { reference: 'P-1', product_lines: [line()] }

async function stateOf({ id }: TestAccount) {
  const [row] = await other.db`
    select revision, purchase_order_revision, (select count(*) from purchase_orders where account_id = ${id}) as orders
    from accounts where account_id = ${id}`
  return row
}

test('it is one statement, raises the revision by one, and is in the change log', async () => {
  const account = await knownAccount()
  const before = counted.count()
  const answer = await create(account.key, order)
  expect(counted.count() - before).toBe(1)
  expect(answer).toEqual({ status: 201, location: '/v1/purchaseOrders/P-1', body: { reference: 'P-1' } })
  expect(await stateOf(account)).toMatchObject({ revision: 3, purchase_order_revision: 3 })
  const [change] = await other.db`
    select revision, author, what, record, at = changed_at as is_latest
    from changes join accounts using (account_id, revision) where account_id = ${account.id} and id = 'P-1'`
  expect(change).toMatchObject({ revision: 3, author: `key:${account.key_id}`, what: 'created', is_latest: true })
  expect(JSON.parse(change?.record as string)).toMatchObject({ reference: 'P-1' })
  expect((await account.call('listPurchaseOrders')).body).toHaveLength(1)
})

test('a reference that is taken is refused, and changes nothing', async () => {
  const account = await knownAccount()
  await create(account.key, order)
  const before = await stateOf(account)
  const again = await create(account.key, order)
  expect([again.status, again.body]).toMatchObject([409, { code: 'purchase_order_exists' }])
  expect(await stateOf(account)).toEqual(before)
})

test.each([
  ['a good order', order],
  ['one with a fault', { reference: '', product_lines: [] }],
  ['no JSON at all', '{'],
])('a key that was revoked elsewhere creates nothing and is told so: %s', async (_, content) => {
  const account = await knownAccount()
  await endKey(other.db, account.key_id)
  const before = await stateOf(account)
  expect((await create(account.key, content)).status).toBe(401)
  expect(await stateOf(account)).toEqual(before)
})

test('nor does one of an account that was suspended elsewhere', async () => {
  const account = await knownAccount()
  const { ops } = await newOperator(other)
  await ops('updateAccount', account.slug, { body: { suspended: true } })
  const before = await stateOf(account)
  expect((await create(account.key, order)).status).toBe(403)
  expect(await stateOf(account)).toEqual(before)
})

test('nor does one that may only read', async () => {
  const account = await knownAccount()
  const { key } = await issueKey(service.db, account.id, { scopes: ['read'] })
  await fetch(`${service.baseUrl}/v1/purchaseOrders`, { headers: { authorization: `Bearer ${key}` } })
  const answer = await create(key, order)
  expect([answer.status, answer.body]).toMatchObject([403, { code: 'insufficient_scope' }])
  expect(await stateOf(account)).toMatchObject({ orders: 0 })
})

test('with an idempotency key the answer is remembered, as ever', async () => {
  const account = await knownAccount()
  const headers = { 'idempotency-key': 'once' }
  expect((await create(account.key, order, headers)).status).toBe(201)
  expect((await create(account.key, order, headers)).status).toBe(201)
  expect(await stateOf(account)).toMatchObject({ orders: 1, revision: 3 })
})

test('creating at once on two processes leaves one order and one refusal for each reference', async () => {
  const account = await knownAccount()
  const references = Array.from({ length: 20 }, (_, index) => `R-${index}`)
  const answers = await Promise.all(
    references.flatMap((reference) => [
      create(account.key, { ...order, reference }),
      account.call('createPurchaseOrder', { body: { ...order, reference } }),
    ]),
  )
  expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
    ...references.map(() => 201),
    ...references.map(() => 409),
  ])
  expect(await stateOf(account)).toMatchObject({ orders: 20, revision: 22 })
})
