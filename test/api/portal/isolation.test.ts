import { expect, test } from 'vitest'
import { listOperations } from '../../../src/contract/portal/list-operations.js'
import {
  type PortalOperationName,
  portalOperationNames,
  portalOperations,
} from '../../../src/contract/portal/operations.js'
import type { Line } from '../../support/account.js'
import { type FullAccount, newFullAccount } from '../../support/every-operation.js'
import { newIdentifiers } from '../../support/every-resource.js'
import { asVisitor } from '../../support/person.js'
import { proposalForm } from '../../support/proposals.js'
import { startService } from '../../support/service.js'

/** No portal response contains data of another account. (Refusals of every operation: isolation-matrix.test.ts.) */

const service = await startService()

/** Everything that identifies an account. */
function identifiersOf({ account, ids, admin, viewer, view_id, passkey }: FullAccount): string[] {
  const { svc_shipment_id, reference, invoice, number, location, document } = ids
  const people = [admin, viewer].flatMap(({ person_id, email, token, session_id }) => [
    person_id,
    email,
    token,
    session_id,
  ])
  return [
    account.slug,
    account.key_id,
    svc_shipment_id,
    reference,
    invoice,
    number,
    document,
    view_id,
    passkey.passkey_id,
    passkey.authenticator.id,
    ...people,
  ].concat(String(location))
}

type Answer = { status: number; text: string }

/** Every operation, requested with the identifiers of another account. A new operation needs an entry here. */
const attempts: { [Name in PortalOperationName]: (self: FullAccount, theirs: FullAccount) => Promise<Answer[]> } = {
  getSignInOptions: async () => [await asVisitor(service, 'getSignInOptions')],
  signIn: async (_, { admin: { email } }) => [
    await asVisitor(service, 'signIn', { body: { email, password: 'a guess of it' } }),
  ],
  signInToDemo: async () => [await asVisitor(service, 'signInToDemo')],
  openViewing: async (_, { admin: { token } }) => [await asVisitor(service, 'openViewing', { body: { token } })],
  getSession: async ({ admin }) => [await admin.portal('getSession')],
  findSession: async ({ admin }) => [await admin.portal('findSession')],
  signOut: async ({ viewer }) => [await viewer.portal('signOut')],
  requestPasswordReset: async (_, { admin: { email } }) => [
    await asVisitor(service, 'requestPasswordReset', { body: { email } }),
  ],
  getLink: async (_, { admin: { token } }) => [await asVisitor(service, 'getLink', { body: { token } })],
  useLink: async (_, { admin: { token } }) => [
    await asVisitor(service, 'useLink', { body: { token, password: 'a new password' } }),
  ],
  updatePerson: async ({ admin }) => [await admin.portal('updatePerson', { body: { theme: 'dark' } })],
  changePassword: async ({ admin }) => [
    await admin.portal('changePassword', { body: { password: 'a new password', current_password: 'x' } }),
  ],
  reauthenticate: async ({ admin }) => [await admin.portal('reauthenticate', { body: { password: 'a guess of it' } })],
  listSessions: async ({ admin }) => [await admin.portal('listSessions')],
  endSession: async ({ admin }, { viewer: { session_id } }) => [
    await admin.portal('endSession', { params: { session_id } }),
  ],
  endOtherSessions: async ({ admin }) => [await admin.portal('endOtherSessions')],
  getPendingSignIn: async () => [await asVisitor(service, 'getPendingSignIn')],
  completeSignIn: async () => [await asVisitor(service, 'completeSignIn', { body: { code: '123456' } })],
  startSecondFactorPasskey: async () => [await asVisitor(service, 'startSecondFactorPasskey')],
  startPasskeySignIn: async () => [await asVisitor(service, 'startPasskeySignIn')],
  signInWithPasskey: async (_, { passkey }) => [
    await asVisitor(service, 'signInWithPasskey', {
      body: {
        passkey: passkey.authenticator.sign((await asVisitor(service, 'startPasskeySignIn')).body, {
          origin: 'https://example.com',
        }),
      },
    }),
  ],
  startPasskeyReauthentication: async ({ admin }) => [await admin.portal('startPasskeyReauthentication')],
  reauthenticateWithFactor: async ({ admin }, { passkey }) => [
    await admin.portal('reauthenticateWithFactor', {
      body: { passkey: passkey.authenticator.sign((await admin.portal('startPasskeyReauthentication')).body) },
    }),
  ],
  getFactors: async ({ admin, viewer }) => [await admin.portal('getFactors'), await viewer.portal('getFactors')],
  startTotp: async ({ viewer }) => [await viewer.portal('startTotp')],
  confirmTotp: async ({ viewer }) => [await viewer.portal('confirmTotp', { body: { code: '123456' } })],
  removeTotp: async ({ viewer }) => [await viewer.portal('removeTotp')],
  renewRecoveryCodes: async ({ viewer }) => [await viewer.portal('renewRecoveryCodes')],
  startPasskey: async ({ viewer }) => [await viewer.portal('startPasskey')],
  addPasskey: async ({ viewer }, { passkey }) => [
    await viewer.portal('addPasskey', {
      body: { name: 'Theirs', passkey: passkey.authenticator.create((await viewer.portal('startPasskey')).body) },
    }),
  ],
  renamePasskey: async ({ admin }, { passkey: { passkey_id } }) => [
    await admin.portal('renamePasskey', { params: { passkey_id }, body: { name: 'Taken over' } }),
  ],
  removePasskey: async ({ admin }, { passkey: { passkey_id } }) => [
    await admin.portal('removePasskey', { params: { passkey_id } }),
  ],
  removeFactors: async ({ admin }, { viewer: { person_id } }) => [
    await admin.portal('removeFactors', { params: { person_id } }),
  ],
  getAccountSecurity: async ({ admin }) => [await admin.portal('getAccountSecurity')],
  updateAccountSecurity: async ({ admin }) => [
    await admin.portal('updateAccountSecurity', { body: { second_factor_required: false } }),
  ],
  listPeople: async ({ admin, viewer }) => [await admin.portal('listPeople'), await viewer.portal('listPeople')],
  invitePerson: async ({ admin }, { viewer: { email } }) => [
    await admin.portal('invitePerson', { body: { email, name: 'Taken over', role: 'admin' } }),
  ],
  inviteAgain: async ({ admin }, { viewer: { person_id } }) => [
    await admin.portal('inviteAgain', { params: { person_id } }),
  ],
  updateRole: async ({ admin }, { viewer: { person_id } }) => [
    await admin.portal('updateRole', { params: { person_id }, body: { disabled: true } }),
  ],
  removePerson: async ({ admin }, { viewer: { person_id } }) => [
    await admin.portal('removePerson', { params: { person_id } }),
  ],
  listOwnKeys: async ({ admin }) => [await admin.portal('listOwnKeys')],
  createOwnKey: async ({ admin }) => [await admin.portal('createOwnKey', { body: { name: 'Mine' } })],
  revokeOwnKey: async ({ admin }, { account: { key_id } }) => [
    await admin.portal('revokeOwnKey', { params: { key_id } }),
  ],
  rotateOwnKey: async ({ admin }, { account: { key_id } }) => [
    await admin.portal('rotateOwnKey', { params: { key_id }, body: {} }),
  ],
  getKeyPolicy: async ({ admin }) => [await admin.portal('getKeyPolicy')],
  updateKeyPolicy: async ({ admin }) => [await admin.portal('updateKeyPolicy', { body: { max_days: 90 } })],
  listAudit: async ({ admin }, { admin: { person_id } }) => [
    await admin.portal('listAudit', { query: { take: 200 } }),
    await admin.portal('listAudit', { query: { actor: `person:${person_id}` } }),
  ],
  exportAudit: async ({ admin }) => [await admin.portal('exportAudit')],
  listRequests: async ({ admin }, { account: { key_id } }) => [
    await admin.portal('listRequests'),
    await admin.portal('listRequests', { query: { key_id } }),
  ],
  listViews: async ({ admin }) => [await admin.portal('listViews')],
  createView: async ({ admin }) => [
    await admin.portal('createView', { body: { page: 'invoices', name: 'Mine', query: '' } }),
  ],
  updateView: async ({ admin }, { view_id }) => [
    await admin.portal('updateView', { params: { view_id }, body: { name: 'Taken over' } }),
  ],
  removeView: async ({ admin }, { view_id }) => [await admin.portal('removeView', { params: { view_id } })],
  listNotifications: async ({ admin }) => [await admin.portal('listNotifications')],
  markNotificationsRead: async ({ admin }) => [
    await admin.portal('markNotificationsRead', { body: { up_to: Number.MAX_SAFE_INTEGER } }),
  ],
  listSubscriptions: async ({ admin }) => [await admin.portal('listSubscriptions')],
  createSubscription: async ({ admin }, { ids }) => [
    await admin.portal('createSubscription', {
      body: { scope: 'shipment', id: ids.svc_shipment_id, exceptions: ['late'], changes: [], delivery: 'portal' },
    }),
  ],
  updateSubscription: async ({ admin }, { subscription_id }) => [
    await admin.portal('updateSubscription', { params: { subscription_id }, body: { delivery: 'daily' } }),
  ],
  removeSubscription: async ({ admin }, { subscription_id }) => [
    await admin.portal('removeSubscription', { params: { subscription_id } }),
  ],
  getNotificationSettings: async ({ admin }) => [await admin.portal('getNotificationSettings')],
  saveNotificationSettings: async ({ admin }) => [
    await admin.portal('saveNotificationSettings', { body: { digest_time: '08:00', digest_weekday: 5 } }),
  ],
  getOverview: async ({ admin }) => [await admin.portal('getOverview')],
  search: async ({ admin }, theirs) =>
    Promise.all(wordsOf(theirs).map((q) => admin.portal('search', { query: { q, take: 20 } }))),
  findShipments: async ({ admin }, theirs) => [
    await admin.portal('findShipments'),
    await admin.portal('findShipments', { query: { location: theirs.ids.location } }),
    ...(await Promise.all(wordsOf(theirs).map((q) => admin.portal('findShipments', { query: { q } })))),
  ],
  getShipmentFacets: async ({ admin }) => [await admin.portal('getShipmentFacets')],
  exportShipments: async ({ admin }, { ids }) => [
    await admin.portal('exportShipments', { query: { format: 'csv' } }),
    await admin.portal('exportShipments', { query: { format: 'csv', q: ids.svc_shipment_id } }),
  ],
  getJourney: async ({ admin }, { ids: { svc_shipment_id } }) => [
    await admin.portal('getJourney', { params: { svc_shipment_id } }),
  ],
  findExceptions: async ({ admin }, { ids }) => [
    await admin.portal('findExceptions'),
    await admin.portal('findExceptions', { query: { svc_shipment_id: ids.svc_shipment_id } }),
    await admin.portal('findExceptions', { query: { po_number: ids.reference } }),
  ],
  findInbound: async ({ admin }, { ids }) => [
    await admin.portal('findInbound', { query: { delivered: 'any' } }),
    await admin.portal('findInbound', { query: { since: '2020-01-01T00:00:00Z', reference: ids.reference } }),
  ],
  exportExceptions: async ({ admin }, { ids }) => [
    await admin.portal('exportExceptions', { query: { format: 'csv' } }),
    await admin.portal('exportExceptions', { query: { format: 'csv', svc_shipment_id: ids.svc_shipment_id } }),
  ],
  exportLocations: async ({ admin }) => [await admin.portal('exportLocations', { query: { format: 'csv' } })],
  exportInbound: async ({ admin }) => [
    await admin.portal('exportInbound', { query: { format: 'csv', delivered: 'any' } }),
  ],
  findPurchaseOrders: async ({ admin }, theirs) => [
    await admin.portal('findPurchaseOrders'),
    ...(await Promise.all(wordsOf(theirs).map((q) => admin.portal('findPurchaseOrders', { query: { q } })))),
  ],
  listSuppliers: async ({ admin }) => [await admin.portal('listSuppliers')],
  getOrderSheetTemplate: async ({ admin }) => [await admin.portal('getOrderSheetTemplate')],
  checkOrderSheet: async ({ admin }, { ids }) => [await admin.sendFile('checkOrderSheet', sheetOf(ids.reference))],
  saveOrderSheet: async ({ admin }, { ids }) => [await admin.sendFile('saveOrderSheet', sheetOf(ids.reference))],
  findInvoices: async ({ admin }, theirs) => [
    await admin.portal('findInvoices'),
    ...(await Promise.all(wordsOf(theirs).map((q) => admin.portal('findInvoices', { query: { q } })))),
  ],
  getInvoiceTotals: async ({ admin }) => [await admin.portal('getInvoiceTotals')],
  getInvoiceStanding: async ({ admin }, { ids: { invoice, number } }) => [
    await admin.portal('getInvoiceStanding', { params: { reference: invoice } }),
    await admin.portal('getInvoiceStanding', { params: { reference: number } }),
  ],
  getInvoicePdf: async ({ admin }, { ids: { invoice, number } }) => [
    await admin.portal('getInvoicePdf', { params: { reference: invoice } }),
    await admin.portal('getInvoicePdf', { params: { reference: number } }),
  ],
  findDocuments: async ({ admin }, theirs) => [
    await admin.portal('findDocuments'),
    await admin.portal('findDocuments', { query: { svc_shipment_id: theirs.ids.svc_shipment_id } }),
    ...(await Promise.all(wordsOf(theirs).map((q) => admin.portal('findDocuments', { query: { q } })))),
  ],
  downloadDocuments: async ({ admin }, { ids }) => [
    await admin.portal('downloadDocuments', { query: { ids: ids.document } }),
  ],
  exportInvoices: async ({ admin }) => [await admin.portal('exportInvoices', { query: { format: 'csv' } })],
  exportPurchaseOrders: async ({ admin }) => [await admin.portal('exportPurchaseOrders', { query: { format: 'csv' } })],
  exportDocuments: async ({ admin }) => [await admin.portal('exportDocuments', { query: { format: 'csv' } })],
  getStatement: async ({ admin }) => [
    await admin.portal('getStatement', { query: { currency: 'EUR', from: '2026-01-01', to: '2026-12-31' } }),
  ],
  findChecklists: async ({ admin }, { ids }) => [
    await admin.portal('findChecklists', { query: { shipments: JSON.stringify([ids.svc_shipment_id]) } }),
  ],
  listSupplierLinks: async ({ admin }, { ids }) => [
    await admin.portal('listSupplierLinks', { query: { svc_shipment_id: ids.svc_shipment_id } }),
  ],
  createSupplierLink: async ({ admin }, { ids }) => [
    await admin.portal('createSupplierLink', { body: { svc_shipment_id: ids.svc_shipment_id, supplier: 'Mine' } }),
  ],
  revokeSupplierLink: async ({ admin }) => [
    await admin.portal('revokeSupplierLink', { params: { link_id: 'sup_0000000000000000' } }),
  ],
  getSupplierUpload: async () => [await asVisitor(service, 'getSupplierUpload')],
  uploadAsSupplier: async () => [await asVisitor(service, 'uploadAsSupplier', { body: proposalForm() as never })],
  getSharedShipment: async () => [await asVisitor(service, 'getSharedShipment')],
  getSharedDocument: async (_, { ids }) => [
    await asVisitor(service, 'getSharedDocument', { params: { id: ids.document } }),
  ],
  trackShipment: async (_, { ids }) => [
    await asVisitor(service, 'trackShipment', { body: { number: ids.svc_shipment_id, fact: ids.reference } }),
  ],
  getConversation: async ({ admin }, { ids: { svc_shipment_id } }) => [
    await admin.portal('getConversation', { query: { svc_shipment_id } }),
  ],
  markConversationRead: async ({ admin }, { ids: { reference } }) => [
    await admin.portal('markConversationRead', { body: { message_id: 'msg_0', po_number: reference } }),
  ],
  listCalendars: async ({ admin }) => [await admin.portal('listCalendars')],
  createCalendar: async ({ admin }) => [await admin.portal('createCalendar', { body: { view_id: 'view_0' } })],
  removeCalendar: async ({ admin }) => [
    await admin.portal('removeCalendar', { params: { calendar_id: 'cal_0000000000000000' } }),
  ],
  readCalendar: async () => [await asVisitor(service, 'readCalendar', { params: { token: 'unknown-token-12345' } })],
  listPlaces: async ({ admin }) => [await admin.portal('listPlaces')],
  streamChanges: async (self, theirs) => [await changesSeenBy(self, theirs)],
}

function wordsOf({ account, ids }: FullAccount): string[] {
  return [account.slug, ids.svc_shipment_id, ids.reference, ids.invoice, ids.number, ids.document]
}

function sheetOf(reference: string) {
  const heading = 'reference,product_lines.product.sku,product_lines.ordered_quantity'
  return { name: 'orders.csv', bytes: `${heading}\n${reference},SKU-1,10\n` }
}

/** The events of a stream from the start, up to a change that is made in both accounts while it is open. */
async function changesSeenBy(self: FullAccount, theirs: FullAccount): Promise<Answer> {
  const leave = new AbortController()
  const response = await fetch(`${service.baseUrl}/portal/v1/changes?after=0`, {
    headers: self.admin.headers,
    signal: leave.signal,
  })
  const mark = (slug: string): Line => ({ kind: 'location', data: { id: 1, name: `changed in ${slug}` } })
  await theirs.account.forwarder.imports(mark(theirs.account.slug))
  await self.account.forwarder.imports(mark(self.account.slug))
  const [row] = await service.db<{ revision: number }[]>`
    select revision from accounts where account_id = ${self.account.id}`
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    if (text.includes(`id: ${row?.revision}\n`)) break
  }
  leave.abort()
  return { status: response.status, text }
}

/** Everything that people and systems of an account see of it. */
async function viewOf({ account, admin, viewer }: FullAccount): Promise<string[]> {
  const responses = [
    await account.call('listShipments'),
    await account.call('listPurchaseOrders'),
    await account.call('listInvoices'),
    await admin.portal('listPeople'),
    await admin.portal('listViews'),
    await admin.portal('listSubscriptions'),
    await admin.portal('getFactors'),
    await admin.portal('getSession'),
    await viewer.portal('getSession'),
  ]
  return responses.map(({ text }) => text)
}

// Input of the requester may be echoed.
const echoes: Partial<Record<PortalOperationName, (theirs: FullAccount) => string>> = {
  checkOrderSheet: ({ ids }) => ids.reference,
  saveOrderSheet: ({ ids }) => ids.reference,
  downloadDocuments: ({ ids }) => ids.document,
}

const found: Partial<Record<PortalOperationName, number>> = {
  signIn: 401,
  signInToDemo: 401,
  openViewing: 404,
  getLink: 404,
  useLink: 404,
  reauthenticate: 403,
  changePassword: 403,
  endSession: 404,
  invitePerson: 409,
  getPendingSignIn: 401,
  completeSignIn: 401,
  startSecondFactorPasskey: 401,
  signInWithPasskey: 403,
  reauthenticateWithFactor: 403,
  confirmTotp: 404,
  removeTotp: 404,
  renewRecoveryCodes: 404,
  addPasskey: 403,
  renamePasskey: 404,
  removePasskey: 404,
  removeFactors: 404,
  inviteAgain: 404,
  updateRole: 404,
  removePerson: 404,
  rotateOwnKey: 404,
  revokeOwnKey: 404,
  updateView: 404,
  removeView: 404,
  createSubscription: 404,
  updateSubscription: 404,
  removeSubscription: 404,
  getJourney: 404,
  getInvoiceStanding: 404,
  getInvoicePdf: 404,
  downloadDocuments: 404,
  createSupplierLink: 400,
  revokeSupplierLink: 404,
  getSupplierUpload: 404,
  uploadAsSupplier: 404,
  getSharedShipment: 404,
  getSharedDocument: 404,
  trackShipment: 404,
  createCalendar: 404,
  getConversation: 404,
  markConversationRead: 404,
  removeCalendar: 404,
  readCalendar: 404,
}

// No test changes the other account, which each checks: they share it.
const other = await newFullAccount(service, newIdentifiers())
const before = await viewOf(other)
// Reads share their own accounts, too: they change nothing.
const reader = await newFullAccount(service, newIdentifiers())
const readerAlike = await newFullAccount(service, other.ids)

test.each(portalOperationNames)('%s neither shows nor changes data of another account', async (name) => {
  const self = portalOperations[name].method === 'GET' ? reader : await newFullAccount(service, newIdentifiers())
  const responses = await attempts[name](self, other)
  expect(responses.length).toBeGreaterThan(0)
  for (const { status, text } of responses) {
    expect(status, text).toBe(found[name] ?? portalOperations[name].success.status)
    const reported = text.replaceAll(echoes[name]?.(other) ?? '\0', '')
    for (const trace of identifiersOf(other)) expect(reported).not.toContain(trace)
  }
  expect(await viewOf(other)).toEqual(before)
})

// Identifiers of people, keys and views are generated.
const shared = (Object.keys(listOperations) as (keyof typeof listOperations)[]).filter(
  (name) => name !== 'streamChanges',
)

test.each(shared)('%s separates accounts with the same identifiers', async (name) => {
  for (const { text } of await attempts[name](readerAlike, other)) expect(text).not.toContain(other.account.slug)
  expect(await viewOf(other)).toEqual(before)
})
