import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sendTo } from '../src/client/client.js'
import { operationNames, operations } from '../src/contract/operations.js'
import { operatorRoles } from '../src/contract/ops/accounts.js'
import { operatorExamples } from '../src/contract/ops/examples.js'
import { type OperatorOperation, rights } from '../src/contract/ops/operation.js'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../src/contract/ops/operations.js'
import type { Problem } from '../src/contract/problem.js'
import type { RefusalCode } from '../src/contract/refusals.js'
import { createOperatorWithKey } from '../src/operator/keys.js'
import { revokeOperator } from '../src/storage/operators.js'
import { newAccount } from './support/account.js'
import { checkedOperatorAnswer, newOperator } from './support/operator.js'
import { exampleNames, sendExample } from './support/operator-examples.js'
import { startService } from './support/service.js'

const service = await startService()
const { baseUrl } = service

/** An account in which the whole story of the examples has happened. */
async function aLivedAccount(): Promise<string> {
  const slug = `lived-${randomBytes(6).toString('hex')}`
  const { key } = await newOperator(service)
  let key_id = ''
  for (const name of exampleNames) {
    const response = await sendExample({ baseUrl, key }, name, { account: slug, ...(key_id && { key_id }) })
    expect(response.ok, name).toBe(true)
    if (name === 'createKey') key_id = ((await response.json()) as { key_id: string }).key_id
  }
  return slug
}

const lived = await aLivedAccount()

/** Every request, and the account that it must leave as it is. */
async function expectRefused(
  names: OperatorOperationName[],
  key: string | undefined,
  code: RefusalCode,
  account = lived,
): Promise<void> {
  const before = await stateOf(account)
  for (const name of names) {
    const answer = await checkedOperatorAnswer(name, await sendExample({ baseUrl, key }, name, { account }))
    expect(answer, name).toBeRefused(code)
    if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  }
  expect(await stateOf(account)).toEqual(before)
}

async function stateOf(slug: string) {
  const [state] = await service.db`
    select accounts.*, (select count(*) from changes where account_id = accounts.account_id) as changes,
      (select count(*) from idempotency_keys where account_id = accounts.account_id) as remembered
    from accounts where slug = ${slug}`
  return state
}

test('without a key every operation is refused, and nothing changes', async () => {
  await expectRefused(operatorOperationNames, undefined, 'missing_key')
})

test("with a customer's key every operation is refused, in the customer's own account too", async () => {
  const customer = await newAccount(service)
  await expectRefused(operatorOperationNames, customer.key, 'invalid_key')
  await expectRefused(operatorOperationNames, customer.key, 'invalid_key', customer.slug)
})

test("an operator's key opens nothing of the public interface", async () => {
  const { key } = await newOperator(service)
  for (const name of operationNames) {
    const params = { svc_shipment_id: 'S', reference: 'R', id: '1' }
    const body = 'body' in operations[name] ? { body: { reference: 'P', product_lines: [] } } : {}
    const response = await sendTo({ baseUrl, key }, operations[name], { params, ...body })
    expect({ status: response.status, text: await response.text() }, name).toBeRefused('invalid_key')
  }
})

test.each(operatorRoles)('the role %s may do what its rights say, and nothing else', async (role) => {
  const { key } = await newOperator(service, role)
  const may = (name: OperatorOperationName) =>
    (rights[operatorOperations[name].right] as readonly string[]).includes(role)
  await expectRefused(
    operatorOperationNames.filter((name) => !may(name)),
    key,
    'insufficient_role',
  )
  const account = `none-${randomBytes(6).toString('hex')}`
  for (const name of operatorOperationNames.filter(may)) {
    const { status } = await sendExample({ baseUrl, key }, name, { account })
    expect([401, 403], name).not.toContain(status)
  }
})

// Written out: a new operation needs its line here.
const allowed: Record<OperatorOperationName, string> = {
  getOperator: 'admin operations finance viewer',
  listAccounts: 'admin operations finance viewer',
  createAccount: 'admin',
  getAccount: 'admin operations finance viewer',
  updateAccount: 'admin',
  listKeys: 'admin operations finance viewer',
  createKey: 'admin',
  revokeKey: 'admin',
  listLocations: 'admin operations finance viewer',
  createLocation: 'admin operations',
  getLocation: 'admin operations finance viewer',
  replaceLocation: 'admin operations',
  updateLocation: 'admin operations',
  getHistory: 'admin operations finance viewer',
  import: 'admin',
  listShipments: 'admin operations finance viewer',
  createShipment: 'admin operations',
  getShipment: 'admin operations finance viewer',
  replaceShipment: 'admin operations',
  updateShipment: 'admin operations',
  moveShipment: 'admin operations',
  listPurchaseOrders: 'admin operations finance viewer',
  getPurchaseOrder: 'admin operations finance viewer',
  assign: 'admin operations',
  pack: 'admin operations',
  unassign: 'admin operations',
  getTracking: 'admin operations finance viewer',
  getTrackingHistory: 'admin operations finance viewer',
  planTracking: 'admin operations',
  addEvent: 'admin operations',
  correctEvent: 'admin operations',
  retractEvent: 'admin operations',
  addPosition: 'admin operations',
  listInvoices: 'admin operations finance viewer',
  draftInvoice: 'admin finance',
  getInvoice: 'admin operations finance viewer',
  replaceInvoice: 'admin finance',
  discardDraft: 'admin finance',
  issueInvoice: 'admin finance',
  moveInvoice: 'admin finance',
  recordPayment: 'admin finance',
  removePayment: 'admin finance',
  draftCreditNote: 'admin finance',
  getInvoicePdf: 'admin operations finance viewer',
  listDocuments: 'admin operations finance viewer',
  uploadDocument: 'admin operations',
  getDocument: 'admin operations finance viewer',
  getDocumentContent: 'admin operations finance viewer',
  updateDocument: 'admin operations',
  replaceDocument: 'admin operations',
  withdrawDocument: 'admin operations',
}

test('every operation is open to exactly these roles', () => {
  const open = operatorOperationNames.map((name) => [name, rights[operatorOperations[name].right].join(' ')])
  expect(Object.fromEntries(open)).toEqual(allowed)
})

test('the refusal of a role names those that may', async () => {
  const { ops } = await newOperator(service, 'viewer')
  const refused = await ops('createLocation', lived, { body: { name: 'N' } })
  expect(refused.problem.detail).toBe('The role `viewer` may not do this; these may: admin, operations.')
})

test('a revoked operator and one whose time is over are strangers at once', async () => {
  const revoked = await newOperator(service)
  expect((await revoked.ops('getOperator', undefined)).status).toBe(200)
  await revokeOperator(service.db, revoked.operator_id)
  await expectRefused(operatorOperationNames, revoked.key, 'invalid_key')
  const expires_at = new Date(Date.now() - 1000)
  const expired = await createOperatorWithKey(service.db, { name: 'Expired', role: 'admin', expires_at })
  await expectRefused(operatorOperationNames, expired.key, 'invalid_key')
})

test('a key that was never given out, or is no key at all, is refused', async () => {
  const { key } = await newOperator(service)
  const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  for (const wrong of [mistyped, 'wb_op_', 'admin', `${key}x`]) {
    await expectRefused(['getOperator', 'createShipment'], wrong, 'invalid_key')
  }
})

test('the role is asked before anything else: a viewer learns nothing of accounts by writing', async () => {
  const { ops } = await newOperator(service, 'viewer')
  expect(await ops('createShipment', 'no-such-account', { body: {} })).toBeRefused('insufficient_role')
})

test('identifiers of another account are not found, in the same words as those that do not exist', async () => {
  const { key } = await newOperator(service)
  const { slug: account } = await newAccount(service)
  const before = await stateOf(account)
  for (const name of operatorOperationNames) {
    const operation: OperatorOperation = operatorOperations[name]
    const { account: _account, kind: _kind, ...ids } = operatorExamples[name].params ?? {}
    if (Object.keys(ids).length === 0) continue
    const nothing = Object.fromEntries(Object.keys(ids).map((id) => [id, 'none']))
    const theirs = await checkedOperatorAnswer(name, await sendExample({ baseUrl, key }, name, { account }))
    const none = await checkedOperatorAnswer(name, await sendExample({ baseUrl, key }, name, { account, ...nothing }))
    expect(theirs.status, `${operation.method} ${operation.path} ${theirs.text}`).toBe(404)
    expect(withoutId(theirs.problem)).toEqual(withoutId(none.problem))
  }
  expect(await stateOf(account)).toEqual(before)
})

function withoutId({ request_id: _id, ...problem }: Problem) {
  return problem
}

test('the sandbox, which answers customers without a key, answers no operation of operators without one', async () => {
  const { slug } = await newAccount(service)
  const sandbox = await startService({ demoAccount: slug })
  expect((await fetch(`${sandbox.baseUrl}/v1/locations`)).status).toBe(200)
  const response = await fetch(`${sandbox.baseUrl}/ops/v1/accounts/${slug}`)
  expect({ status: response.status, text: await response.text() }).toBeRefused('missing_key')
})

test('an operator is held to the rate limit, each by themselves', async () => {
  const limited = await startService({ rateLimit: 2 })
  const [one, other] = [await newOperator(limited), await newOperator(limited)]
  await one.ops('getOperator', undefined)
  expect((await one.ops('getOperator', undefined)).headers.get('ratelimit')).not.toBeNull()
  const refused = await one.ops('getOperator', undefined)
  expect(refused).toBeRefused('rate_limited')
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await other.ops('getOperator', undefined)).status).toBe(200)
})
