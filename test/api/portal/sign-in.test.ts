import { request } from 'node:http'
import { expect, test } from 'vitest'
import type { Problem } from '../../../src/contract/problem.js'
import { commit } from '../../../src/ledger/commit.js'
import { hashOfKey } from '../../../src/store/key-hash.js'
import { changeAccount } from '../../../src/usecases/accounts/update-account.js'
import { setDisabled } from '../../../src/usecases/people/update-role.js'
import { newAccount } from '../../support/account.js'
import {
  asPerson,
  asVisitor,
  newClientAddress,
  newEmail,
  newPerson,
  testPassword,
  tokenIn,
} from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function aPersonWithPassword() {
  const account = await newAccount(service)
  return { account, person: await newPerson(service, account, 'admin', { hasPassword: true }) }
}

async function signIn(email: string, password: string, { machine = newClientAddress(), at = service } = {}) {
  return asVisitor(at, 'signIn', { body: { email, password } }, machine)
}

test('a person signs in with address and password, in any letter case of the address, and gets the session', async () => {
  const { account, person } = await aPersonWithPassword()
  const result = await signIn(person.email.toUpperCase(), testPassword)
  expect(result.status).toBe(201)
  expect(result.body).toMatchObject({
    person: { person_id: person.person_id, email: person.email, role: 'admin', status: 'active' },
    account: { slug: account.slug, name: `Account ${account.slug}` },
    signed_in_with: 'password',
    has_password: true,
  })
  expect(result.headers.get('cache-control')).toContain('no-store')
  expect(result.text).not.toContain(tokenIn(result))
  const session = await asPerson(service, tokenIn(result)).portal('getSession')
  expect(session.body).toEqual(result.body)
})

test('the cookie needs no TLS on this machine; elsewhere it is Secure and host-only', async () => {
  const { person } = await aPersonWithPassword()
  const here = await signIn(person.email, testPassword)
  const common = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000'
  expect(here.headers.getSetCookie()[0]).toBe(`waybill_session=${tokenIn(here)}; ${common}`)

  const published = await startService({ publicUrl: 'https://portal.example.com' })
  const there = await signIn(person.email, testPassword, { at: published })
  expect(there.headers.getSetCookie()[0]).toBe(`__Host-waybill_session=${tokenIn(there)}; ${common}; Secure`)

  const named = await requestWithHost('portal.example.com', person.email)
  expect(named).toMatch(/^__Host-waybill_session=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/)
})

/** Signs in with another Host header, and returns the cookie. */
function requestWithHost(host: string, email: string): Promise<string | undefined> {
  const { port } = new URL(service.baseUrl)
  const headers = { host, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const requested = request({ port, method: 'POST', path: '/portal/v1/session', headers }, (response) => {
      response.resume()
      resolve(response.headers['set-cookie']?.[0])
    })
    requested.on('error', reject)
    requested.end(JSON.stringify({ email, password: testPassword }))
  })
}

test('a cookie without the __Host- prefix, which a sibling domain may have set, is ignored over TLS', async () => {
  const { person } = await aPersonWithPassword()
  const published = await startService({ publicUrl: 'https://portal.example.com' })
  const send = async (name: string) =>
    (await fetch(`${published.baseUrl}/portal/v1/session`, { headers: { cookie: `${name}=${person.token}` } })).status
  expect(await send('waybill_session')).toBe(401)
  expect(await send('__Host-waybill_session')).toBe(200)
})

test('unknown, disabled and password-less people get the same refusal as a wrong password', async () => {
  const { account, person } = await aPersonWithPassword()
  const invited = await newPerson(service, account, 'member')
  const disabled = await newPerson(service, account, 'member', { hasPassword: true })
  await setDisabled(service.db, account.id, disabled.person_id, true)
  const responses = [
    await signIn(person.email, 'not the password'),
    await signIn(newEmail(), testPassword),
    await signIn(invited.email, testPassword),
    await signIn(disabled.email, testPassword),
  ]
  for (const result of responses) {
    expect(result).toBeRefused('sign_in_failed')
    expect(withoutId(result.problem)).toEqual(withoutId(responses[0]?.problem as Problem))
    expect([...result.headers.keys()]).toEqual([...(responses[0]?.headers.keys() ?? [])])
    expect(result.headers.get('set-cookie')).toBeNull()
  }
})

function withoutId({ request_id: _id, ...problem }: Problem) {
  return problem
}

test('after five failures the next attempt is delayed, for known and unknown addresses and with the right password', async () => {
  const { person } = await aPersonWithPassword()
  for (const email of [person.email, newEmail()]) {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await signIn(email, 'not the password')).toBeRefused('sign_in_failed')
    }
    const slowed = await signIn(email.toUpperCase(), testPassword)
    expect(slowed).toBeRefused('sign_in_slowed')
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  // Each failure doubles the delay, which has passed here.
  const subject = hashOfKey(`sign-in ${person.person_id}`)
  await service.db`update sign_in_failures set last_at = now() - interval '1 hour' where subject = ${subject}`
  expect((await signIn(person.email, testPassword)).status).toBe(201)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await signIn(person.email, 'not the password')).toBeRefused('sign_in_failed')
  }
})

test('concurrent attempts are all counted', async () => {
  const { person } = await aPersonWithPassword()
  const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(person.email, 'not the password')))
  const slowed = responses.filter(({ problem }) => problem.code === 'sign_in_slowed')
  expect(slowed.length).toBeGreaterThan(0)
})

test('a client address that fails with many accounts is delayed, and no other address', async () => {
  const { person } = await aPersonWithPassword()
  const machine = newClientAddress()
  for (let attempt = 0; attempt < 50; attempt += 1) {
    // All addresses of an IPv6 /64 count as one.
    const address = machine.replace(/1$/, attempt.toString(16))
    expect(await signIn(newEmail(), 'not the password', { machine: address })).toBeRefused('sign_in_failed')
  }
  expect(await signIn(person.email, testPassword, { machine })).toBeRefused('sign_in_slowed')
  expect((await signIn(person.email, testPassword)).status).toBe(201)
})

test('signing out ends this session at once, and no other one of the person or of colleagues', async () => {
  const { account, person } = await aPersonWithPassword()
  const colleague = await newPerson(service, account)
  const elsewhere = asPerson(service, tokenIn(await signIn(person.email, testPassword)))
  const result = await person.portal('signOut')
  expect(result.body).toEqual({ accepted: true })
  expect(result.headers.get('set-cookie')).toBe('waybill_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  expect(await person.portal('getSession')).toBeRefused('not_signed_in')
  expect(await person.v1('listLocations')).toBeRefused('not_signed_in')
  for (const { portal } of [elsewhere, colleague]) expect((await portal('getSession')).status).toBe(200)
})

test('the session endpoint reports the signed-in person, or that there is none', async () => {
  const { person } = await aPersonWithPassword()
  const found = await person.portal('findSession')
  expect(found.body).toEqual({ session: (await person.portal('getSession')).body })
  expect(found.headers.get('cache-control')).toContain('private')
  expect((await asVisitor(service, 'findSession')).body).toEqual({})
  for (const token of ['nonsense', 'a'.repeat(32)]) {
    expect((await asPerson(service, token).portal('findSession')).body).toEqual({})
  }
  await person.portal('signOut')
  expect((await person.portal('findSession')).body).toEqual({})
})

test('a disabled or removed person is signed out at once, and enabling does not restore sessions', async () => {
  const account = await newAccount(service)
  const [admin, disabled, removed] = [
    await newPerson(service, account),
    await newPerson(service, account, 'member'),
    await newPerson(service, account, 'member'),
  ]
  const params = { person_id: disabled.person_id }
  expect((await admin.portal('updateRole', { params, body: { disabled: true } })).body.status).toBe('disabled')
  expect((await admin.portal('removePerson', { params: { person_id: removed.person_id } })).status).toBe(200)
  await admin.portal('updateRole', { params, body: { disabled: false } })
  for (const { portal, v1 } of [disabled, removed]) {
    expect(await portal('getSession')).toBeRefused('not_signed_in')
    expect(await v1('listLocations')).toBeRefused('not_signed_in')
  }
})

test('people of a suspended account may only sign out', async () => {
  const { account, person } = await aPersonWithPassword()
  const suspend = (suspended: boolean) =>
    commit(service.db, account.id, 'test', (tx) => changeAccount(tx, account.id, { suspended }))
  await suspend(true)
  expect(await person.portal('getSession')).toBeRefused('account_suspended')
  expect(await person.portal('findSession')).toBeRefused('account_suspended')
  expect(await person.v1('listLocations')).toBeRefused('account_suspended')
  const refused = await signIn(person.email, testPassword)
  expect(refused).toBeRefused('account_suspended')
  expect(refused.headers.get('set-cookie')).toBeNull()
  await suspend(false)
  expect((await person.portal('getSession')).status).toBe(200)
  await suspend(true)
  expect((await person.portal('signOut')).status).toBe(200)
})

test('a session expires after a week without use, and after a month in any case', async () => {
  const account = await newAccount(service)
  const [absent, old] = [await newPerson(service, account), await newPerson(service, account)]
  await service.db`
    update sessions set last_seen_at = now() - interval '8 days' where person_id = ${absent.person_id}`
  await service.db`update sessions set expires_at = now() where person_id = ${old.person_id}`
  expect(await absent.portal('getSession')).toBeRefused('not_signed_in')
  expect(await old.portal('getSession')).toBeRefused('not_signed_in')
})

const forgeries: [string, Record<string, string>][] = [
  ['without the token', { 'x-csrf-token': '' }],
  ['with another token', { 'x-csrf-token': 'A'.repeat(43) }],
  ['from another origin', { origin: 'https://evil.example' }],
  ['from a page without an origin', { origin: 'null' }],
  ['from another site', { 'sec-fetch-site': 'cross-site' }],
  ['from another name of the same domain', { 'sec-fetch-site': 'same-site' }],
]

test.each(forgeries)('writes are refused %s, on /portal/v1 and /v1', async (_, headers) => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const post = async (path: string, body: object) => {
    const response = await fetch(service.baseUrl + path, {
      method: 'POST',
      headers: { ...person.headers, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  expect(await post('/portal/v1/views', { page: 'shipments', name: 'Mine', query: '' })).toBeRefused('foreign_origin')
  expect(await post('/v1/purchaseOrders', { reference: 'P' })).toBeRefused('foreign_origin')
  expect((await person.portal('listViews')).body).toEqual([])
  expect((await account.call('listPurchaseOrders')).body).toEqual([])
})

test('a page of another origin can neither sign in nor sign out', async () => {
  const { person } = await aPersonWithPassword()
  const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
  const response = await fetch(`${service.baseUrl}/portal/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: person.email, password: testPassword }),
  })
  expect({ status: response.status, text: await response.text() }).toBeRefused('foreign_origin')
  const out = await fetch(`${service.baseUrl}/portal/v1/session`, {
    method: 'DELETE',
    headers: { ...person.headers, origin: 'https://evil.example' },
  })
  expect({ status: out.status, text: await out.text() }).toBeRefused('foreign_origin')
  expect((await person.portal('getSession')).status).toBe(200)
})

test('behind a proxy, pages of the public URL are accepted as same origin', async () => {
  const { person } = await aPersonWithPassword()
  const published = await startService({ publicUrl: 'https://portal.example.com' })
  const response = await fetch(`${published.baseUrl}/portal/v1/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: 'https://portal.example.com',
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ email: person.email, password: testPassword }),
  })
  expect(response.status).toBe(201)
})

test('on /v1 a session can read, a member can write in their account, and a viewer cannot', async () => {
  const [account, other] = [await newAccount(service), await newAccount(service)]
  const [member, viewer] = [await newPerson(service, account, 'member'), await newPerson(service, account, 'viewer')]
  const body = { reference: 'PO-1', product_lines: [{ ordered_quantity: 1, product: { sku: 'S' } }] }
  expect(await viewer.v1('createPurchaseOrder', { body })).toBeRefused('insufficient_role')
  expect((await member.v1('createPurchaseOrder', { body })).status).toBe(201)
  for (const { v1 } of [member, viewer]) expect((await v1('listPurchaseOrders')).text).toContain('PO-1')
  expect((await other.call('listPurchaseOrders')).body).toEqual([])
  const authors = await service.db<{ author: string }[]>`
    select author from changes where account_id = ${account.id} and kind = 'purchase_order'`
  expect(authors).toEqual([{ author: `person:${member.person_id}` }])
})

test('with both a key and a session, the key is used', async () => {
  const [account, other] = [await newAccount(service), await newAccount(service)]
  const { headers } = await newPerson(service, account)
  await other.forwarder.imports({ kind: 'location', data: { id: 7 } })
  const response = await fetch(`${service.baseUrl}/v1/locations`, {
    headers: { ...headers, authorization: `Bearer ${other.key}` },
  })
  expect(await response.json()).toEqual([{ id: 7 }])
})

test('in the sandbox one click signs in the first admin, from this machine only', async () => {
  const account = await newAccount(service)
  const sandbox = await startService({ demoAccount: account.slug })
  const click = (headers: Record<string, string> = {}) =>
    fetch(`${sandbox.baseUrl}/portal/v1/session/demo`, { method: 'POST', headers })
  const options = async (headers: Record<string, string> = {}) =>
    (await (await fetch(`${sandbox.baseUrl}/portal/v1/sign-in`, { headers })).json()) as unknown
  expect((await click()).status).toBe(401)

  await newPerson(service, account, 'viewer', { name: 'A Viewer' })
  const first = await newPerson(service, account, 'admin', { name: 'Zoe' })
  await newPerson(service, account, 'admin', { name: 'Adam' })
  const signedIn = await click()
  expect(signedIn.status).toBe(201)
  expect(await signedIn.json()).toMatchObject({ signed_in_with: 'demo', person: { person_id: first.person_id } })
  const others = { forwarder_name: 'Waybill', offers_tracking: false, sends_mail: true }
  // Others may have set the colours of the forwarder.
  expect(await options()).toMatchObject({ demo: true, ...others })

  const proxied = { 'x-forwarded-for': '203.0.113.7' }
  expect((await click(proxied)).status).toBe(401)
  expect(await options(proxied)).toMatchObject({ demo: false, ...others })
  expect(await asVisitor(service, 'signInToDemo')).toBeRefused('sign_in_failed')
})

test('in the sandbox an expired session does not fall back to the demo account', async () => {
  const [demo, own] = [await newAccount(service), await newAccount(service)]
  const sandbox = await startService({ demoAccount: demo.slug })
  const { person_id, token } = await newPerson(sandbox, own)
  const { v1 } = asPerson(sandbox, token)
  expect((await v1('listLocations')).status).toBe(200)
  await setDisabled(service.db, own.id, person_id, true)
  expect(await v1('listLocations')).toBeRefused('not_signed_in')
})

test('a new password needs the current one, and ends all other sessions', async () => {
  const { person } = await aPersonWithPassword()
  const elsewhere = asPerson(service, tokenIn(await signIn(person.email, testPassword)))
  const password = 'another password'
  const wrong = { password, current_password: 'not the password' }
  expect(await person.portal('changePassword', { body: wrong })).toBeRefused('wrong_password')
  expect(await person.portal('changePassword', { body: { password } })).toBeRefused('wrong_password')
  const short = { password: 'short', current_password: testPassword }
  const refused = await person.portal('changePassword', { body: short })
  expect(refused).toBeRefused('invalid_request')
  expect(refused.problem.errors?.[0]?.pointer).toBe('/password')
  const right = { password, current_password: testPassword }
  expect((await person.portal('changePassword', { body: right })).status).toBe(200)
  expect((await person.portal('getSession')).status).toBe(200)
  expect(await elsewhere.portal('getSession')).toBeRefused('not_signed_in')
  expect(await signIn(person.email, testPassword)).toBeRefused('sign_in_failed')
  expect((await signIn(person.email, password)).status).toBe(201)
})

test('guessing the current password is slowed down as well', async () => {
  const { person } = await aPersonWithPassword()
  const body = { password: 'another password', current_password: 'not the password' }
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await person.portal('changePassword', { body })).toBeRefused('wrong_password')
  }
  expect(await person.portal('changePassword', { body })).toBeRefused('sign_in_slowed')
})

test('a person sets their preferences, and an unknown time zone is named', async () => {
  const account = await newAccount(service)
  const { portal } = await newPerson(service, account, 'viewer')
  const wishes = { language: 'fr', time_zone: 'Europe/Paris', weight_unit: 'lbs', theme: 'dark' } as const
  const updated = await portal('updatePerson', { body: { name: 'Zoë', ...wishes } })
  expect(updated.body).toMatchObject({ person: { name: 'Zoë' }, preferences: wishes })
  expect((await portal('getSession')).body).toEqual(updated.body)
  for (const time_zone of ['Europe/Nowhere', '+05:30', 'x']) {
    const refused = await portal('updatePerson', { body: { time_zone } })
    expect(refused).toBeRefused('invalid_request')
    expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/time_zone'])
  }
})

test('every spelling of a time zone is stored as its canonical name', async () => {
  const { portal } = await newPerson(service, await newAccount(service), 'viewer')
  for (const time_zone of ['europe/paris', 'EUROPE/PARIS', 'Europe/Paris']) {
    const { body } = await portal('updatePerson', { body: { time_zone } })
    expect(body.preferences.time_zone).toBe('Europe/Paris')
  }
  expect((await portal('updatePerson', { body: { time_zone: 'us/pacific' } })).body.preferences.time_zone).toBe(
    'America/Los_Angeles',
  )
})

test('the session has an ETag and is not sent again if unchanged', async () => {
  const { portal } = await newPerson(service, await newAccount(service))
  const etag = (await portal('getSession')).headers.get('etag') as string
  expect((await portal('getSession', { ifNoneMatch: etag })).status).toBe(304)
})

test('cookies and tokens are stored only as hashes', async () => {
  const { person } = await aPersonWithPassword()
  const [row] = await service.db<{ stored: string }[]>`
    select string_agg(sessions::text || people::text, '') as stored
    from sessions join people using (account_id, person_id) where person_id = ${person.person_id}`
  expect(row?.stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(row?.stored).not.toContain(person.token)
  expect(row?.stored).not.toContain(Buffer.from(person.token).toString('hex'))
  expect(row?.stored).not.toContain(testPassword)
})
