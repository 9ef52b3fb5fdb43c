import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { commit } from '../../../src/ledger/commit.js'
import { changeAccount } from '../../../src/usecases/accounts/update-account.js'
import { invite } from '../../../src/usecases/people/invite-person.js'
import { setDisabled } from '../../../src/usecases/people/update-role.js'
import { newAccount } from '../../support/account.js'
import { type Somebody, Visitor } from '../../support/oidc-test-provider.js'
import { newOperator } from '../../support/operator.js'
import { asPerson, asVisitor, newEmail, newPerson, type TestPerson, testPassword } from '../../support/person.js'
import { expectRefused, signedInWithProvider, signInAtProvider, startBoth } from '../../support/provider-sign-in.js'
import { startService } from '../../support/service.js'

/** Accounts that require the company's provider, and what the audit log says about sign-ins with it. */

test('an account that requires the provider refuses passwords and links, ends its other sessions, and lets the provider in', async () => {
  const both = await startBoth()
  const { service } = both
  const [account, other] = [await newAccount(service), await newAccount(service)]
  const person = await newPerson(service, account, 'admin', { hasPassword: true })
  const elsewhere = await newPerson(service, other, 'admin', { hasPassword: true })
  const invited = await invite(service.db, account.id, { email: newEmail(), name: 'Kim', role: 'member' })
  const require = (provider_only: boolean) =>
    commit(service.db, account.id, 'test', (tx) => changeAccount(tx, account.id, { provider_only }))
  await require(true)
  expect(await person.portal('getSession')).toBeRefused('not_signed_in')
  expect((await elsewhere.portal('getSession')).status).toBe(200)
  const signIn = (email: string, password: string) => asVisitor(service, 'signIn', { body: { email, password } })
  expect(await signIn(person.email, testPassword)).toBeRefused('provider_required')
  // A wrong password does not reveal the setting.
  expect(await signIn(person.email, 'wrong')).toBeRefused('sign_in_failed')
  expect((await signIn(elsewhere.email, testPassword)).status).toBe(201)
  const chosen = await asVisitor(service, 'useLink', { body: { token: invited.token, password: testPassword } })
  expect(chosen).toBeRefused('provider_required')

  const { portal } = await signedInWithProvider(both, person.email)
  expect((await portal('getSession')).body.signed_in_with).toBe('provider')
  await require(false)
  expect((await signIn(person.email, testPassword)).status).toBe(201)
})

test('an admin who has signed in with the provider can require it, after authenticating; nobody can lock themselves out', async () => {
  const both = await startBoth()
  const { service } = both
  const account = await newAccount(service)
  const admin = await newPerson(service, account, 'admin', { hasPassword: true })
  const member = await newPerson(service, account, 'member')
  const require = ({ portal }: Pick<TestPerson, 'portal'>, provider_only = true) =>
    portal('updateAccountSecurity', { body: { provider_only } })
  expect(await require(member)).toBeRefused('insufficient_role')
  expect(await require(admin)).toBeRefused('provider_not_used')
  expect((await member.portal('getSession')).status).toBe(200)

  const other = await startService()
  expect(await require(asPerson(other, admin.token))).toBeRefused('provider_not_configured')
  const empty = await admin.portal('updateAccountSecurity', { body: {} })
  expect(empty).toBeRefused('invalid_request')

  const provided = await signedInWithProvider(both, admin.email)
  const makeOld = () => service.db`
    update sessions set authenticated_at = now() - interval '11 minutes' where person_id = ${admin.person_id}`
  await makeOld()
  expect(await require(provided)).toBeRefused('reauthentication_required')
  const again = await signedInWithProvider(both, admin.email)
  expect((await require(again)).body).toEqual({ second_factor_required: false, provider_only: true })
  expect(await member.portal('getSession')).toBeRefused('not_signed_in')
  expect(await admin.portal('getSession')).toBeRefused('not_signed_in')
  const password = { email: admin.email, password: testPassword }
  expect(await asVisitor(service, 'signIn', { body: password })).toBeRefused('provider_required')
  const entries = async () => (await again.portal('listAudit', { query: { kind: 'setting' } })).body.entries
  expect((await entries())[0]).toMatchObject({
    action: 'account_updated',
    actor: `person:${admin.person_id}`,
    details: { provider_only: true },
  })

  expect((await require(again, false)).body.provider_only).toBe(false)
  expect((await entries())[0]?.details).toEqual({ provider_only: false })
  expect((await asVisitor(service, 'signIn', { body: password })).status).toBe(201)
})

test('operators require the provider and that keys expire, and the account sees it in its audit log', async () => {
  const both = await startBoth()
  const { service } = both
  const account = await newAccount(service)
  const member = await newPerson(service, account, 'member')
  const admin = await newPerson(service, account)
  const { ops, operator_id } = await newOperator(service)
  const set = (body: OperatorBody<'updateAccount'>) => ops('updateAccount', account.slug, { body })
  expect((await set({ max_key_days: 30, provider_only: true })).body).toMatchObject({
    max_key_days: 30,
    provider_only: true,
  })
  expect(await member.portal('getSession')).toBeRefused('not_signed_in')
  const { portal } = await signedInWithProvider(both, admin.email)
  expect((await portal('getKeyPolicy')).body).toEqual({ max_days: 30 })
  expect(await portal('createOwnKey', { body: {} })).toBeRefused('invalid_request')
  const { body } = await portal('listAudit', { query: { actor: `operator:${operator_id}` } })
  expect(body.entries).toMatchObject([{ kind: 'setting', details: { max_key_days: 30, provider_only: true } }])
  const { body: open } = await set({ max_key_days: null, provider_only: false })
  expect(open).toMatchObject({ provider_only: false })
  expect(open).not.toHaveProperty('max_key_days')
  expect(await set({ max_key_days: 0 })).toBeRefused('invalid_request')

  const elsewhere = await newOperator(await startService())
  const refused = await elsewhere.ops('updateAccount', account.slug, { body: { provider_only: true } })
  expect(refused).toBeRefused('provider_not_configured')
})

test('failed sign-ins with the provider are in the audit log of the account, and of unknown people in that of the forwarder', async () => {
  const both = await startBoth()
  const { service } = both
  const account = await newAccount(service)
  const admin = await newPerson(service, account)
  const [disabled, bound] = [await newPerson(service, account, 'member'), await newPerson(service, account, 'member')]
  await setDisabled(service.db, account.id, disabled.person_id, true)
  await signedInWithProvider(both, bound.email)
  const unknown = newEmail()
  const failing: Somebody[] = [
    { email: disabled.email },
    { email: bound.email, sub: 'somebody else' },
    { email: unknown },
    { email: admin.email, email_verified: false },
    undefined,
  ]
  for (const who of failing) {
    const visitor = new Visitor()
    await expectRefused(visitor, both, await signInAtProvider(both, visitor, who))
  }
  // A callback that nobody has started is not a sign-in.
  await expectRefused(new Visitor(), both, `${service.baseUrl}/portal/v1/provider/callback?state=x&code=y`)
  const { entries } = (await admin.portal('listAudit', { query: { kind: 'sign_in' } })).body
  const failed = entries.filter(({ action }) => action === 'sign_in_failed')
  expect(failed.map(({ actor, address, details }) => [actor, address, details])).toEqual([
    [`person:${bound.person_id}`, '127.0.0.1', { with: 'provider', reason: 'other_subject' }],
    [`person:${disabled.person_id}`, '127.0.0.1', { with: 'provider', reason: 'person_disabled' }],
  ])
  const { ops } = await newOperator(service)
  const all = (await ops('listForwarderAudit', undefined, { query: { kind: 'sign_in', take: 200 } })).body.entries
  const own = all.flatMap(({ details }) => (details.with === 'provider' ? [details] : []))
  expect(own).toContainEqual({ with: 'provider', reason: 'unknown_address', email: unknown })
  expect(own).toContainEqual({ with: 'provider', reason: 'address_not_verified', email: admin.email })
  expect(own).toContainEqual({ with: 'provider', reason: 'provider_refused' })
})

test('authenticating again with the provider asks it for a new sign-in of the same person, and keeps the session', async () => {
  const both = await startBoth()
  const { service, provider } = both
  const account = await newAccount(service)
  const [admin, colleague] = [await newPerson(service, account), await newPerson(service, account)]
  const address = `${service.baseUrl}/portal/v1/provider`
  const requested = async (query: string) => {
    const { headers } = await new Visitor().get(address + query)
    const { searchParams } = new URL(headers.get('location') as string)
    return [searchParams.get('prompt'), searchParams.get('max_age')]
  }
  expect(await requested('')).toEqual([null, null])
  expect(await requested('?again=true')).toEqual(['login', '0'])

  const visitor = new Visitor()
  const { portal } = await signedInWithProvider(both, admin.email, visitor)
  const sessions = (await portal('listSessions')).body.length
  await service.db`update sessions set authenticated_at = now() - interval '11 minutes'
    where person_id = ${admin.person_id}`
  const create = () => portal('createOwnKey', { body: {} })
  const again = async (email: string) => {
    // The provider asks whether to sign out before somebody else signs in.
    visitor.cookiesOf(provider.settings.issuer).clear()
    const back = await visitor.get(await signInAtProvider(both, visitor, { email }, '/developers', true))
    return back.headers.get('location')
  }
  provider.signedInAt = Math.floor(Date.now() / 1000) - 3600
  expect(await again(admin.email)).toBe('/sign-in?refused=provider')
  expect(await create()).toBeRefused('reauthentication_required')
  provider.signedInAt = undefined
  expect(await again(colleague.email)).toBe('/sign-in?refused=provider')
  expect(await create()).toBeRefused('reauthentication_required')
  expect(await again(admin.email)).toBe('/developers')
  expect((await create()).status).toBe(201)
  expect((await portal('listSessions')).body).toHaveLength(sessions)

  const { entries } = (await portal('listAudit', { query: { kind: 'sign_in' } })).body
  const proofs = entries.filter(({ action }) => action.startsWith('reauth'))
  expect(proofs.map(({ actor, action, details }) => [actor, action, details])).toEqual([
    [`person:${admin.person_id}`, 'reauthenticated', { with: 'provider' }],
    [`person:${colleague.person_id}`, 'reauthentication_failed', { with: 'provider', reason: 'other_person' }],
    [`person:${admin.person_id}`, 'reauthentication_failed', { with: 'provider', reason: 'not_signed_in_again' }],
  ])
})
