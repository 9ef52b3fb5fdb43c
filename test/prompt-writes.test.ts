import { expect, inject, test } from 'vitest'
import { endKey, issueKey } from '../src/operator/keys.js'
import { openDatabase } from '../src/storage/database.js'
import { findKeyHolder, type KeyHolder } from '../src/storage/keys.js'
import { changePurchaseOrderAtOnce } from '../src/storage/prompt-changes.js'
import { createPurchaseOrderAtOnce } from '../src/storage/prompt-creations.js'
import { line, newAccount, type TestAccount } from './support/account.js'
import { countingQueries } from './support/counting.js'
import { newOperator } from './support/operator.js'
import { type RunningService, startService } from './support/service.js'

/** What a key that was used before writes takes a statement or two, and everything else about it is the same. */

const counted = countingQueries(openDatabase({ url: inject('databaseUrl') }, { connections: 2 }))
const service = await startService({ db: counted.db, answerMemory: 1_000_000 })
const other = await startService()

const forgetful = await startService({ answerMemory: 0 })
const limited = await startService({ answerMemory: 1_000_000, rateLimit: 6 })

async function send(
  method: 'POST' | 'PATCH',
  key: string,
  content: unknown,
  { headers = {}, at = service }: { headers?: Record<string, string>; at?: RunningService } = {},
) {
  const response = await fetch(`${at.baseUrl}/v1/purchaseOrders`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const create = (key: string, content: unknown, headers?: Record<string, string>) =>
  send('POST', key, content, { headers: headers ?? {} })
const update = (key: string, content: unknown) => send('PATCH', key, content)

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
  expect(answer).toMatchObject({ status: 201, body: { reference: 'P-1' } })
  expect(await stateOf(account)).toMatchObject({ revision: 3, purchase_order_revision: 3 })
  const [change] = await other.db`
    select revision, author, what, record, at = changed_at as is_latest
    from changes join accounts using (account_id, revision) where account_id = ${account.id} and id = 'P-1'`
  expect(change).toMatchObject({ revision: 3, author: `key:${account.key_id}`, what: 'created', is_latest: true })
  expect(JSON.parse(change?.record as string)).toMatchObject({ reference: 'P-1' })
  expect((await account.call('listPurchaseOrders')).body).toHaveLength(1)
})

test('a change is two statements, raises the revision by one, and is in the change log', async () => {
  const account = await knownAccount()
  await create(account.key, order)
  const before = counted.count()
  const change = { reference: 'P-1', supplier_id: 'Fabrika' }
  expect(await update(account.key, change)).toMatchObject({ status: 200, body: { reference: 'P-1' } })
  expect(counted.count() - before).toBe(2)
  expect(await stateOf(account)).toMatchObject({ revision: 4, purchase_order_revision: 4, orders: 1 })
  const [found] = await other.db`
    select author, what, record from changes where account_id = ${account.id} and id = 'P-1' and revision = 4`
  expect(found).toMatchObject({ author: `key:${account.key_id}`, what: 'updated' })
  expect(JSON.parse(found?.record as string)).toMatchObject({ ...order, supplier_id: 'Fabrika' })
  const [shown] = (await account.call('listPurchaseOrders')).body
  expect(shown).toMatchObject({ po_number: 'P-1', supplier_name: 'Fabrika' })

  await update(account.key, change)
  expect(await stateOf(account)).toMatchObject({ revision: 4 })
})

test('the answers are those of the usual way, header by header', async () => {
  const [prompt, usual] = [await knownAccount(), await knownAccount()]
  for (const [method, content] of [
    ['POST', order],
    ['PATCH', { reference: 'P-1', supplier_id: 'Fabrika' }],
  ] as const) {
    const answers = [await send(method, prompt.key, content), await send(method, usual.key, content, { at: forgetful })]
    const [one, two] = answers.map(({ status, headers, body }) => ({
      status,
      body,
      headers: Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))),
    }))
    expect(one).toEqual(two)
  }
})

test('an assigned order refuses changes, an unknown one is not found', async () => {
  const account = await knownAccount()
  const { reference } = await account.forwarder.anAssignedOrder()
  const before = await stateOf(account)
  expect(await update(account.key, { reference, supplier_id: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'purchase_order_assigned' },
  })
  expect(await update(account.key, { reference: 'none', supplier_id: 'x' })).toMatchObject({ status: 404 })
  expect(await stateOf(account)).toEqual(before)
})

test('orders that come at once are stored together, each with a revision of its own', async () => {
  const accounts = await Promise.all([1, 2, 3, 4, 5].map(() => knownAccount()))
  const refused = accounts[4] as TestAccount
  await endKey(other.db, refused.key_id)
  const references = ['R-1', 'R-2', 'R-3', 'R-1']
  const answers = await Promise.all(
    accounts.flatMap(({ key }) => references.map((reference) => create(key, { ...order, reference }))),
  )
  const statuses = answers.map(({ status }) => status)
  for (const [index] of accounts.slice(0, 4).entries()) {
    const own = statuses.slice(4 * index, 4 * index + 4)
    expect(own.toSorted((one, two) => one - two)).toEqual([201, 201, 201, 409])
  }
  expect(statuses.slice(16)).toEqual([401, 401, 401, 401])
  for (const account of accounts.slice(0, 4)) {
    expect(await stateOf(account)).toMatchObject({ orders: 3, revision: 5, purchase_order_revision: 5 })
    const revisions =
      await other.db`select revision from changes where account_id = ${account.id} and kind = 'purchase_order'`
    expect(new Set(revisions.map(({ revision }) => revision as number))).toEqual(new Set([3, 4, 5]))
  }
  expect(await stateOf(refused)).toMatchObject({ orders: 0 })
})

test('that is one statement for all of them', async () => {
  const accounts = await Promise.all([1, 2, 3, 4, 5].map(() => knownAccount()))
  const holders = await Promise.all(accounts.map(({ key }) => findKeyHolder(other.db, key)))
  const row = { reference: 'P-1', body: '{"po_number":"P-1"}', record: '{"reference":"P-1"}' }
  const before = counted.count()
  const revisions = await Promise.all(
    holders.map((holder) =>
      createPurchaseOrderAtOnce(counted.db, holder?.account_id as number, holder as KeyHolder, row),
    ),
  )
  expect(counted.count() - before).toBe(1)
  expect(revisions).toEqual([3, 3, 3, 3, 3])
})

test.each([1, 2, 3, 4, 5, 8, 9, 33, 50, 51, 120])('%i orders of an account at once are all stored', async (count) => {
  const account = await knownAccount()
  const holder = (await findKeyHolder(other.db, account.key)) as KeyHolder
  const references = Array.from({ length: count }, (_, index) => `P-${index}`)
  const revisions = await Promise.all(
    references.map((reference) => {
      const row = { reference, body: `{"po_number":"${reference}"}`, record: `{"reference":"${reference}"}` }
      return createPurchaseOrderAtOnce(counted.db, account.id, holder, row)
    }),
  )
  expect(revisions).toEqual(references.map((_, index) => 3 + index))
  const rows = await other.db`
    select reference, body, record, purchase_orders.revision
    from purchase_orders join changes on changes.account_id = ${account.id} and id = reference
    where purchase_orders.account_id = ${account.id} order by purchase_orders.revision`
  const told = (reference: string, index: number) => ({
    reference,
    body: `{"po_number":"${reference}"}`,
    record: `{"reference":"${reference}"}`,
    revision: 3 + index,
  })
  expect(rows.map((row) => ({ ...row }))).toEqual(references.map(told))
})

test('changes of several accounts at once share two statements, and each stands for itself', async () => {
  const accounts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => knownAccount()))
  const [, unchanged, withoutOrder, ended, locked] = accounts as [TestAccount, ...TestAccount[]]
  for (const { key } of accounts.filter((account) => account !== withoutOrder)) await create(key, order)
  const holders = await Promise.all(accounts.map(({ key }) => findKeyHolder(other.db, key)))
  await endKey(other.db, ended?.key_id as string)
  const rowOf = (name: string) => ({
    record: `{"reference":"P-1","supplier_id":"${name}"}`,
    body: `{"po_number":"${name}"}`,
  })

  const before = counted.count()
  const revisions = await other.db.begin(async (sql) => {
    await sql`select from accounts where account_id = ${locked?.id as number} for no key update`
    return Promise.all(
      accounts.map(({ id }, index) =>
        changePurchaseOrderAtOnce(counted.db, id, holders[index] as KeyHolder, 'P-1', ({ record }) =>
          id === unchanged?.id ? { ...rowOf('none'), record } : rowOf(`S-${index}`),
        ),
      ),
    )
  })
  expect(counted.count() - before).toBe(2)
  expect(revisions).toEqual([4, 3, undefined, undefined, undefined, 4])
  for (const [index, { id }] of accounts.entries()) {
    const stored = await other.db`
      select body, changes.record from purchase_orders join changes using (account_id, revision) where account_id = ${id}`
    if (id === withoutOrder?.id) expect(stored).toHaveLength(0)
    else if (revisions[index] === 4) expect(stored[0]).toEqual(rowOf(`S-${index}`))
    else expect(JSON.parse(stored[0]?.record as string)).toMatchObject(order)
  }
})

test('changes of one order at once, on two processes, all happen, one after another', async () => {
  const account = await knownAccount()
  await create(account.key, order)
  const parameters = Array.from({ length: 20 }, (_, index) => ({ reference: 'P-1', supplier_id: `S-${index}` }))
  const answers = await Promise.all(
    parameters.flatMap((body) => [
      update(account.key, body),
      account.callAt(other, 'updatePurchaseOrder', { body: { ...body, supplier_id: `${body.supplier_id}-other` } }),
    ]),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await stateOf(account)).toMatchObject({ revision: 43, purchase_order_revision: 43 })
  const [{ mismatches } = {}] = await other.db`
    select count(*) as mismatches from purchase_orders join changes using (account_id, revision)
    where account_id = ${account.id} and id = reference and body::json ->> 'supplier_name' <> record::json ->> 'supplier_id'`
  expect(mismatches).toBe(0)
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
  for (const method of ['POST', 'PATCH'] as const) expect((await send(method, account.key, content)).status).toBe(401)
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

test('a write counts once against the limit, also when it is refused; what is counted too late is not done', async () => {
  const account = await newAccount(limited)
  const remaining = async (method: 'POST' | 'PATCH', content: unknown) => {
    const { status, headers } = await send(method, account.key, content, { at: limited })
    return [status, Number(headers.get('ratelimit-remaining'))]
  }
  // A minute may end in between: then it begins anew, once.
  const told = [
    await remaining('POST', order),
    await remaining('POST', { ...order, reference: 'P-2' }),
    await remaining('POST', order),
    await remaining('PATCH', { reference: 'none' }),
  ]
  expect(told.map(([status]) => status)).toEqual([201, 201, 409, 404])
  const left = told.map(([, rest]) => rest as number)
  expect(left.filter((rest, index) => index > 0 && rest === (left[index - 1] as number) - 1).length).toBeGreaterThan(1)

  const many = Array.from({ length: 20 }, (_, index) => ({ ...order, reference: `M-${index}` }))
  const answers = await Promise.all(many.map((content) => send('POST', account.key, content, { at: limited })))
  const done = answers.filter(({ status }) => status === 201).length
  expect(answers.filter(({ status }) => status === 429).length).toBe(20 - done)
  expect(await stateOf(account)).toMatchObject({ orders: 2 + done })
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
