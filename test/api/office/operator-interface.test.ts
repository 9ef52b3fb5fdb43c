import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isRead } from '../../../src/contract/operation.js'
import { operatorRoles } from '../../../src/contract/operator/accounts.js'
import type { OperatorOperation } from '../../../src/contract/operator/operation.js'
import { mayDo } from '../../../src/contract/operator/rights.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { forwarderAccount } from '../../../src/database/account-id.js'
import { newToken } from '../../../src/usecases/people/passwords.js'
import { type AnyRequest, newFullAccount, operatorRequests } from '../../support/every-operation.js'
import { asOperator, newOperatorPerson, startOffice } from '../../support/office.js'
import { accountWithExamples, checkedOperatorResponse } from '../../support/operator.js'
import { storedState } from '../../support/stored-state.js'

/** The operator interface with a session of the office: what its role may, and nothing that a page elsewhere forged. */

const service = await startOffice()
const { baseUrl, db } = service
const { slug, id: account } = await accountWithExamples(service)
const requests = operatorRequests(baseUrl, slug)
const operationOf = ({ operation }: AnyRequest) => operation as OperatorOperation

async function expectRefused(refused: AnyRequest[], headers: Record<string, string>, code: RefusalCode) {
  expect(refused.length).toBeGreaterThan(0)
  const before = await storedState(db, account)
  for (const { name, send } of refused) expect(await send(headers), name).toBeRefused(code)
  expect(await storedState(db, account)).toEqual(before)
}

test.each(operatorRoles)('a session with the role %s may do what its rights allow, and nothing else', async (role) => {
  const { headers } = await newOperatorPerson(service, role)
  const may = (request: AnyRequest) => mayDo(role, operationOf(request).right)
  const refused = requests.filter((request) => !may(request))
  if (role === 'admin') expect(refused).toEqual([])
  else await expectRefused(refused, headers, 'insufficient_role')
  // In an account that does not exist, so that nothing happens.
  const allowed = operatorRequests(baseUrl, `none-${randomBytes(6).toString('hex')}`).filter(may)
  for (const { name, send } of allowed) expect([401, 403], name).not.toContain((await send(headers)).status)
})

test('unknown sessions, and sessions of customers under either name, are refused', async () => {
  const { admin } = await newFullAccount(service)
  await expectRefused(requests, asOperator(service, newToken()).headers, 'not_signed_in')
  await expectRefused(requests, admin.headers, 'missing_key')
  const renamed = admin.headers.cookie.replace('waybill_session', 'waybill_office')
  await expectRefused(requests, { ...admin.headers, cookie: renamed }, 'not_signed_in')
})

test('forged writes are refused', async () => {
  const { headers } = await newOperatorPerson(service)
  const other = await newOperatorPerson(service)
  const writes = requests.filter(({ operation }) => !isRead(operation))
  const forged = [
    { cookie: headers.cookie },
    { ...headers, 'x-csrf-token': other.headers['x-csrf-token'] },
    { ...headers, origin: 'https://evil.example' },
    { ...headers, 'sec-fetch-site': 'cross-site' },
  ]
  for (const given of forged) await expectRefused(writes, given, 'foreign_origin')
})

test('operations on keys, sign-in and bank details need a recent proof, and a person without a required second factor may do nothing', async () => {
  const { headers, person_id } = await newOperatorPerson(service)
  await db`update sessions set authenticated_at = now() - interval '11 minutes' where person_id = ${person_id}`
  const guarded = requests.filter((request) => operationOf(request).requiresReauthentication)
  const names = guarded.map(({ name }) => name).toSorted()
  expect(names).toEqual(
    [
      'createFeed',
      'createKey',
      'endStaffSessions',
      'inviteAccountPerson',
      'inviteAccountPersonAgain',
      'inviteStaff',
      'inviteStaffAgain',
      'removeAccountPerson',
      'removeStaff',
      'startViewing',
      'updateAccountPerson',
      'updateStaff',
      'removeFactors',
      'revokeKey',
      'rotateFeedSecret',
      'rotateKey',
      // It has the bank details that customers pay to.
      'setBillingSettings',
      'updateAccount',
    ].toSorted(),
  )
  await expectRefused(guarded, headers, 'reauthentication_required')
  await db`update accounts set second_factor_required = true where account_id = ${forwarderAccount}`
  try {
    await expectRefused(requests, headers, 'enrolment_required')
  } finally {
    await db`update accounts set second_factor_required = false where account_id = ${forwarderAccount}`
  }
})

test('a write carries the name of the person, and a retry of one with a secret returns the same secret', async () => {
  const { headers, person_id, name } = await newOperatorPerson(service)
  const create = () =>
    fetch(`${baseUrl}/ops/v1/accounts/${slug}/keys`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'retry-1' },
      body: JSON.stringify({ name: 'ERP', scopes: ['read'] }),
    })
  const first = await checkedOperatorResponse('createKey', await create())
  const second = await checkedOperatorResponse('createKey', await create())
  expect(first.status).toBe(201)
  expect(second.text).toBe(first.text)
  const stored = await db<{ response: string }[]>`select * from idempotency_keys where account_id = ${account}`
  expect(JSON.stringify(stored)).not.toContain(first.body.key)
  const audit = await checkedOperatorResponse(
    'listAccountAudit',
    await fetch(`${baseUrl}/ops/v1/accounts/${slug}/audit`, { headers }),
  )
  expect(JSON.stringify(audit.body)).toContain(`operator:${person_id}`)
  expect(JSON.stringify(audit.body)).toContain(name)
})

test('a session waits for events, and is refused once its operator is disabled', async () => {
  const { headers, person_id } = await newOperatorPerson(service, 'viewer')
  const feed = async (query: string): Promise<{ status: number; body: { cursor: string } }> => {
    const response = await fetch(`${baseUrl}/ops/v1/events?${query}`, { headers })
    return { status: response.status, body: (await response.json()) as { cursor: string } }
  }
  const { cursor } = (await feed('after=now')).body
  // Longer than the pause after which a waiting request looks again.
  expect((await feed(`after=${cursor}&wait=2`)).status).toBe(200)
  const waiting = feed(`after=${cursor}&wait=30`)
  await db`update people set disabled_at = now() where account_id = ${forwarderAccount} and person_id = ${person_id}`
  expect((await waiting).status).toBe(401)
})
