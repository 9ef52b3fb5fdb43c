import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isRead } from '../../../src/contract/operation.js'
import { operatorRoles } from '../../../src/contract/operator/accounts.js'
import { operatorExamples } from '../../../src/contract/operator/examples.js'
import type { OperatorOperation } from '../../../src/contract/operator/operation.js'
import { operatorOperationNames, operatorOperations } from '../../../src/contract/operator/operations.js'
import { mayDo } from '../../../src/contract/operator/rights.js'
import type { PortalOperation } from '../../../src/contract/portal/operation.js'
import { personRoles } from '../../../src/contract/portal/people.js'
import { mayInPortal } from '../../../src/contract/portal/rights.js'
import { accessOf } from '../../../src/contract/public/operations.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { formatApiKey } from '../../../src/domain/accounts/api-key.js'
import { revokeOperator } from '../../../src/store/operators.js'
import { endSessions } from '../../../src/store/sessions.js'
import { issueKey } from '../../../src/usecases/accounts/create-key.js'
import { createOperatorWithKey } from '../../../src/usecases/accounts/create-operator.js'
import { revokeAnyKey } from '../../../src/usecases/accounts/revoke-key.js'
import { newToken } from '../../../src/usecases/people/passwords.js'
import { csrfTokenOf } from '../../../src/usecases/people/session-response.js'
import {
  type AnyRequest,
  newFullAccount,
  operatorRequests,
  portalRequests,
  publicRequests,
} from '../../support/every-operation.js'
import { accountWithExamples, newOperator } from '../../support/operator.js'
import { sendExample } from '../../support/operator-examples.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'
import { storedState } from '../../support/stored-state.js'

/**
 * Every operation of all three interfaces, requested by everyone who may not: without a key, with a revoked or expired
 * key, one of another kind or account, without the role or scope. The operations come from the contract, so new ones
 * are included. (Leaks through names and searches: isolation.test.ts, ../portal/isolation.test.ts.)
 */

const service = await startService()
const { baseUrl, db } = service
const resident = await newFullAccount(service)
const suspended = await newFullAccount(service)
const lived = await accountWithExamples(service)
await db`update accounts set suspended_at = now(), revision = revision + 1 where account_id = ${suspended.account.id}`

const ofPublic = publicRequests(baseUrl, resident)
const ofOperators = operatorRequests(baseUrl, lived.slug)
const ofPortal = portalRequests(baseUrl, resident)

const past = new Date(Date.now() - 1000)

const noIdentifiers = {
  svc_shipment_id: 'none',
  reference: 'none',
  invoice: 'none',
  number: 'none',
  location: 1,
  exception: 'none',
  link: 'none',
  webhook: 'none',
  delivery: 'none',
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

async function customerKey(expires_at?: Date) {
  return issueKey(db, resident.account.id, { scopes: ['read', 'write'], name: 'test', expires_at })
}

/** A session of the account's admin after an event such as a sign-out. */
async function sessionAfter(happening: (person_id: string) => Promise<unknown>): Promise<Record<string, string>> {
  const person = await newPerson(service, resident.account, 'admin')
  expect((await person.portal('getSession')).status).toBe(200)
  await happening(person.person_id)
  return person.headers
}

type Stranger = [who: string, headers: Record<string, string>, code: RefusalCode]

/** All requests are refused with the same code, and the stored data is unchanged. */
async function expectRefused(requests: AnyRequest[], [who, headers, code]: Stranger, account = resident.account.id) {
  expect(requests.length).toBeGreaterThan(0)
  const before = await storedState(db, account)
  for (const { name, send } of requests) {
    const result = await send(headers)
    expect(result, `${name} with ${who}`).toBeRefused(code)
    if (code === 'missing_key' || code === 'invalid_key') {
      expect(result.headers.get('www-authenticate'), name).toMatch(/^Bearer realm="waybill"/)
    }
  }
  expect(await storedState(db, account), who).toEqual(before)
}

const operator = await newOperator(service)
const revoked = await customerKey()
const expired = await customerKey(past)
const revokedOperator = await newOperator(service)
const expiredOperator = await createOperatorWithKey(db, { name: 'Expired', role: 'admin', expires_at: past })
const withoutToken = { cookie: resident.admin.headers.cookie }

const endedSessions: Stranger[] = [
  ['an unknown session', sessionHeaders(newToken()), 'not_signed_in'],
  ['a session that has ended', await sessionAfter((id) => endSessions(db, resident.account.id, id)), 'not_signed_in'],
  [
    'a session that has expired',
    await sessionAfter((id) => db`update sessions set expires_at = ${past} where person_id = ${id}`),
    'not_signed_in',
  ],
  [
    'a session unused for more than a week',
    await sessionAfter(
      (id) => db`update sessions set last_seen_at = now() - interval '8 days' where person_id = ${id}`,
    ),
    'not_signed_in',
  ],
  [
    'a session of a disabled person',
    await sessionAfter((id) => db`update people set disabled_at = now() where person_id = ${id}`),
    'not_signed_in',
  ],
]

function sessionHeaders(token: string): Record<string, string> {
  return { cookie: `waybill_session=${token}`, 'x-csrf-token': csrfTokenOf(token) }
}

describe('the public interface', () => {
  test.each<Stranger>([
    ['no key', {}, 'missing_key'],
    ['a key that was never issued', bearer(formatApiKey('account', randomBytes(24))), 'invalid_key'],
    ['a revoked key', bearer(revoked.key), 'invalid_key'],
    ['an expired key', bearer(expired.key), 'invalid_key'],
    ["an operator's key", bearer(operator.key), 'invalid_key'],
    ['a key of a suspended account', bearer(suspended.account.key), 'account_suspended'],
    ['a session of a suspended account', suspended.admin.headers, 'account_suspended'],
    ...endedSessions,
  ])('every operation is refused with %s', async (...stranger) => {
    if (stranger[0] === 'a revoked key') await revokeAnyKey(db, revoked.key_id)
    await expectRefused(ofPublic, stranger)
  })

  test('every operation is refused with a key of the other scope', async () => {
    for (const scope of ['read', 'write'] as const) {
      const { key } = await issueKey(db, resident.account.id, { scopes: [scope], name: `only ${scope}` })
      const lacking = ofPublic.filter(({ operation }) => accessOf(operation) !== scope)
      await expectRefused(lacking, [`the scope ${scope} alone`, bearer(key), 'insufficient_scope'])
    }
  })

  test('a signed-in viewer may only read', async () => {
    const [reads, writes] = split(ofPublic)
    await expectRefused(writes, ['a viewer', resident.viewer.headers, 'insufficient_role'])
    for (const { name, send } of reads) expect((await send(resident.viewer.headers)).status, name).toBe(200)
  })

  test('forged cross-site requests are refused for writes', async () => {
    const [, writes] = split(ofPublic)
    for (const stranger of forgeries(resident.admin.headers)) await expectRefused(writes, stranger)
  })

  test('identifiers of another account are refused exactly like unknown ones', async () => {
    const other = await newFullAccount(service)
    const nothing = { ...other, ids: { ...other.ids, ...noIdentifiers } }
    const before = await storedState(db, resident.account.id)
    const [theirs, none] = [ofPublic, publicRequests(baseUrl, nothing)]
    await expectSameRefusals(theirs, none, bearer(other.account.key), (name) =>
      /^get|^update|SharedLink|(?<!create)Webhook(?!s)/.test(name),
    )
    expect(await storedState(db, resident.account.id)).toEqual(before)
  })

  test('authorized requests succeed, so the refusals are not caused by invalid requests', async () => {
    const other = await newFullAccount(service)
    await db`delete from assignments where account_id = ${other.account.id}`
    for (const { name, operation, send } of publicRequests(baseUrl, other)) {
      expect((await send(bearer(other.account.key))).status, name).toBe(operation.success.status)
    }
  })
})

describe('the operator interface', () => {
  test.each<Stranger>([
    ['no key', {}, 'missing_key'],
    ['a key that was never issued', bearer(formatApiKey('operator', randomBytes(24))), 'invalid_key'],
    ['a revoked key', bearer(revokedOperator.key), 'invalid_key'],
    ['an expired key', bearer(expiredOperator.key), 'invalid_key'],
    ["a customer's key", bearer(resident.account.key), 'invalid_key'],
    ["a customer's session", resident.admin.headers, 'missing_key'],
  ])('every operation is refused with %s', async (...stranger) => {
    if (stranger[0] === 'a revoked key') await revokeOperator(db, revokedOperator.operator_id)
    await expectRefused(ofOperators, stranger, lived.id)
    // Customers in their own account, too.
    if (stranger[0].startsWith('a customer'))
      await expectRefused(operatorRequests(baseUrl, resident.account.slug), stranger)
  })

  test.each(operatorRoles)('the role %s may do what its rights allow, and nothing else', async (role) => {
    const { key } = await newOperator(service, role)
    const may = ({ operation }: AnyRequest) => mayDo(role, (operation as OperatorOperation).right)
    const refused = ofOperators.filter((request) => !may(request))
    if (role !== 'admin') await expectRefused(refused, [role, bearer(key), 'insufficient_role'], lived.id)
    else expect(refused).toEqual([])
    // In an account that does not exist, so that nothing happens.
    const allowed = operatorRequests(baseUrl, `none-${randomBytes(6).toString('hex')}`).filter(may)
    for (const { name, send } of allowed) expect([401, 403], name).not.toContain((await send(bearer(key))).status)
  })

  test('identifiers of another account are refused exactly like unknown ones', async () => {
    const { account } = await newFullAccount(service)
    const [before, beforeThere] = [await storedState(db, account.id), await storedState(db, lived.id)]
    const named = new Set<string>()
    const none = operatorOperationNames.map((name) => {
      const { account: _account, kind: _kind, milestone: _milestone, ...ids } = operatorExamples[name].params ?? {}
      // Messages belong to no account.
      if (Object.keys(ids).length > 0 && operatorOperations[name].path.includes('{account}')) named.add(name)
      const nothing = Object.fromEntries(Object.keys(ids).map((id) => [id, 'none']))
      return async () => {
        const response = await sendExample({ baseUrl, key: operator.key }, name, { account: account.slug, ...nothing })
        return { status: response.status, headers: response.headers, text: await response.text() }
      }
    })
    const theirs = operatorRequests(baseUrl, account.slug)
    const others = theirs.map((request, index) => ({ ...request, send: none[index] as AnyRequest['send'] }))
    await expectSameRefusals(theirs, others, bearer(operator.key), (name) => named.has(name))
    expect(await storedState(db, account.id)).toEqual(before)
    expect(await storedState(db, lived.id)).toEqual(beforeThere)
  })
})

describe('the interface of the portal', () => {
  // Operations that start or look up a session are tested in ../portal/sign-in.test.ts.
  const forAnyone = [
    'getSignInOptions',
    'signIn',
    'signInToDemo',
    // With a link from the office: ../portal/viewing.test.ts.
    'openViewing',
    'findSession',
    'requestPasswordReset',
    'getLink',
    'useLink',
    'getPendingSignIn',
    'completeSignIn',
    'startSecondFactorPasskey',
    'startPasskeySignIn',
    'signInWithPasskey',
    // With a link for suppliers: ../portal/supplier-links.test.ts.
    'getSupplierUpload',
    'uploadAsSupplier',
    // With the address of a calendar: ../portal/calendars.test.ts.
    'readCalendar',
    // Where it is offered, with a number and one more fact: ../portal/public-tracking.test.ts.
    'trackShipment',
    // With the link of a shared shipment: ../portal/shared-links.test.ts.
    'getSharedShipment',
    'getSharedDocument',
  ]
  const forPeople = ofPortal.filter(({ operation }) => (operation as PortalOperation).access !== 'anyone')

  test('only the operations for signing in, those of links, and public tracking are open to everyone', () => {
    const open = ofPortal.filter((request) => !forPeople.includes(request))
    expect(open.map(({ name }) => name)).toEqual(forAnyone)
  })

  test.each<Stranger>([
    ['no session', {}, 'not_signed_in'],
    ["a customer's key", bearer(resident.account.key), 'not_signed_in'],
    ["an operator's key", bearer(operator.key), 'not_signed_in'],
    ...endedSessions,
  ])('every operation is refused with %s, and no session is reported', async (...stranger) => {
    await expectRefused(forPeople, stranger)
    const [, headers] = stranger
    const found = await ofPortal.find(({ name }) => name === 'findSession')?.send(headers)
    expect(found?.text).toBe('{}')
  })

  test('every operation except signing out is refused with a session of a suspended account', async () => {
    const refused = forPeople.filter(({ operation }) => !(operation as PortalOperation).endsSession)
    expect(forPeople.length - refused.length).toBe(1)
    await expectRefused(refused, ['a suspended account', suspended.admin.headers, 'account_suspended'])
  })

  test.each(personRoles)('the role %s may do what its rights allow, and nothing else', async (role) => {
    const other = await newFullAccount(service)
    const person = await newPerson(service, other.account, role)
    const may = ({ operation }: AnyRequest) => mayInPortal(role, (operation as PortalOperation).access as 'read')
    const refused = forPeople.filter((request) => !may(request))
    if (role !== 'admin') await expectRefused(refused, [role, person.headers, 'insufficient_role'])
    else expect(refused).toEqual([])
    // With identifiers of another person: most are not found, and none is refused for the role.
    const lasting = forPeople.filter(({ name }) => name !== 'streamChanges' && name !== 'signOut')
    for (const { name, send } of lasting.filter(may)) {
      const { status, text } = await send(person.headers)
      expect(
        [401, 403].includes(status) && !/wrong_password|second_factor_failed|passkey_refused/.test(text),
        `${name} ${text}`,
      ).toBe(false)
    }
  })

  test('operations that require it are refused unless the person authenticated within the last 10 minutes', async () => {
    const old = await sessionAfter(
      (id) => db`update sessions set authenticated_at = now() - interval '11 minutes' where person_id = ${id}`,
    )
    const guarded = forPeople.filter(({ operation }) => (operation as PortalOperation).requiresReauthentication)
    expect(guarded.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['createOwnKey', 'revokeOwnKey', 'invitePerson', 'updateRole', 'removePerson']),
    )
    await expectRefused(guarded, ['a session that was authenticated earlier', old, 'reauthentication_required'])
  })

  test('forged cross-site requests are refused for writes', async () => {
    const [, writes] = split(forPeople)
    for (const stranger of forgeries(resident.admin.headers)) await expectRefused(writes, stranger)
  })

  test('identifiers of another account are refused exactly like unknown ones', async () => {
    const other = await newFullAccount(service)
    const none = {
      ...other,
      ids: { ...other.ids, ...noIdentifiers },
      viewer: { ...other.viewer, person_id: 'none', session_id: 'none' },
      account: { ...other.account, key_id: 'none' },
      view_id: 'none',
      subscription_id: 'none',
      passkey: { ...other.passkey, passkey_id: 'none' },
    }
    const before = await storedState(db, resident.account.id)
    const hasParams = ({ path }: PortalOperation) => path.includes('{')
    const named = new Set(
      forPeople.filter(({ operation }) => hasParams(operation as PortalOperation)).map((one) => one.name),
    )
    await expectSameRefusals(ofPortal, portalRequests(baseUrl, none), other.admin.headers, (name) => named.has(name))
    expect(await storedState(db, resident.account.id)).toEqual(before)
  })
})

function split(requests: AnyRequest[]): [reads: AnyRequest[], writes: AnyRequest[]] {
  return [requests.filter(({ operation }) => isRead(operation)), requests.filter(({ operation }) => !isRead(operation))]
}

function forgeries(headers: Record<string, string>): Stranger[] {
  return [
    ['no token of the session', withoutToken, 'foreign_origin'],
    ['a token of another session', { ...headers, 'x-csrf-token': csrfTokenOf(newToken()) }, 'foreign_origin'],
    ['another origin', { ...headers, origin: 'https://evil.example' }, 'foreign_origin'],
    ['no origin at all', { ...headers, origin: 'null' }, 'foreign_origin'],
    ['another site', { ...headers, 'sec-fetch-site': 'cross-site' }, 'foreign_origin'],
  ]
}

/** The refusal of an existing foreign identifier must equal that of an unknown one, byte for byte. */
async function expectSameRefusals(
  theirs: AnyRequest[],
  none: AnyRequest[],
  headers: Record<string, string>,
  isMeant: (name: string) => boolean,
) {
  const sent = theirs.flatMap((request, index) => (isMeant(request.name) ? [[request, none[index]] as const] : []))
  expect(sent.length).toBeGreaterThan(2)
  for (const [request, other] of sent) {
    const [one, another] = [await request.send(headers), await (other as AnyRequest).send(headers)]
    expect(one.status, `${request.name} ${one.text}`).toBe(404)
    expect(withoutId(one.text), request.name).toBe(withoutId(another.text))
  }
}

function withoutId(text: string): string {
  return text.replace(/req_\w+/, '')
}
