import { expect, test } from 'vitest'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { line, newAccount } from '../support/account.js'
import { withinOneMinute } from '../support/one-minute.js'
import { newOperator } from '../support/operator.js'
import { newPerson } from '../support/person.js'
import { startService } from '../support/service.js'

/** Quotas of accounts: defaults of the configuration, and those that an operator has set. */

const service = await startService()
const limited = await startService({ rateLimit: 5, quotas: { requests_per_minute: 7 } })

const tinyPdf = { name: 'bill.pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') }

async function get(baseUrl: string, key: string) {
  const response = await fetch(`${baseUrl}/v1/locations`, { headers: { authorization: `Bearer ${key}` } })
  const { headers, status } = response
  await response.text()
  return { status, policy: headers.get('ratelimit-policy'), rate: headers.get('ratelimit'), headers }
}

test('keys of an account share its requests per minute, and the headers state the tighter limit', async () => {
  await withinOneMinute(async () => {
    const account = await newAccount(limited)
    const { key: second } = await issueKey(limited.db, account.id, { scopes: ['read'] })
    const first = await get(limited.baseUrl, account.key)
    expect(first).toMatchObject({ status: 200, policy: '"minute";q=5;w=60' })
    expect(first.rate).toMatch(/^"minute";r=4;t=\d+$/)
    for (let each = 0; each < 3; each += 1) await get(limited.baseUrl, account.key)
    // 4 of 5 for the second key, 2 of 7 for the account.
    const other = await get(limited.baseUrl, second)
    expect(other).toMatchObject({ status: 200, policy: '"account";q=7;w=60' })
    expect(other.rate).toMatch(/^"account";r=2;t=\d+$/)
    await get(limited.baseUrl, second)
    await get(limited.baseUrl, second)
    const refused = await get(limited.baseUrl, second)
    expect(refused).toMatchObject({ status: 429, policy: '"account";q=7;w=60' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test("an operator sets an account's quotas, which take effect at once and return to the default with null", async () => {
  const { ops } = await newOperator(service)
  await withinOneMinute(async () => {
    const account = await newAccount(service)
    const set = await ops('updateAccount', account.slug, { body: { quotas: { requests_per_minute: 2, documents: 9 } } })
    expect(set.body.quotas).toEqual({ requests_per_minute: 2, documents: 9 })
    const statuses = []
    for (let each = 0; each < 3; each += 1) statuses.push((await account.call('listLocations')).status)
    expect(statuses).toEqual([200, 200, 429])
    const person = await newPerson(service, account)
    expect(await person.portal('listViews')).toBeRefused('rate_limited')
    const reset = await ops('updateAccount', account.slug, { body: { quotas: { requests_per_minute: null } } })
    expect(reset.body.quotas).toEqual({ documents: 9 })
    expect((await account.call('listLocations')).status).toBe(200)
  })
  const { slug } = await newAccount(service)
  const wrong = await ops('updateAccount', slug, { body: { quotas: { documents: -1 } } })
  expect(wrong).toBeRefused('invalid_request')
  const { ops: asViewer } = await newOperator(service, 'viewer')
  expect(await asViewer('updateAccount', slug, { body: { quotas: {} } })).toBeRefused('insufficient_role')
})

test('an account with as many requests in progress as it may have is refused another one', async () => {
  const [account, neighbour] = [await newAccount(service), await newAccount(service)]
  const { ops } = await newOperator(service)
  await ops('updateAccount', account.slug, { body: { quotas: { concurrent_requests: 2 } } })
  // Two writes wait for the lock of the account.
  await service.db.begin(async (sql) => {
    await sql`select from accounts where account_id = ${account.id} for update`
    const order = (reference: string) =>
      account.call('createPurchaseOrder', { body: { reference, product_lines: [line()] } })
    const waiting = [order('A'), order('B')]
    await expect.poll(async () => (await account.call('listLocations')).status).toBe(429)
    const refused = await account.call('listLocations')
    expect(refused).toBeRefused('too_many_concurrent_requests')
    expect((await neighbour.call('listLocations')).status).toBe(200)
    void Promise.all(waiting)
  })
  await expect.poll(async () => (await account.call('listLocations')).status).toBe(200)
})

test('an order that would exceed the stored bytes is refused and changes nothing, also with an idempotency key', async () => {
  const account = await newAccount(service)
  const { ops } = await newOperator(service)
  const order = (reference: string, idempotencyKey = reference) =>
    account.call('createPurchaseOrder', { body: { reference, product_lines: [line()] }, idempotencyKey })
  expect((await order('A')).status).toBe(201)
  const { stored_bytes } = (await ops('getAccount', account.slug)).body
  expect(stored_bytes).toBeGreaterThan(20)
  await ops('updateAccount', account.slug, { body: { quotas: { stored_bytes: stored_bytes + 10 } } })
  expect(await order('B')).toBeRefused('quota_exceeded')
  expect((await account.call('listPurchaseOrders')).body).toHaveLength(1)
  expect((await ops('getAccount', account.slug)).body.stored_bytes).toBe(stored_bytes)
  await ops('updateAccount', account.slug, { body: { quotas: { stored_bytes: 0 } } })
  expect((await order('B')).status).toBe(201)
})

test('the documents of an account are limited by number and bytes, and a refused file is not kept', async () => {
  const { slug } = await newAccount(service)
  const { ops, sendFile } = await newOperator(service)
  const upload = () => sendFile('uploadDocument', slug, {}, tinyPdf)
  await ops('updateAccount', slug, { body: { quotas: { documents: 1 } } })
  const first = await upload()
  expect(first.status).toBe(201)
  expect(await upload()).toBeRefused('quota_exceeded')
  await ops('withdrawDocument', slug, { params: { id: first.body.id } })
  expect((await upload()).status).toBe(201)
  const { stored_bytes } = (await ops('getAccount', slug)).body
  // Content of the withdrawn document counts.
  expect(stored_bytes).toBeGreaterThan(2 * tinyPdf.bytes.length)
  await ops('updateAccount', slug, { body: { quotas: { documents: null, stored_bytes } } })
  expect(await upload()).toBeRefused('quota_exceeded')
})

test('default quotas apply to imports, and to accounts without their own', async () => {
  const strict = await startService({ quotas: { stored_bytes: 300 } })
  const account = await newAccount(strict)
  const { key } = await newOperator(strict)
  const lines = Array.from({ length: 20 }, (_, index) =>
    JSON.stringify({
      kind: 'location',
      account: account.slug,
      data: { id: index + 1, name: 'Warehouse', city: 'Hamburg', country: 'DE' },
    }),
  )
  const send = (body: string) =>
    fetch(`${strict.baseUrl}/ops/v1/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body,
    })
  const refused = await send(lines.join('\n'))
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'quota_exceeded'])
  expect((await send(lines.slice(0, 2).join('\n'))).status).toBe(200)
})
