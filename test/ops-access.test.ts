import { expect, test } from 'vitest'
import { rights } from '../src/contract/ops/operation.js'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../src/contract/ops/operations.js'
import type { RefusalCode } from '../src/contract/refusals.js'
import { newAccount } from './support/account.js'
import { aLivedAccount, checkedOperatorAnswer, newOperator } from './support/operator.js'
import { sendExample } from './support/operator-examples.js'
import { startService } from './support/service.js'

/** Roles and limits of operators. (Who is refused what, operation by operation: isolation-matrix.test.ts.) */

const service = await startService()
const { baseUrl } = service

const { slug: lived } = await aLivedAccount(service)

async function expectRefused(names: OperatorOperationName[], key: string, code: RefusalCode): Promise<void> {
  for (const name of names) {
    const answer = await checkedOperatorAnswer(name, await sendExample({ baseUrl, key }, name, { account: lived }))
    expect(answer, name).toBeRefused(code)
  }
}

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
