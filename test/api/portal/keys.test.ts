import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/person.js'
import { until } from '../../support/program.js'
import { startService } from '../../support/service.js'

const service = await startService({ requestLogDays: 7 })

async function newMember() {
  const account = await newAccount(service)
  return { account, ...(await newPerson(service, account, 'member')) }
}

async function requestWith(key: string, path = '/v1/locations', method = 'GET') {
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  })
  return { status: response.status, text: await response.text() }
}

test('a key created in the portal works on the public interface at once, and is shown once', async () => {
  const { portal, account } = await newMember()
  const created = await portal('createOwnKey', { body: { name: 'ERP' } })
  expect(created.status).toBe(201)
  const { key, key_id } = created.body
  expect((await requestWith(key)).status).toBe(200)

  const listed = await portal('listOwnKeys')
  expect(listed.body.map((each) => each.key_id)).toEqual([account.key_id, key_id])
  expect(listed.body[1]).toMatchObject({ name: 'ERP', scopes: ['read', 'write'], ends_in: key.slice(-4) })
  expect(listed.text).not.toContain(key)
  expect(created.headers.get('cache-control')).toContain('no-store')
})

test('a key has its scopes and its expiry', async () => {
  const { portal } = await newMember()
  const expires_at = new Date(Date.now() + 2500).toISOString()
  const { key } = (await portal('createOwnKey', { body: { scopes: ['read'], expires_at } })).body
  expect((await requestWith(key)).status).toBe(200)
  expect(await requestWith(key, '/v1/purchaseOrders', 'POST')).toBeRefused('insufficient_scope')
  await until(async () => (await requestWith(key)).status === 401)

  const [, listed] = (await portal('listOwnKeys')).body
  expect(Date.parse(listed?.expires_at ?? '')).toBe(Date.parse(expires_at))
})

test('a key that would expire immediately is refused and not created', async () => {
  const { portal } = await newMember()
  const refused = await portal('createOwnKey', { body: { expires_at: '2020-01-01T00:00:00Z' } })
  expect(refused).toBeRefused('invalid_request')
  expect(refused.problem.errors).toEqual([{ pointer: '/expires_at', detail: 'must be in the future' }])
  expect((await portal('listOwnKeys')).body).toHaveLength(1)
})

test('an account has at most a hundred active keys', async () => {
  const { portal, account } = await newMember()
  await service.db`
    insert into keys (account_id, key_id, hash, hint, scopes)
    select ${account.id}, 'key_' || each, sha256((${account.slug} || each)::bytea), '', '{read}' from generate_series(1, 99) each`
  expect(await portal('createOwnKey', { body: {} })).toBeRefused('too_many_keys')
  const { ops } = await newOperator(service)
  expect(await ops('createKey', account.slug, { body: {} })).toBeRefused('too_many_keys')
  await portal('revokeOwnKey', { params: { key_id: 'key_1' } })
  await service.db`update keys set expires_at = now() where account_id = ${account.id} and key_id = 'key_2'`
  expect((await portal('createOwnKey', { body: {} })).status).toBe(201)
  expect((await ops('createKey', account.slug, { body: {} })).status).toBe(201)
  expect(await portal('createOwnKey', { body: {} })).toBeRefused('too_many_keys')
})

test('a revoked key stops working at once, and stays in the list', async () => {
  const { portal } = await newMember()
  const { key, key_id } = (await portal('createOwnKey', { body: {} })).body
  expect((await requestWith(key)).status).toBe(200)
  const revoked = await portal('revokeOwnKey', { params: { key_id } })
  expect(revoked.body).toMatchObject({ key_id, revoked_at: expect.stringMatching(/Z$/) as string })
  expect(await requestWith(key)).toBeRefused('invalid_key')
  // Revoking again has no effect.
  const again = await portal('revokeOwnKey', { params: { key_id } })
  expect(again.body.revoked_at).toBe(revoked.body.revoked_at)
  expect((await portal('listOwnKeys')).body.find((each) => each.key_id === key_id)?.revoked_at).toBeDefined()
})

test('the last use of a key is shown', async () => {
  const { portal } = await newMember()
  const { key, key_id } = (await portal('createOwnKey', { body: {} })).body
  const lastUse = async () => (await portal('listOwnKeys')).body.find((each) => each.key_id === key_id)?.last_used_at
  expect(await lastUse()).toBeUndefined()
  const before = Date.now()
  await requestWith(key)
  await until(async () => (await lastUse()) !== undefined)
  const first = Date.parse((await lastUse()) ?? '')
  expect(first).toBeGreaterThanOrEqual(before)
  await requestWith(key, '/v1/nothing-like-that')
  await until(async () => Date.parse((await lastUse()) ?? '') > first)
})

test("the change log has the author of a key's creation and revocation", async () => {
  const { portal, account, person_id } = await newMember()
  const { key_id } = (await portal('createOwnKey', { body: {} })).body
  await portal('revokeOwnKey', { params: { key_id } })
  const rows = await service.db`
    select author, what from changes where account_id = ${account.id} and kind = 'key' and id = ${key_id} order by revision`
  expect(rows.map(({ author, what }) => [author, what])).toEqual([
    [`person:${person_id}`, 'created'],
    [`person:${person_id}`, 'removed'],
  ])
})

test('keys of another account are neither shown nor revoked', async () => {
  const [one, other] = [await newMember(), await newMember()]
  const { key, key_id } = (await other.portal('createOwnKey', { body: {} })).body
  expect((await one.portal('listOwnKeys')).text).not.toContain(key_id)
  expect(await one.portal('revokeOwnKey', { params: { key_id } })).toBeRefused('key_not_found')
  expect((await requestWith(key)).status).toBe(200)
})

test('a viewer can neither list nor create keys', async () => {
  const account = await newAccount(service)
  const { portal } = await newPerson(service, account, 'viewer')
  expect(await portal('listOwnKeys')).toBeRefused('insufficient_role')
  expect(await portal('createOwnKey', { body: {} })).toBeRefused('insufficient_role')
  expect(await portal('revokeOwnKey', { params: { key_id: account.key_id } })).toBeRefused('insufficient_role')
  expect(await portal('listRequests')).toBeRefused('insufficient_role')
  expect((await requestWith(account.key)).status).toBe(200)
})

test('a new key is mailed to its maker, and one of an operator to the admins of the account, once', async () => {
  const { account, email, portal } = await newMember()
  const admin = await newPerson(service, account)
  const french = await newPerson(service, account)
  await french.portal('updatePerson', { body: { language: 'fr' } })
  const disabled = await newPerson(service, account)
  await admin.portal('updateRole', { params: { person_id: disabled.person_id }, body: { disabled: true } })
  const { ops } = await newOperator(service)
  const mailed = () => {
    const people = new Set([email, admin.email, french.email, disabled.email])
    return service.mails.splice(0).filter(({ to }) => people.has(to))
  }
  mailed()
  await portal('createOwnKey', { body: {} })
  expect(mailed().map(({ to }) => to)).toEqual([email])

  const again = { body: { name: 'ERP' }, idempotencyKey: `key ${account.slug}` }
  const created = await ops('createKey', account.slug, again)
  expect((await ops('createKey', account.slug, again)).body).toEqual(created.body)
  const mails = mailed()
  expect(mails.map(({ to }) => to).toSorted()).toEqual([admin.email, french.email].toSorted())
  const textFor = (to: string) => mails.find((mail) => mail.to === to)?.text
  const { key, key_id } = created.body
  expect(textFor(admin.email)).toContain(`ends in ${key.slice(-4)}`)
  expect(textFor(french.email)).toContain(`se termine par ${key.slice(-4)}`)
  expect(JSON.stringify(mails)).not.toContain(key)

  await ops('rotateKey', account.slug, { params: { key_id }, body: {} })
  expect(mailed()).toHaveLength(2)
  await ops('createKey', account.slug, { body: { expires_at: '2020-01-01T00:00:00Z' } })
  expect(mailed()).toEqual([])
})
