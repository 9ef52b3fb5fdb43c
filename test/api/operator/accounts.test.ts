import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { send } from '../../../src/client/client.js'
import type { OperatorResponse } from '../../../src/contract/operator/operations.js'
import { line, newAccount } from '../../support/account.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { newOperator, type TestOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()
const other = await startService()

const newSlug = () => `new-${randomBytes(6).toString('hex')}`

async function requests(key: string, { baseUrl } = service) {
  const response = await send({ baseUrl, key }, 'listLocations')
  return { status: response.status, text: await response.text() }
}

test('a new account is empty, and a key for it works at once', async () => {
  const { ops } = await newOperator(service)
  const slug = newSlug()
  const created = await ops('createAccount', undefined, { body: { slug, name: 'Nordlicht Leuchten GmbH' } })
  expect(created.headers.get('location')).toBe(`/ops/v1/accounts/${slug}`)
  expect(created.body).toEqual({
    slug,
    name: 'Nordlicht Leuchten GmbH',
    created_at: expect.any(String) as string,
    suspended: false,
    second_factor_required: false,
    provider_only: false,
    quotas: {},
    stored_bytes: 0,
    counts: { shipments: 0, purchase_orders: 0, locations: 0, invoices: 0, documents: 0, keys: 0 },
  })
  const { key } = (await ops('createKey', slug, { body: {} })).body
  expect(await requests(key)).toEqual({ status: 200, text: '[]' })
  expect((await ops('getAccount', slug)).body).toEqual({
    ...created.body,
    counts: { ...created.body.counts, keys: 1 },
  })
})

test('a short name that is in use is refused, and the existing account is unchanged', async () => {
  const { slug, work, ops, revision } = await startForwarding(service)
  const before = [await revision(), (await work('getAccount')).text]
  expect(await ops('createAccount', undefined, { body: { slug, name: 'Another' } })).toBeRefused('account_exists')
  expect([await revision(), (await work('getAccount')).text]).toEqual(before)
})

test.each(['', 'Capital', 'a_b', '-a', 'a-', 'a b', 'ä', 'a/b', '..', 'x'.repeat(64)])(
  'the short name %j is refused',
  async (slug) => {
    const { ops } = await newOperator(service)
    const refused = await ops('createAccount', undefined, { body: { slug, name: 'Name' } })
    expect(refused).toBeRefused('invalid_request')
    expect(pointersOf(refused)).toEqual(['/slug'])
  },
)

test('short names of 1 and 63 characters, with digits and inner hyphens, are accepted', async () => {
  const { ops } = await newOperator(service)
  for (const slug of [`0-${randomBytes(4).toString('hex')}`, randomBytes(32).toString('hex').slice(0, 63)]) {
    expect((await ops('createAccount', undefined, { body: { slug, name: 'N' } })).status).toBe(201)
  }
})

test('a renamed account keeps its short name, and its previous name stays in the history', async () => {
  const { slug, work, operator_id } = await startForwarding(service)
  const renamed = await work('updateAccount', { body: { name: 'Süd AG', reason: 'merger' } })
  expect(renamed.body).toMatchObject({ slug, name: 'Süd AG', suspended: false })
  const [entry] = (await work('getHistory', { params: { kind: 'account', id: slug } })).body
  expect(entry).toMatchObject({
    what: 'updated',
    reason: 'merger',
    recorded_by: `operator:${operator_id}`,
    changes: [{ pointer: '/name', before: `Account ${slug}`, after: 'Süd AG' }],
  })
})

test('an update without a difference creates no version', async () => {
  const { slug, work, revision } = await startForwarding(service)
  const before = await revision()
  await work('updateAccount', { body: { name: `Account ${slug}`, suspended: false } })
  expect(await revision()).toBe(before)
})

test('an empty update is refused', async () => {
  const { work } = await startForwarding(service)
  expect(pointersOf(await work('updateAccount', { body: {} }))).toEqual([''])
  expect(pointersOf(await work('updateAccount', { body: { reason: 'none' } }))).toEqual([''])
})

test('the keys of a suspended account stop at once on every process; its data is kept and accessible again when it is reactivated', async () => {
  const { key, call, work } = await startForwarding(service)
  await call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  const before = (await call('listPurchaseOrders')).text

  const suspended = (await work('updateAccount', { body: { suspended: true, reason: 'unpaid' } })).body
  expect(suspended).toMatchObject({ suspended: true, suspended_at: expect.any(String) as string })
  expect(await call('listPurchaseOrders')).toBeRefused('account_suspended')
  expect(await call('createPurchaseOrder', { body: { reference: 'PO-2', product_lines: [line()] } })).toBeRefused(
    'account_suspended',
  )
  expect(await requests(key, other)).toBeRefused('account_suspended')
  expect((await work('getAccount')).body.counts).toMatchObject({ purchase_orders: 1, keys: 1 })
  expect((await work('getPurchaseOrder', { params: { reference: 'PO-1' } })).status).toBe(200)

  const again = (await work('updateAccount', { body: { suspended: false } })).body
  expect(again.suspended).toBe(false)
  expect(again).not.toHaveProperty('suspended_at')
  expect((await call('listPurchaseOrders')).text).toBe(before)
})

test('suspending a suspended account keeps the first date', async () => {
  const { work } = await startForwarding(service)
  const first = (await work('updateAccount', { body: { suspended: true } })).body.suspended_at
  expect((await work('updateAccount', { body: { suspended: true, name: 'B' } })).body.suspended_at).toBe(first)
})

test('concurrent changes of name and suspension both take effect', async () => {
  const { work, ops, slug } = await startForwarding(service)
  const elsewhere = await newOperator(other)
  for (const [index, suspended] of [true, false, true, false, true].entries()) {
    await Promise.all([
      work('updateAccount', { body: { suspended } }),
      elsewhere.ops('updateAccount', slug, { body: { name: `Name ${index}` } }),
    ])
    expect((await ops('getAccount', slug)).body).toMatchObject({ suspended, name: `Name ${index}` })
  }
})

test('accounts are listed by short name, in pages, with their record counts', async () => {
  const { slug, work, forwarder, ops } = await startForwarding(service)
  await forwarder.anAssignedOrder()
  await work('createLocation', { body: { name: 'A' } })
  await work('createLocation', { body: { name: 'B' } })
  await work('updateLocation', { params: { id: '2' }, body: { retired: true } })
  await forwarder.imports({ kind: 'invoice', data: { reference: 'INV-1' } })
  const { key_id } = (await work('createKey', { body: {} })).body
  await work('revokeKey', { params: { key_id } })

  // Other tests add accounts meanwhile: a page is compared only if the whole list was the same before and after it.
  await vi.waitFor(async () => {
    const all = await everyAccount(ops)
    const index = all.findIndex((account) => account.slug === slug)
    const page = await ops('listAccounts', undefined, { query: { skip: index, take: 1 } })
    const slugs = all.map((account) => account.slug)
    expect((await everyAccount(ops)).map((account) => account.slug)).toEqual(slugs)
    expect(slugs).toEqual(slugs.toSorted())
    expect(page.body).toEqual([all[index]])
    expect(page.body[0]?.counts).toEqual({
      shipments: 1,
      purchase_orders: 1,
      locations: 1,
      invoices: 1,
      documents: 0,
      keys: 1,
    })
  }, 10_000)
})

async function everyAccount(ops: TestOperator['ops']) {
  const all: OperatorResponse<'listAccounts'> = []
  let isLast = false
  while (!isLast) {
    const page: OperatorResponse<'listAccounts'> = (
      await ops('listAccounts', undefined, { query: { skip: all.length, take: 1000 } })
    ).body
    all.push(...page)
    isLast = page.length < 1000
  }
  return all
}

test('a key has the given scopes, name and expiry, and is shown once', async () => {
  const { work, call } = await startForwarding(service)
  const expires_at = '2999-01-31T12:00:00+01:00'
  const created = (await work('createKey', { body: { name: 'ERP', scopes: ['read'], expires_at } })).body
  expect(created.key).toMatch(/^wb_(?!op_)/)
  const listed = (await work('listKeys')).body
  expect(listed.find(({ key_id }) => key_id === created.key_id)).toEqual({
    key_id: created.key_id,
    name: 'ERP',
    scopes: ['read'],
    ends_in: created.key.slice(-4),
    created_at: expect.any(String) as string,
    created_by: expect.stringMatching(/^operator:/) as string,
    created_by_name: 'Test admin',
    owner: expect.stringMatching(/^operator:/) as string,
    expires_at: '2999-01-31T11:00:00.000Z',
  })
  expect(JSON.stringify(listed)).not.toContain(created.key)
  expect((await call('listLocations')).status).toBe(200)
  const response = await send({ baseUrl: service.baseUrl, key: created.key }, 'createPurchaseOrder', {
    body: { reference: 'PO-1', product_lines: [line()] },
  })
  expect({ status: response.status, text: await response.text() }).toBeRefused('insufficient_scope')
})

test('a key that could never work is refused', async () => {
  const { work, revision } = await startForwarding(service)
  const before = await revision()
  const refused = await work('createKey', { body: { expires_at: '2020-01-01T00:00:00Z' } })
  expect(pointersOf(refused)).toEqual(['/expires_at'])
  expect(pointersOf(await work('createKey', { body: { scopes: [] } }))).toEqual(['/scopes'])
  expect(await revision()).toBe(before)
})

test('a revoked key stops at once on every process, stays listed, and can be revoked again without effect', async () => {
  const { work, revision } = await startForwarding(service)
  const { key, key_id } = (await work('createKey', { body: {} })).body
  expect((await requests(key, other)).status).toBe(200)
  const revoked = (await work('revokeKey', { params: { key_id } })).body
  expect(revoked.revoked_at).toBeDefined()
  expect(await requests(key)).toBeRefused('invalid_key')
  expect(await requests(key, other)).toBeRefused('invalid_key')
  const before = await revision()
  expect((await work('revokeKey', { params: { key_id } })).body).toEqual(revoked)
  expect(await revision()).toBe(before)
  expect((await work('listKeys')).body).toContainEqual(revoked)
})

test('revoking a key of another account is refused with 404, and the key keeps working', async () => {
  const { work } = await startForwarding(service)
  const stranger = await newAccount(service)
  expect(await work('revokeKey', { params: { key_id: stranger.key_id } })).toBeRefused('key_not_found')
  expect(await work('revokeKey', { params: { key_id: 'key_none' } })).toBeRefused('key_not_found')
  expect((await requests(stranger.key)).status).toBe(200)
})

test('every operation on an unknown account is refused with 404', async () => {
  const { ops } = await newOperator(service)
  expect(await ops('getAccount', 'no-such-account')).toBeRefused('account_not_found')
  expect(await ops('listKeys', 'no-such-account')).toBeRefused('account_not_found')
  expect(await ops('createShipment', 'No Such/Account', { body: {} })).toBeRefused('account_not_found')
})

test('an operator can read their own identity', async () => {
  const { ops, operator_id } = await newOperator(service, 'viewer')
  expect((await ops('getOperator', undefined)).body).toEqual({ operator_id, name: 'Test viewer', role: 'viewer' })
})
