import { expect, test } from 'vitest'
import { hashOfKey } from '../../../src/store/key-hash.js'
import { newAccount } from '../../support/account.js'
import { newAuthenticator } from '../../support/authenticator.js'
import { addPasskeyTo, asPending, personWithTotp, signInPending } from '../../support/factors.js'
import { newOperator } from '../../support/operator.js'
import {
  asPerson,
  asVisitor,
  newClientAddress,
  newPerson,
  type TestPerson,
  testPassword,
  tokenIn,
} from '../../support/person.js'
import { startService } from '../../support/service.js'

/** Passkeys: enrolment, signing in with one alone, and as a second factor. */

const service = await startService()
const { db, mails } = service

async function aPerson(): Promise<TestPerson> {
  return newPerson(service, await newAccount(service), 'admin', { hasPassword: true })
}

async function challenge() {
  return (await asVisitor(service, 'startPasskeySignIn')).body
}

test('a passkey signs in alone, without a name or a password, and no second factor is asked for', async () => {
  const person = await aPerson()
  const { authenticator, added } = await addPasskeyTo(service, person)
  expect(added.recovery_codes).toHaveLength(10)
  expect(added.factors.passkeys).toMatchObject([{ name: 'Laptop' }])
  expect(mails.findLast(({ to }) => to === person.email)?.text).toContain('A passkey was added')
  const options = await challenge()
  expect(options).toMatchObject({ rp_id: '127.0.0.1', allow: [] })
  const user_handle = Buffer.from(person.person_id).toString('base64url')
  const passkey = authenticator.sign(options, { user_handle })
  const signedIn = await asVisitor(service, 'signInWithPasskey', { body: { passkey } })
  expect(signedIn.body).toMatchObject({ signed_in_with: 'passkey', person: { person_id: person.person_id } })
  const { passkeys } = (await asPerson(service, tokenIn(signedIn)).portal('getFactors')).body
  expect(passkeys[0]?.last_used_at).toBeDefined()
  // The challenge was used.
  expect(await asVisitor(service, 'signInWithPasskey', { body: { passkey } })).toBeRefused('passkey_refused')
})

test.each([
  ['of another origin', { origin: 'https://example.com' }],
  ['for another domain', { rp_id: 'example.com' }],
  ['that has not verified the user', { isVerified: false }],
  ['with a forged signature', { isForged: true }],
  ['that is an enrolment', { type: 'webauthn.create' }],
  ['of another user', { user_handle: 'cGVyXzA' }],
  ['with the counter of the last one', { counter: 1 }],
  ['with an earlier counter', { counter: 0 }],
])('a signature %s does not sign in', async (_, deviation) => {
  const { authenticator } = await addPasskeyTo(service, await aPerson())
  const passkey = authenticator.sign(await challenge(), deviation)
  expect(await asVisitor(service, 'signInWithPasskey', { body: { passkey } })).toBeRefused('passkey_refused')
})

test('a refused passkey is in the audit log of its account, and one that nobody has in that of the forwarder', async () => {
  const person = await aPerson()
  const { authenticator } = await addPasskeyTo(service, person)
  const [address, elsewhere] = [newClientAddress(), newClientAddress()]
  const attempt = async (from: string, signing: Pick<typeof authenticator, 'sign'>, deviation = {}) =>
    asVisitor(service, 'signInWithPasskey', { body: { passkey: signing.sign(await challenge(), deviation) } }, from)
  expect(await attempt(address, authenticator, { isForged: true })).toBeRefused('passkey_refused')
  expect(await attempt(elsewhere, newAuthenticator(service.baseUrl))).toBeRefused('passkey_refused')
  const { entries } = (await person.portal('listAudit', { query: { kind: 'sign_in' } })).body
  const refused = { action: 'sign_in_failed', actor: `person:${person.person_id}`, details: { with: 'passkey' } }
  expect(entries.filter(({ action }) => action === 'sign_in_failed')).toMatchObject([{ ...refused, address }])
  const { ops } = await newOperator(service)
  const own = (await ops('listForwarderAudit', undefined, { query: { actor: 'visitor', take: 200 } })).body.entries
  expect(own.filter((entry) => entry.address === elsewhere)).toMatchObject([{ details: { with: 'passkey' } }])
  expect(own.filter((entry) => entry.address === address)).toEqual([])

  // Nobody can fill the log.
  const passkey = newAuthenticator(service.baseUrl).sign({ challenge: 'bWFkZS11cA', rp_id: '127.0.0.1' })
  const codes = new Set<string>()
  for (let count = 0; count < 50; count += 1) {
    codes.add((await asVisitor(service, 'signInWithPasskey', { body: { passkey } }, elsewhere)).problem.code)
  }
  expect([...codes]).toEqual(['passkey_refused', 'sign_in_slowed'])
})

test('a passkey whose authenticator does not count signs in again and again', async () => {
  const person = await aPerson()
  const authenticator = newAuthenticator(service.baseUrl)
  const passkey = authenticator.create((await person.portal('startPasskey')).body, { counter: 0 })
  expect((await person.portal('addPasskey', { body: { name: 'Phone', passkey } })).status).toBe(201)
  for (const _ of [1, 2]) {
    const signed = authenticator.sign(await challenge(), { counter: 0 })
    expect((await asVisitor(service, 'signInWithPasskey', { body: { passkey: signed } })).status).toBe(201)
  }
})

test('a challenge works for its purpose only, and within five minutes', async () => {
  const person = await aPerson()
  const { authenticator } = await addPasskeyTo(service, person)
  const send = (options: { challenge: string; rp_id: string }) =>
    asVisitor(service, 'signInWithPasskey', { body: { passkey: authenticator.sign(options) } })
  const pending = await signInPending(service, person)
  const others = [
    (await person.portal('startPasskey')).body,
    (await person.portal('startPasskeyReauthentication')).body,
    (await asPending(service, pending, 'startSecondFactorPasskey')).body,
    { challenge: 'bWFkZS11cA', rp_id: '127.0.0.1' },
  ]
  for (const options of others) expect(await send(options)).toBeRefused('passkey_refused')
  const late = await challenge()
  await db`update passkey_challenges set expires_at = now() where hash = ${hashOfKey(late.challenge)}`
  expect(await send(late)).toBeRefused('passkey_refused')
})

test('a passkey of the person completes a pending sign-in; the challenge is bound to it', async () => {
  const person = await aPerson()
  const { authenticator } = await addPasskeyTo(service, person)
  const [pending, another] = [await signInPending(service, person), await signInPending(service, person)]
  expect((await asPending(service, pending, 'getPendingSignIn')).body.methods).toEqual(['passkey', 'recovery_code'])
  const complete = (token: string, passkey: ReturnType<typeof authenticator.sign>) =>
    asPending(service, token, 'completeSignIn', { body: { passkey } })
  const start = async (token: string) => (await asPending(service, token, 'startSecondFactorPasskey')).body

  const options = await start(pending)
  expect(options.allow).toEqual([{ id: authenticator.id, transports: ['internal'] }])
  expect(await complete(another, authenticator.sign(options))).toBeRefused('second_factor_failed')
  const { authenticator: stranger } = await addPasskeyTo(service, await aPerson())
  expect(await complete(pending, stranger.sign(await start(pending)))).toBeRefused('second_factor_failed')
  const signed = authenticator.sign(await start(pending))
  expect((await complete(pending, signed)).status).toBe(201)
  expect(await complete(another, signed)).toBeRefused('second_factor_failed')
})

test.each([
  ['of another origin', { origin: 'https://example.com' }],
  ['for another domain', { rp_id: 'example.com' }],
  ['whose user was not verified', { isVerified: false }],
  ['that is a signature', { type: 'webauthn.get' }],
])('a new passkey %s is refused', async (_, deviation) => {
  const person = await aPerson()
  const passkey = newAuthenticator(service.baseUrl).create((await person.portal('startPasskey')).body, deviation)
  expect(await person.portal('addPasskey', { body: { name: 'Phone', passkey } })).toBeRefused('passkey_refused')
  expect((await person.portal('getFactors')).body.passkeys).toEqual([])
})

test('a new passkey is refused with the challenge of another session, and if somebody has it', async () => {
  const [person, other] = [await aPerson(), await aPerson()]
  const authenticator = newAuthenticator(service.baseUrl)
  const foreign = authenticator.create((await other.portal('startPasskey')).body)
  expect(await person.portal('addPasskey', { body: { name: 'Mine', passkey: foreign } })).toBeRefused('passkey_refused')
  const own = authenticator.create((await person.portal('startPasskey')).body)
  expect((await person.portal('addPasskey', { body: { name: 'Mine', passkey: own } })).status).toBe(201)
  const again = authenticator.create((await other.portal('startPasskey')).body)
  expect(await other.portal('addPasskey', { body: { name: 'Mine', passkey: again } })).toBeRefused('passkey_refused')
})

test('passkeys are renamed and removed by their owner only, and a removed one no longer signs in', async () => {
  const { person } = await personWithTotp(service)
  const { authenticator, added } = await addPasskeyTo(service, person)
  // There were recovery codes already.
  expect(added.recovery_codes).toBeUndefined()
  const [passkey] = added.factors.passkeys
  const params = { passkey_id: passkey?.passkey_id ?? '' }
  const [row] = await db<{ account_id: number }[]>`
    select account_id from people where account_id > 0 and person_id = ${person.person_id}`
  const colleague = await newPerson(service, { id: row?.account_id ?? 0 })
  for (const stranger of [colleague, await aPerson()]) {
    expect(await stranger.portal('renamePasskey', { params, body: { name: 'Taken' } })).toBeRefused('factor_not_found')
    expect(await stranger.portal('removePasskey', { params })).toBeRefused('factor_not_found')
  }
  const renamed = (await person.portal('renamePasskey', { params, body: { name: 'Old laptop' } })).body
  expect(renamed.passkeys).toMatchObject([{ name: 'Old laptop' }])
  expect((await person.portal('removePasskey', { params })).body.passkeys).toEqual([])
  const signed = authenticator.sign(await challenge())
  expect(await asVisitor(service, 'signInWithPasskey', { body: { passkey: signed } })).toBeRefused('passkey_refused')
})

test('a person has at most twenty passkeys', async () => {
  const person = await aPerson()
  const first = (await person.portal('startPasskey')).body
  for (let index = 0; index < 20; index++) await addPasskeyTo(service, person, `Number ${index}`)
  expect(await person.portal('startPasskey')).toBeRefused('too_many_passkeys')
  const passkey = newAuthenticator(service.baseUrl).create(first)
  expect(await person.portal('addPasskey', { body: { name: 'More', passkey } })).toBeRefused('too_many_passkeys')
})

test('passkeys do not sign in somebody who is disabled, removed or of a suspended account', async () => {
  const account = await newAccount(service)
  const admin = await newPerson(service, account)
  const person = await newPerson(service, account, 'viewer', { hasPassword: true })
  const { authenticator } = await addPasskeyTo(service, person)
  const attempt = async () =>
    asVisitor(service, 'signInWithPasskey', { body: { passkey: authenticator.sign(await challenge()) } })
  const params = { person_id: person.person_id }
  await admin.portal('updateRole', { params, body: { disabled: true } })
  expect(await attempt()).toBeRefused('passkey_refused')
  await admin.portal('updateRole', { params, body: { disabled: false } })
  expect((await attempt()).status).toBe(201)
  await admin.portal('removePerson', { params })
  expect(await attempt()).toBeRefused('passkey_refused')
  const body = { email: person.email, password: testPassword }
  expect(await asVisitor(service, 'signIn', { body })).toBeRefused('sign_in_failed')
})

test('passkeys are for the domain of the public address', async () => {
  const published = await startService({ publicUrl: 'https://portal.example.com' })
  const { body } = await asVisitor(published, 'startPasskeySignIn')
  expect(body.rp_id).toBe('portal.example.com')
})
