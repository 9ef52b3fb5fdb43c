import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../../../src/contract/operator/operations.js'
import { rights } from '../../../src/contract/operator/rights.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { formatApiKey } from '../../../src/domain/accounts/api-key.js'
import { newAccount } from '../../support/account.js'
import { withinOneMinute } from '../../support/one-minute.js'
import { accountWithExamples, checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { sendExample } from '../../support/operator-examples.js'
import { startService } from '../../support/service.js'

/** Roles and rate limits of operators. The refusals of every operation: isolation-matrix.test.ts. */

const service = await startService()
const { baseUrl } = service

const { slug: lived } = await accountWithExamples(service)

async function expectRefused(names: OperatorOperationName[], key: string, code: RefusalCode): Promise<void> {
  for (const name of names) {
    const result = await checkedOperatorResponse(name, await sendExample({ baseUrl, key }, name, { account: lived }))
    expect(result, name).toBeRefused(code)
  }
}

// Written out: a new operation needs an entry here.
const allowed: Record<OperatorOperationName, string> = {
  getOperator: 'admin operations finance viewer',
  getBillingSettings: 'admin operations finance viewer',
  setBillingSettings: 'admin',
  getAccountBilling: 'admin operations finance viewer',
  setAccountBilling: 'admin finance',
  listChargeTemplates: 'admin operations finance viewer',
  setChargeTemplate: 'admin finance',
  removeChargeTemplate: 'admin finance',
  draftFromTemplate: 'admin finance',
  checkInvoice: 'admin operations finance viewer',
  applyPayment: 'admin finance',
  refundPayment: 'admin finance',
  getAccountStatement: 'admin operations finance viewer',
  findInvoices: 'admin operations finance viewer',
  listUnbilled: 'admin operations finance viewer',
  listReceivables: 'admin operations finance viewer',
  matchPayments: 'admin finance',
  listAccounts: 'admin operations finance viewer',
  createAccount: 'admin',
  getAccount: 'admin operations finance viewer',
  updateAccount: 'admin',
  listKeys: 'admin operations finance viewer',
  createKey: 'admin',
  rotateKey: 'admin',
  revokeKey: 'admin',
  removeFactors: 'admin',
  listLocations: 'admin operations finance viewer',
  createLocation: 'admin operations',
  getLocation: 'admin operations finance viewer',
  replaceLocation: 'admin operations',
  updateLocation: 'admin operations',
  getHistory: 'admin operations finance viewer',
  listAccountAudit: 'admin',
  exportAccountAudit: 'admin',
  listForwarderAudit: 'admin',
  exportForwarderAudit: 'admin',
  listAccountPeople: 'admin operations finance viewer',
  inviteAccountPerson: 'admin',
  inviteAccountPersonAgain: 'admin',
  updateAccountPerson: 'admin',
  removeAccountPerson: 'admin',
  startViewing: 'admin operations',
  listStaff: 'admin operations finance viewer',
  inviteStaff: 'admin',
  inviteStaffAgain: 'admin',
  updateStaff: 'admin',
  removeStaff: 'admin',
  endStaffSessions: 'admin',
  import: 'admin',
  findShipments: 'admin operations finance viewer',
  listShipments: 'admin operations finance viewer',
  createShipment: 'admin operations',
  getShipment: 'admin operations finance viewer',
  getPresence: 'admin operations finance viewer',
  replaceShipment: 'admin operations',
  updateShipment: 'admin operations',
  moveShipment: 'admin operations',
  cancelPurchaseOrder: 'admin operations',
  replaceContainer: 'admin operations',
  listPurchaseOrders: 'admin operations finance viewer',
  getPurchaseOrder: 'admin operations finance viewer',
  assign: 'admin operations',
  pack: 'admin operations',
  unassign: 'admin operations',
  findOpenOrders: 'admin operations finance viewer',
  listOrderLines: 'admin operations finance viewer',
  addOrderLines: 'admin operations',
  getTracking: 'admin operations finance viewer',
  getOrderArrivals: 'admin operations finance viewer',
  listInbound: 'admin operations finance viewer',
  simulateDelay: 'admin operations finance viewer',
  explainTracking: 'admin operations finance viewer',
  getTrackingHistory: 'admin operations finance viewer',
  getTrackingJourney: 'admin operations finance viewer',
  planTracking: 'admin operations',
  addEvent: 'admin operations',
  correctEvent: 'admin operations',
  retractEvent: 'admin operations',
  addPosition: 'admin operations',
  releaseEvent: 'admin operations',
  pinDate: 'admin operations',
  unpinDate: 'admin operations',
  shiftDates: 'admin operations',
  listSenders: 'admin operations finance viewer',
  setSender: 'admin operations',
  removeSender: 'admin operations',
  listFreeTimeTerms: 'admin operations finance viewer',
  setFreeTimeTerm: 'admin operations',
  removeFreeTimeTerm: 'admin operations',
  listWorkingDays: 'admin operations finance viewer',
  setWorkingDays: 'admin operations',
  removeWorkingDays: 'admin operations',
  importFreeTimeTable: 'admin operations',
  exportFreeTimeTable: 'admin operations finance viewer',
  getFreeTime: 'admin operations finance viewer',
  giveFreeTime: 'admin operations',
  retractFreeTime: 'admin operations',
  receiveMessage: 'admin operations',
  listMessages: 'admin operations finance viewer',
  getMessage: 'admin operations finance viewer',
  getMessageContent: 'admin operations finance viewer',
  replayMessage: 'admin operations',
  matchMessage: 'admin operations',
  dropMessage: 'admin operations',
  getAcknowledgement: 'admin operations finance viewer',
  listCodes: 'admin operations finance viewer',
  mapCode: 'admin operations',
  getBranding: 'admin operations finance viewer',
  listMails: 'admin',
  setBranding: 'admin',
  unmapCode: 'admin operations',
  previewMessage: 'admin operations',
  suggestDocument: 'admin operations',
  getSenderColumns: 'admin operations finance viewer',
  setSenderColumns: 'admin operations',
  removeSenderColumns: 'admin operations',
  lookUpReference: 'admin operations finance viewer',
  countWork: 'admin operations finance viewer',
  listWorkItems: 'admin operations finance viewer',
  actOnWorkItems: 'admin operations finance',
  listConversations: 'admin operations finance viewer',
  listCustomerMessages: 'admin operations finance viewer',
  postCustomerMessage: 'admin operations',
  uploadMessageFile: 'admin operations',
  settleConversation: 'admin operations',
  receiveMail: 'admin operations',
  listDocumentProposals: 'admin operations finance viewer',
  findNeededDocuments: 'admin operations finance viewer',
  getProposalContent: 'admin operations finance viewer',
  acceptProposal: 'admin operations',
  returnProposal: 'admin operations',
  listSupplierLinks: 'admin operations finance viewer',
  createSupplierLink: 'admin operations',
  revokeSupplierLink: 'admin operations',
  getChecklist: 'admin operations finance viewer',
  waiveDocument: 'admin operations',
  requireDocument: 'admin operations',
  listFeeds: 'admin operations finance viewer',
  createFeed: 'admin',
  getFeed: 'admin operations finance viewer',
  updateFeed: 'admin',
  rotateFeedSecret: 'admin',
  removeFeed: 'admin',
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
  listExceptions: 'admin operations finance viewer',
  listEvents: 'admin operations finance viewer',
  listWebhooks: 'admin operations finance viewer',
  listWebhookDeliveries: 'admin operations finance viewer',
  disableWebhook: 'admin operations',
  enableWebhook: 'admin operations',
  actOnExceptions: 'admin operations',
  changeShipments: 'admin operations',
  listAccountExceptions: 'admin operations finance viewer',
  getException: 'admin operations finance viewer',
  actOnException: 'admin operations',
  getExceptionRules: 'admin operations finance viewer',
  setExceptionRules: 'admin',
  getAccountExceptionRules: 'admin operations finance viewer',
  setAccountExceptionRules: 'admin',
  withdrawDocument: 'admin operations',
}

test('every operation is open to exactly the roles listed here', () => {
  const open = operatorOperationNames.map((name) => [name, rights[operatorOperations[name].right].join(' ')])
  expect(Object.fromEntries(open)).toEqual(allowed)
})

test('a refusal for a missing role names the roles that are allowed', async () => {
  const { ops } = await newOperator(service, 'viewer')
  const refused = await ops('createLocation', lived, { body: { name: 'N' } })
  expect(refused.problem.detail).toBe('The role `viewer` may not do this; these may: admin, operations.')
})

test('an unknown or malformed operator key is refused', async () => {
  const { key } = await newOperator(service)
  const withTypo = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  for (const wrong of [withTypo, 'wb_op_', 'admin', `${key}x`]) {
    await expectRefused(['getOperator', 'createShipment'], wrong, 'invalid_key')
  }
})

test('refusals name a customer key, another scheme and a truncated key as such', async () => {
  const [{ key }, customer] = [await newOperator(service), await newAccount(service)]
  const cases: [string, string][] = [
    [`Bearer ${customer.key}`, "This is a customer's key; it works on /v1."],
    ['Basic d2I6d2I=', 'The scheme is Basic; send Bearer.'],
    [`Bearer ${key.slice(0, -4)}`, 'The key is cut off: its checksum does not match.'],
    ['Bearer admin', 'This is not a key of Waybill: keys begin with wb_op_.'],
    [`Bearer ${formatApiKey('operator', randomBytes(24))}`, 'The key is unknown, expired or revoked.'],
  ]
  for (const [authorization, detail] of cases) {
    const response = await fetch(`${service.baseUrl}/ops/v1/operator`, { headers: { authorization } })
    expect(await response.json()).toMatchObject({ status: 401, code: 'invalid_key', detail })
  }
})

test("the role is checked first: a viewer's write reveals nothing about accounts", async () => {
  const { ops } = await newOperator(service, 'viewer')
  expect(await ops('createShipment', 'no-such-account', { body: {} })).toBeRefused('insufficient_role')
})

test('the sandbox, which allows customers without a key, refuses operators without one', async () => {
  const { slug } = await newAccount(service)
  const sandbox = await startService({ demoAccount: slug })
  expect((await fetch(`${sandbox.baseUrl}/v1/locations`)).status).toBe(200)
  const response = await fetch(`${sandbox.baseUrl}/ops/v1/accounts/${slug}`)
  expect({ status: response.status, text: await response.text() }).toBeRefused('missing_key')
})

test('the rate limit applies to each operator separately', async () => {
  const limited = await startService({ rateLimit: 2 })
  await withinOneMinute(async () => {
    const [one, other] = [await newOperator(limited), await newOperator(limited)]
    await one.ops('getOperator', undefined)
    expect((await one.ops('getOperator', undefined)).headers.get('ratelimit')).not.toBeNull()
    const refused = await one.ops('getOperator', undefined)
    expect(refused).toBeRefused('rate_limited')
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await other.ops('getOperator', undefined)).status).toBe(200)
  })
})
