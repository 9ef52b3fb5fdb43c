import { expect, test } from 'vitest'
import {
  isGranted,
  operationNames,
  operations,
  type PublicOperation,
  type Scope,
  scopes,
} from '../../../src/contract/public/operations.js'
import { isNetwork } from '../../../src/domain/accounts/networks.js'
import { issueKey } from '../../../src/usecases/accounts/create-key.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

/** What a key may do, from where, and until when: scopes by resource, networks, rotation, and a required expiry. */

const service = await startService()

async function get(path: string, key: string, headers: Record<string, string> = {}) {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
  return { status: response.status, text: await response.text() }
}

test('a scope of one resource permits its operations and no others, also where the response is cached', async () => {
  const account = await newAccount(service)
  const paths: Record<string, string> = {
    'orders:read': '/v1/purchaseOrders',
    'locations:read': '/v1/locations',
    'invoices:read': '/v1/invoices',
    'documents:read': '/v1/documents',
    'shipments:read': '/v1/shipments',
    'tracking:read': '/v1/tracking/none',
  }
  // Cached by a key that may read everything.
  for (const path of Object.values(paths)) await get(path, account.key)
  for (const granted of Object.keys(paths) as Scope[]) {
    const { key } = await issueKey(service.db, account.id, { scopes: [granted] })
    for (const [needed, path] of Object.entries(paths)) {
      for (const attempt of ['first', 'cached']) {
        const response = await get(path, key)
        if (needed === granted) expect([200, 404], `${attempt} ${path}`).toContain(response.status)
        else expect(response).toBeRefused('insufficient_scope')
      }
    }
  }
})

test('orders:write writes orders and reads nothing', async () => {
  const account = await newAccount(service)
  const { key } = await issueKey(service.db, account.id, { scopes: ['orders:write'] })
  const response = await fetch(`${service.baseUrl}/v1/purchaseOrders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reference: 'P-1', product_lines: [{ ordered_quantity: 1, product: { sku: 'S' } }] }),
  })
  expect(response.status).toBe(201)
  expect(await get('/v1/purchaseOrders/P-1', key)).toBeRefused('insufficient_scope')
})

test('every operation but the feed and webhooks, which concern all, is permitted by one scope of a resource, and every such scope permits an operation', () => {
  const fine = scopes.filter((scope) => scope.includes(':'))
  const all: PublicOperation[] = operationNames.map((name) => operations[name])
  for (const operation of all)
    expect(fine.filter((scope) => isGranted([scope], operation))).toHaveLength(
      operation.isFeed || operation.concernsAll ? 0 : 1,
    )
  for (const scope of fine) expect(all.some((operation) => isGranted([scope], operation))).toBe(true)
})

test('a key works from its networks only, as the trusted proxy reports the address, also where the response is cached', async () => {
  const account = await newAccount(service)
  const { portal } = await newPerson(service, account, 'admin')
  const networks = ['203.0.113.0/24', '2001:db8:7::/48', '198.51.100.7']
  const { key } = (await portal('createOwnKey', { body: { scopes: ['read'], networks } })).body
  const from = (address: string) => get('/v1/locations', key, { 'x-forwarded-for': address })
  for (const address of ['203.0.113.9', '2001:db8:7:1::1', '198.51.100.7', '203.0.113.200']) {
    expect((await from(address)).status, address).toBe(200)
  }
  for (const address of ['203.0.114.9', '2001:db8:8::1', '198.51.100.8']) {
    expect(await from(address), address).toBeRefused('address_not_allowed')
  }
  expect(await get('/v1/locations', key)).toBeRefused('address_not_allowed')
  // An address that the client itself puts before that of the proxy does not count.
  expect(await from('203.0.113.9, 192.0.2.1')).toBeRefused('address_not_allowed')
  const listed = (await portal('listOwnKeys')).body.find((each) => each.ends_in === key.slice(-4))
  expect(listed?.networks).toEqual(networks)
})

test.each(['203.0.113.0/33', '2001:db8::/129', '203.0.113', 'example.com', '203.0.113.0/', '1.2.3.4/08', ':::1', ''])(
  '%j is not a network',
  (text) => expect(isNetwork(text)).toBe(false),
)

test('a network that is not valid is named, and no key is created', async () => {
  const account = await newAccount(service)
  const { portal } = await newPerson(service, account, 'admin')
  const refused = await portal('createOwnKey', { body: { networks: ['10.0.0.0/8', '10.0.0.0/99'] } })
  expect(refused).toBeRefused('invalid_request')
  expect(refused.problem.errors).toMatchObject([{ pointer: '/networks/1' }])
  expect((await portal('listOwnKeys')).body).toHaveLength(1)
})

test('after a rotation both keys work until the old one ends, with the same terms', async () => {
  const account = await newAccount(service)
  const { portal, person_id } = await newPerson(service, account, 'admin', { name: 'Kim' })
  const old = (await portal('createOwnKey', { body: { name: 'ERP', scopes: ['orders:read'] } })).body
  const old_until = new Date(Date.now() + 3000).toISOString()
  const rotated = (await portal('rotateOwnKey', { params: { key_id: old.key_id }, body: { old_until } })).body
  for (const { key } of [old, rotated]) expect((await get('/v1/purchaseOrders', key)).status).toBe(200)
  expect(await get('/v1/locations', rotated.key)).toBeRefused('insufficient_scope')
  const listed = (await portal('listOwnKeys')).body.find((each) => each.key_id === rotated.key_id)
  expect(listed).toMatchObject({
    name: 'ERP',
    replaces: old.key_id,
    created_by: `person:${person_id}`,
    created_by_name: 'Kim',
  })
  await expect.poll(async () => (await get('/v1/purchaseOrders', old.key)).status).toBe(401)
  expect((await get('/v1/purchaseOrders', rotated.key)).status).toBe(200)
  expect(await portal('rotateOwnKey', { params: { key_id: old.key_id }, body: {} })).toBeRefused('key_not_active')
  const late = new Date(Date.now() + 31 * 86_400_000).toISOString()
  const tooLong = await portal('rotateOwnKey', { params: { key_id: rotated.key_id }, body: { old_until: late } })
  expect(tooLong).toBeRefused('invalid_request')
  const { entries } = (await portal('listAudit', { query: { kind: 'key' } })).body
  expect(entries.map(({ action, subject }) => [action, subject]).slice(0, 2)).toEqual([
    ['key_rotated', old.key_id],
    ['key_created', old.key_id],
  ])
})

test('operators rotate keys of an account, and nobody those of another one', async () => {
  const account = await newAccount(service)
  const other = await newAccount(service)
  const { ops } = await newOperator(service)
  const stranger = await newPerson(service, other, 'admin')
  const params = { key_id: account.key_id }
  expect(await stranger.portal('rotateOwnKey', { params, body: {} })).toBeRefused('key_not_found')
  expect(await ops('rotateKey', other.slug, { params, body: {} })).toBeRefused('key_not_found')
  const rotated = await ops('rotateKey', account.slug, { params, body: {} })
  expect(rotated.status).toBe(201)
  expect((await get('/v1/locations', rotated.body.key)).status).toBe(200)
  expect((await get('/v1/locations', account.key)).status).toBe(200)
})

test('an account may require that keys expire, within a number of days', async () => {
  const account = await newAccount(service)
  const { portal } = await newPerson(service, account, 'admin')
  const { ops } = await newOperator(service)
  expect((await portal('updateKeyPolicy', { body: { max_days: 30 } })).status).toBe(200)
  expect((await portal('getKeyPolicy')).body).toEqual({ max_days: 30 })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const body of [{}, { expires_at: inDays(31) }]) {
    const refused = await portal('createOwnKey', { body })
    expect(refused).toBeRefused('invalid_request')
    expect(refused.problem.errors).toMatchObject([{ pointer: '/expires_at' }])
  }
  expect(await ops('createKey', account.slug, { body: {} })).toBeRefused('invalid_request')
  expect((await portal('createOwnKey', { body: { expires_at: inDays(30) } })).status).toBe(201)
  // The key of a rotation expires within the rule, even if the old one did not.
  const { key_id } = (await portal('rotateOwnKey', { params: { key_id: account.key_id }, body: {} })).body
  const rotated = (await portal('listOwnKeys')).body.find((each) => each.key_id === key_id)
  expect(Date.parse(rotated?.expires_at ?? '')).toBeLessThanOrEqual(Date.parse(inDays(30)))
  const member = await newPerson(service, account, 'member')
  expect(await member.portal('updateKeyPolicy', { body: {} })).toBeRefused('insufficient_role')
})

test('when a person is removed, the admin chooses whether their keys end or are handed over', async () => {
  const account = await newAccount(service)
  const admin = await newPerson(service, account, 'admin')
  for (const keys of ['revoke', 'hand_over'] as const) {
    const leaver = await newPerson(service, account, 'member')
    const { key, key_id } = (await leaver.portal('createOwnKey', { body: {} })).body
    const params = { person_id: leaver.person_id }
    expect(await admin.portal('removePerson', { params })).toBeRefused('keys_undecided')
    expect((await leaver.portal('getSession')).status).toBe(200)
    expect((await admin.portal('removePerson', { params, query: { keys } })).status).toBe(200)
    expect((await get('/v1/locations', key)).status).toBe(keys === 'revoke' ? 401 : 200)
    const listed = (await admin.portal('listOwnKeys')).body.find((each) => each.key_id === key_id)
    expect(listed?.created_by).toBe(`person:${leaver.person_id}`)
    expect(listed?.owner).toBe(`person:${keys === 'revoke' ? leaver.person_id : admin.person_id}`)
    const { entries } = (await admin.portal('listAudit', { query: { kind: 'key', take: 1 } })).body
    expect(entries).toMatchObject([{ action: keys === 'revoke' ? 'key_revoked' : 'key_handed_over', subject: key_id }])
  }
})
