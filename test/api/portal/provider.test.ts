import { expect, test } from 'vitest'
import { readServiceSecrets } from '../../../src/database/service-secrets.js'
import { decrypt, encrypt } from '../../../src/store/encrypted-value.js'
import { setDisabled } from '../../../src/usecases/people/update-role.js'
import { newAccount } from '../../support/account.js'
import { type Somebody, Visitor } from '../../support/oidc-test-provider.js'
import { asPerson, asVisitor, newEmail, newPerson, testPassword } from '../../support/person.js'
import { expectRefused, signInAtProvider, startBoth } from '../../support/provider-sign-in.js'
import { startService } from '../../support/service.js'

/** Sign-in with an OpenID Connect provider: a real one, started by the tests. */

test.each(['ID token', 'userinfo'] as const)(
  'a person asserted by the provider is signed in and redirected to the requested page (address in the %s)',
  async (emailIn) => {
    const both = await startBoth(emailIn)
    const account = await newAccount(both.service)
    const { email, person_id } = await newPerson(both.service, account, 'member')
    const options = await asVisitor(both.service, 'getSignInOptions')
    expect(options.body).toMatchObject({ demo: false, provider: { name: 'Northwind ID' } })

    const visitor = new Visitor()
    const who = { email: email.toUpperCase(), email_verified: true }
    const back = await signInAtProvider(both, visitor, who, '/shipments?status=booked#first')
    expect(back).toContain(`${both.service.baseUrl}/portal/v1/provider/callback?`)
    const response = await visitor.get(back)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/shipments?status=booked#first')
    expect(response.headers.get('cache-control')).toBe('no-store')

    const cookies = visitor.cookiesOf(both.service.baseUrl)
    expect([...cookies.keys()]).toEqual(['waybill_session', 'waybill_device'])
    const { portal } = asPerson(both.service, cookies.get('waybill_session') as string)
    expect((await portal('getSession')).body).toMatchObject({ signed_in_with: 'provider', person: { person_id } })
  },
)

test('the state of a sign-in is in a short-lived, HttpOnly, encrypted cookie', async () => {
  const both = await startBoth()
  const response = await fetch(`${both.service.baseUrl}/portal/v1/provider?to=/orders`, { redirect: 'manual' })
  const cookie = response.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^waybill_provider=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
  const requested = new URL(response.headers.get('location') as string).searchParams
  expect(requested.get('code_challenge_method')).toBe('S256')
  expect(requested.get('client_id')).toBe('waybill')
  expect(requested.get('redirect_uri')).toBe(`${both.service.baseUrl}/portal/v1/provider/callback`)
  const kept = Buffer.from(/=([\w-]+);/.exec(cookie)?.[1] ?? '', 'base64url').toString('latin1')
  for (const secret of [requested.get('state'), requested.get('nonce'), '/orders']) expect(kept).not.toContain(secret)
})

test('the redirect target is always a page of the portal', async () => {
  const both = await startBoth()
  const { email } = await newPerson(both.service, await newAccount(both.service))
  const places = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example',
    'x',
  ]
  for (const to of places) {
    const visitor = new Visitor()
    const response = await visitor.get(await signInAtProvider(both, visitor, { email }, to))
    expect(response.headers.get('location'), to).toBe('/')
    expect(visitor.cookiesOf(both.service.baseUrl).has('waybill_session')).toBe(true)
  }
})

test('a person without an invitation is not signed in and not created', async () => {
  const both = await startBoth()
  const email = newEmail()
  const visitor = new Visitor()
  await expectRefused(visitor, both, await signInAtProvider(both, visitor, { email }))
  expect(await both.service.db`select 1 from people where email = ${email}`).toEqual([])
})

test('sign-in is refused for a disabled person, a suspended account, and an unverified or missing e-mail address', async () => {
  const both = await startBoth()
  const { db } = both.service
  const [account, suspended] = [await newAccount(both.service), await newAccount(both.service)]
  const person = await newPerson(both.service, account)
  const disabled = await newPerson(both.service, account)
  await setDisabled(db, account.id, disabled.person_id, true)
  const other = await newPerson(both.service, suspended)
  await db`update accounts set suspended_at = now() where account_id = ${suspended.id}`
  const all: Somebody[] = [
    { email: disabled.email },
    { email: other.email },
    { email: person.email, email_verified: false },
    {},
    undefined,
  ]
  for (const who of all) {
    const visitor = new Visitor()
    await expectRefused(visitor, both, await signInAtProvider(both, visitor, who))
  }
})

test('a callback without the cookie of the same browser, or with another state, is refused', async () => {
  const both = await startBoth()
  const { email } = await newPerson(both.service, await newAccount(both.service))
  const [visitor, stranger] = [new Visitor(), new Visitor()]
  const back = new URL(await signInAtProvider(both, visitor, { email }))
  await expectRefused(stranger, both, back.href)
  await signInAtProvider(both, stranger, { email })
  await expectRefused(stranger, both, back.href)
  back.searchParams.set('state', 'another')
  await expectRefused(visitor, both, back.href)
})

test('a callback works once: its cookie is removed, and a copy cannot reuse the code', async () => {
  const both = await startBoth()
  const { email } = await newPerson(both.service, await newAccount(both.service))
  const visitor = new Visitor()
  const back = await signInAtProvider(both, visitor, { email })
  const copy = visitor.cookiesOf(both.service.baseUrl).get('waybill_provider') as string
  expect((await visitor.get(back)).headers.get('location')).toBe('/')
  await expectRefused(new Visitor(), both, back)
  const thief = new Visitor()
  thief.cookiesOf(both.service.baseUrl).set('waybill_provider', copy)
  await expectRefused(thief, both, back)
})

test('an ID token of another sign-in is refused by its nonce', async () => {
  const both = await startBoth()
  const { email } = await newPerson(both.service, await newAccount(both.service))
  both.provider.somebody = { email }
  const visitor = new Visitor()
  const started = await visitor.get(`${both.service.baseUrl}/portal/v1/provider`)
  const there = new URL(started.headers.get('location') as string)
  there.searchParams.set('nonce', 'of another one')
  await expectRefused(visitor, both, await visitor.leave(there.href))
})

test('an altered or expired cookie counts as missing', async () => {
  const both = await startBoth()
  const { email } = await newPerson(both.service, await newAccount(both.service))
  const visitor = new Visitor()
  const cookies = visitor.cookiesOf(both.service.baseUrl)
  const back = await signInAtProvider(both, visitor, { email })
  const kept = cookies.get('waybill_provider') as string
  cookies.set('waybill_provider', `${kept.slice(0, -4)}AAAA`)
  await expectRefused(visitor, both, back)
  cookies.set('waybill_provider', 'short')
  await expectRefused(visitor, both, back)
  const { link_secret } = await readServiceSecrets(both.service.db)
  const begun = decrypt(link_secret, 'browser', kept) as { ends: number }
  expect(begun.ends).toBeGreaterThan(Date.now() / 1000)
  cookies.set('waybill_provider', encrypt(link_secret, 'browser', { ...begun, ends: Date.now() / 1000 - 1 }))
  await expectRefused(visitor, both, back)
  cookies.set('waybill_provider', encrypt(link_secret, 'browser', { device: 'another cookie', people: [] }))
  await expectRefused(visitor, both, back)
  cookies.set('waybill_provider', kept)
  expect((await visitor.get(back)).headers.get('location')).toBe('/')
})

test('while the provider is unreachable people can sign in with passwords, and with the provider once it is back', async () => {
  const both = await startBoth()
  const account = await newAccount(both.service)
  const { email } = await newPerson(both.service, account, 'member', { hasPassword: true })
  await both.provider.stop()
  const visitor = new Visitor()
  await expectRefused(visitor, both, `${both.service.baseUrl}/portal/v1/provider`, 'provider_away')
  const signedIn = await asVisitor(both.service, 'signIn', { body: { email, password: testPassword } })
  expect(signedIn.status).toBe(201)

  await both.provider.start()
  const back = await signInAtProvider(both, visitor, { email })
  // The provider may also become unreachable during a sign-in.
  await both.provider.stop()
  await expectRefused(visitor, both, back)
  await both.provider.start()
  expect((await visitor.get(await signInAtProvider(both, visitor, { email }))).headers.get('location')).toBe('/')
})

test('without a configured provider its routes do not exist', async () => {
  const service = await startService()
  const { body } = await asVisitor(service, 'getSignInOptions')
  expect(body).toMatchObject({ demo: false, forwarder_name: 'Waybill', offers_tracking: false, sends_mail: true })
  expect(body).not.toHaveProperty('provider')
  for (const path of ['/portal/v1/provider', '/portal/v1/provider/callback']) {
    const response = await fetch(service.baseUrl + path, { redirect: 'manual' })
    expect({ status: response.status, text: await response.text() }).toBeRefused('path_not_found')
  }
})

test('a person is bound to the subject of the provider at the first sign-in: neither a changed nor a passed-on address matters', async () => {
  const both = await startBoth()
  const { email, person_id } = await newPerson(both.service, await newAccount(both.service))
  const signIn = async (who: Somebody) => {
    const visitor = new Visitor()
    await visitor.get(await signInAtProvider(both, visitor, who))
    const token = visitor.cookiesOf(both.service.baseUrl).get('waybill_session')
    return token && (await asPerson(both.service, token).portal('getSession')).body.person.person_id
  }
  expect(await signIn({ sub: `first ${email}`, email })).toBe(person_id)
  expect(await signIn({ sub: `first ${email}`, email: newEmail() })).toBe(person_id)
  expect(await signIn({ sub: `second ${email}`, email })).toBeUndefined()
})
