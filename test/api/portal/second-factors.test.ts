import { expect, test } from 'vitest'
import { readServiceSecrets, renewServiceSecrets } from '../../../src/database/service-secrets.js'
import { commit } from '../../../src/ledger/commit.js'
import { createLink } from '../../../src/store/personal-links.js'
import { findTotp, reencryptTotp } from '../../../src/store/totp.js'
import { changeAccount } from '../../../src/usecases/accounts/update-account.js'
import { newToken } from '../../../src/usecases/people/passwords.js'
import { newAccount } from '../../support/account.js'
import { addPasskeyTo, asPending, codeOf, pendingIn, personWithTotp, signInPending } from '../../support/factors.js'
import { newOperator } from '../../support/operator.js'
import { asPerson, asVisitor, newPerson, testPassword, tokenIn } from '../../support/person.js'
import { startService } from '../../support/service.js'

/** One-time codes, recovery codes, pending sign-ins, and accounts that require a second factor. */

const service = await startService()
const { db, mails } = service

const mailsTo = ({ email }: { email: string }) => mails.flatMap(({ to, text }) => (to === email ? [text] : []))

function complete(pending: string, body: { code?: string; recovery_code?: string }) {
  return asPending(service, pending, 'completeSignIn', { body })
}

test('an authenticator app is in use after its first code, with ten recovery codes and a mail about it', async () => {
  const person = await newPerson(service, await newAccount(service), 'viewer', { hasPassword: true })
  const { body } = await person.portal('startTotp')
  expect(body.uri).toBe(
    `otpauth://totp/Waybill:${encodeURIComponent(person.email)}?issuer=Waybill&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
  )
  // It is not in use yet.
  expect((await asVisitor(service, 'signIn', { body: { email: person.email, password: testPassword } })).status).toBe(
    201,
  )
  const wrong = codeOf(body.secret) === '000000' ? '000001' : '000000'
  expect(await person.portal('confirmTotp', { body: { code: wrong } })).toBeRefused('second_factor_failed')
  const added = (await person.portal('confirmTotp', { body: { code: codeOf(body.secret) } })).body
  expect(added.recovery_codes).toHaveLength(10)
  expect(new Set(added.recovery_codes).size).toBe(10)
  expect(added.factors).toMatchObject({ passkeys: [], recovery_codes: 10, required: false, totp: {} })
  expect((await person.portal('getFactors')).body).toEqual(added.factors)
  expect(mailsTo(person)).toEqual([
    expect.stringContaining('on a device that is new to us'),
    expect.stringContaining('An authenticator app was added'),
  ])
  expect(await person.portal('startTotp')).toBeRefused('totp_exists')
  expect(await person.portal('confirmTotp', { body: { code: codeOf(body.secret, 1) } })).toBeRefused('factor_not_found')
})

test('the secret is stored encrypted, recovery codes as hashes, and a renewed secret of the service keeps them usable', async () => {
  const { person, secret, codes } = await personWithTotp(service)
  const rows = await db`select secret from totp_factors where account_id > 0 and person_id = ${person.person_id}`
  const hashes = await db`select hash from recovery_codes where account_id > 0 and person_id = ${person.person_id}`
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(hashes).toHaveLength(10)
  expect(JSON.stringify(hashes.map((row) => String((row as { hash: Buffer }).hash)))).not.toContain(codes[0])
  const [{ account_id } = { account_id: 0 }] = await db<{ account_id: number }[]>`
    select account_id from people where account_id > 0 and person_id = ${person.person_id}`
  class Undo extends Error {}
  // Other test files use the same secret: it is renewed within a transaction that is rolled back.
  const renewed = db.begin(async (sql) => {
    const before = await readServiceSecrets(sql)
    await renewServiceSecrets(sql)
    expect(await findTotp(sql, account_id, person.person_id)).toBeUndefined()
    await reencryptTotp(sql, before.link_secret, (await readServiceSecrets(sql)).link_secret)
    expect(await findTotp(sql, account_id, person.person_id)).toEqual({ secret, isConfirmed: true })
    throw new Undo()
  })
  await expect(renewed).rejects.toThrow(Undo)
})

test('a right password alone starts no session for somebody with a second factor; the code completes it', async () => {
  const { person, code } = await personWithTotp(service)
  const response = await asVisitor(service, 'signIn', { body: { email: person.email, password: testPassword } })
  expect(response).toBeRefused('second_factor_required')
  expect(tokenIn(response)).toBe('')
  expect(response.headers.get('set-cookie')).toMatch(
    /^waybill_pending=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
  const pending = pendingIn(response)
  // It is no session, in any of the cookies.
  expect(await asPerson(service, pending).portal('getSession')).toBeRefused('not_signed_in')
  expect((await asPending(service, pending, 'getPendingSignIn')).body).toEqual({ methods: ['totp', 'recovery_code'] })
  const signedIn = await complete(pending, { code: code() })
  expect(signedIn.status).toBe(201)
  expect(signedIn.headers.get('set-cookie')).toContain('waybill_pending=; ')
  expect((await asPerson(service, tokenIn(signedIn)).portal('getSession')).status).toBe(200)
  expect(await complete(pending, { code: code(1) })).toBeRefused('sign_in_not_pending')
})

test('a one-time code is accepted once, of the current, previous and next 30 seconds only', async () => {
  const { person, code } = await personWithTotp(service)
  const pending = await signInPending(service, person)
  // After five failures attempts are delayed.
  for (const later of [-10, -2, -1, 3]) {
    expect(await complete(pending, { code: code(later) }), `${later}`).toBeRefused('second_factor_failed')
  }
  expect((await complete(pending, { code: code(1) })).status).toBe(201)
  const again = await signInPending(service, person)
  for (const later of [1, 0]) {
    expect(await complete(again, { code: code(later) })).toBeRefused('second_factor_failed')
  }
})

test('of two requests with the same code at the same time, one signs in', async () => {
  const { person, code } = await personWithTotp(service)
  const pendings = [await signInPending(service, person), await signInPending(service, person)]
  const body = { code: code() }
  const statuses = await Promise.all(pendings.map(async (pending) => (await complete(pending, body)).status))
  expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 403])
})

test('guesses are limited by person, across sign-ins and addresses', async () => {
  const { person, code, codes } = await personWithTotp(service)
  const wrong = ['000000', '111111', '222222', '333333', '444444'].map((guess) =>
    [-1, 0, 1, 2].some((later) => code(later) === guess) ? '555555' : guess,
  )
  for (const guess of wrong) {
    expect(await complete(await signInPending(service, person), { code: guess })).toBeRefused('second_factor_failed')
  }
  const pending = await signInPending(service, person)
  const slowed = await complete(pending, { code: code() })
  expect(slowed).toBeRefused('sign_in_slowed')
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await complete(pending, { recovery_code: codes[0] })).toBeRefused('sign_in_slowed')
})

test('a recovery code signs in once, however it is typed, and the person gets a mail', async () => {
  const { person, codes } = await personWithTotp(service)
  const [code = ''] = codes
  const first = await complete(await signInPending(service, person), { recovery_code: ` ${code.toUpperCase()}` })
  expect(first.status).toBe(201)
  expect(mailsTo(person)).toContainEqual(expect.stringContaining('one of your recovery codes'))
  expect(await complete(await signInPending(service, person), { recovery_code: code })).toBeRefused(
    'second_factor_failed',
  )
  const renewed = (await person.portal('renewRecoveryCodes')).body.recovery_codes
  expect(renewed).toHaveLength(10)
  const pending = await signInPending(service, person)
  expect(await complete(pending, { recovery_code: codes[1] })).toBeRefused('second_factor_failed')
  expect((await complete(pending, { recovery_code: renewed[1] })).status).toBe(201)
  expect((await person.portal('getFactors')).body.recovery_codes).toBe(9)
})

test.each([
  ['nothing', {}],
  ['two factors', { code: '123456', recovery_code: '2k7m-9qxw-4hbt-c6nv' }],
  ['a code with letters', { code: '12345a' }],
  ['a code of five digits', { code: '12345' }],
  ['a recovery code that is too short', { recovery_code: '2k7m-9qxw' }],
  ['an unknown field', { code: '123456', remember: true }],
])('completing a sign-in with %s is not valid', async (_, body) => {
  const { person } = await personWithTotp(service)
  expect(await complete(await signInPending(service, person), body as never)).toBeRefused('invalid_request')
})

test('a pending sign-in ends after ten minutes, with a disabled person, and is needed', async () => {
  const { person, code } = await personWithTotp(service)
  const pending = await signInPending(service, person)
  const body = { code: code() }
  for (const other of [newToken(), 'x']) {
    expect(await complete(other, body)).toBeRefused('sign_in_not_pending')
    expect(await asPending(service, other, 'getPendingSignIn')).toBeRefused('sign_in_not_pending')
    expect(await asPending(service, other, 'startSecondFactorPasskey')).toBeRefused('sign_in_not_pending')
  }
  await db`update people set disabled_at = now() where account_id > 0 and person_id = ${person.person_id}`
  expect(await complete(pending, body)).toBeRefused('sign_in_not_pending')
  await db`update people set disabled_at = null where account_id > 0 and person_id = ${person.person_id}`
  await db`update pending_sign_ins set expires_at = now() where account_id > 0 and person_id = ${person.person_id}`
  expect(await complete(pending, body)).toBeRefused('sign_in_not_pending')
})

test('a reset password does not bypass the second factor', async () => {
  const { person, code } = await personWithTotp(service)
  const [row] = await db<{ account_id: number }[]>`
    select account_id from people where account_id > 0 and person_id = ${person.person_id}`
  const token = newToken()
  await createLink(db, row?.account_id ?? 0, person.person_id, { token, purpose: 'reset' })
  const used = await asVisitor(service, 'useLink', { body: { token, password: 'quite another password' } })
  expect(used).toBeRefused('second_factor_required')
  expect(tokenIn(used)).toBe('')
  expect((await complete(pendingIn(used), { code: code() })).status).toBe(201)
})

test('without a second factor there is nothing to renew or remove, and removing the last one removes the codes', async () => {
  const { person } = await personWithTotp(service)
  const other = await newPerson(service, await newAccount(service))
  expect(await other.portal('removeTotp')).toBeRefused('factor_not_found')
  expect(await other.portal('renewRecoveryCodes')).toBeRefused('factor_not_found')
  expect((await person.portal('removeTotp')).body).toEqual({ passkeys: [], recovery_codes: 0, required: false })
  expect(mailsTo(person)).toContainEqual(expect.stringContaining('was removed'))
  expect((await asVisitor(service, 'signIn', { body: { email: person.email, password: testPassword } })).status).toBe(
    201,
  )
})

test('factors change after authenticating again only, and a factor is enough for that', async () => {
  const { person, code } = await personWithTotp(service)
  const age = () =>
    db`update sessions set authenticated_at = now() - interval '11 minutes' where account_id > 0 and person_id = ${person.person_id}`
  await age()
  for (const name of ['removeTotp', 'startTotp', 'renewRecoveryCodes', 'startPasskey'] as const) {
    expect(await person.portal(name), name).toBeRefused('reauthentication_required')
  }
  const wrong = code() === '000000' ? '000001' : '000000'
  expect(await person.portal('reauthenticateWithFactor', { body: { code: wrong } })).toBeRefused('second_factor_failed')
  expect(await person.portal('renewRecoveryCodes')).toBeRefused('reauthentication_required')
  expect((await person.portal('reauthenticateWithFactor', { body: { code: code() } })).status).toBe(200)
  expect((await person.portal('renewRecoveryCodes')).status).toBe(201)
})

test('an admin removes the factors of somebody in the account, who gets a mail; nobody else can', async () => {
  const account = await newAccount(service)
  const { person } = await personWithTotp(service, account)
  const params = { person_id: person.person_id }
  const [admin, member] = [await newPerson(service, account), await newPerson(service, account, 'member')]
  const stranger = await newPerson(service, await newAccount(service))
  expect(await member.portal('removeFactors', { params })).toBeRefused('insufficient_role')
  expect(await stranger.portal('removeFactors', { params })).toBeRefused('person_not_found')
  expect((await person.portal('getFactors')).body.recovery_codes).toBe(10)
  expect((await admin.portal('removeFactors', { params })).status).toBe(200)
  expect((await person.portal('getFactors')).body).toMatchObject({ recovery_codes: 0, passkeys: [] })
  expect(mailsTo(person)).toContainEqual(expect.stringContaining('An administrator removed all'))
  expect((await asVisitor(service, 'signIn', { body: { email: person.email, password: testPassword } })).status).toBe(
    201,
  )
})

test('in an account that requires a second factor, somebody without one can do nothing but set one up', async () => {
  const account = await newAccount(service)
  const admin = await newPerson(service, account, 'admin', { hasPassword: true })
  const member = await newPerson(service, account, 'member')
  expect(await member.portal('updateAccountSecurity', { body: { second_factor_required: true } })).toBeRefused(
    'insufficient_role',
  )
  const set = await admin.portal('updateAccountSecurity', { body: { second_factor_required: true } })
  expect(set.body).toEqual({ second_factor_required: true, provider_only: false })
  expect((await admin.portal('getSession')).body.enrolment_required).toBe(true)
  for (const name of ['getOverview', 'listPeople', 'findShipments', 'getAccountSecurity', 'listSessions'] as const) {
    expect(await admin.portal(name), name).toBeRefused('enrolment_required')
  }
  expect(await admin.portal('removeTotp')).toBeRefused('enrolment_required')
  expect(JSON.parse((await admin.v1('listShipments')).text)).toMatchObject({ code: 'insufficient_scope' })
  const signedIn = await asVisitor(service, 'signIn', { body: { email: admin.email, password: testPassword } })
  expect(signedIn.body.enrolment_required).toBe(true)

  const { secret } = (await admin.portal('startTotp')).body
  await admin.portal('confirmTotp', { body: { code: codeOf(secret) } })
  expect((await admin.portal('getSession')).body.enrolment_required).toBe(false)
  expect((await admin.portal('getAccountSecurity')).body).toEqual({
    second_factor_required: true,
    provider_only: false,
  })
  // The last one stays.
  expect(await admin.portal('removeTotp')).toBeRefused('last_factor')
  await addPasskeyTo(service, admin)
  expect((await admin.portal('removeTotp')).status).toBe(200)
  await commit(db, account.id, 'test', (tx) => changeAccount(tx, account.id, { second_factor_required: false }))
  expect((await member.portal('getOverview')).status).toBe(200)
})

test('an operator removes the factors of a person by address, in their account only, and requires factors', async () => {
  const { ops } = await newOperator(service)
  const account = await newAccount(service)
  const other = await newAccount(service)
  const { person } = await personWithTotp(service, account)
  const body = { email: person.email }
  expect((await ops('removeFactors', other.slug, { body })).body).toEqual({ ...body, removed: false })
  expect((await person.portal('getFactors')).body.recovery_codes).toBe(10)
  const removal = await ops('removeFactors', account.slug, { body: { email: person.email.toUpperCase() } })
  expect(removal.body).toEqual({ ...body, removed: true })
  expect((await person.portal('getFactors')).body.recovery_codes).toBe(0)
  expect(mailsTo(person)).toContainEqual(expect.stringContaining('An administrator removed all'))
  expect((await ops('removeFactors', account.slug, { body })).body).toEqual({ ...body, removed: false })
  const required = await ops('updateAccount', account.slug, { body: { second_factor_required: true } })
  expect(required.body).toMatchObject({ second_factor_required: true, suspended: false })
  expect(await person.portal('getOverview')).toBeRefused('enrolment_required')
})

test('the audit log names changes of factors, used recovery codes and wrong codes', async () => {
  const account = await newAccount(service)
  const { person, codes } = await personWithTotp(service, account)
  const pending = await signInPending(service, person)
  expect(await complete(pending, { recovery_code: '2222-2222-2222-2222' })).toBeRefused('second_factor_failed')
  expect((await complete(pending, { recovery_code: codes[0] })).status).toBe(201)
  await person.portal('renewRecoveryCodes')
  await addPasskeyTo(service, person)
  const admin = await newPerson(service, account)
  await admin.portal('removeFactors', { params: { person_id: person.person_id } })
  const { entries } = (await admin.portal('listAudit', { query: { kind: 'second_factor' } })).body
  expect(entries.map(({ actor, action, details }) => [actor, action, details.factor])).toEqual([
    [`person:${admin.person_id}`, 'factor_removed', 'all'],
    [`person:${person.person_id}`, 'factor_added', 'passkey'],
    [`person:${person.person_id}`, 'recovery_codes_created', undefined],
    [`person:${person.person_id}`, 'recovery_code_used', undefined],
    [`person:${person.person_id}`, 'factor_added', 'totp'],
  ])
  const signIns = (await admin.portal('listAudit', { query: { kind: 'sign_in' } })).body.entries
  expect(signIns.find(({ action }) => action === 'sign_in_failed')?.details).toEqual({ reason: 'second_factor_failed' })
})
