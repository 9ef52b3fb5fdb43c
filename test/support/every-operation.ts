import { type ClientInput, sendTo } from '../../src/client/client.js'
import { officeOperationNames, officeOperations } from '../../src/contract/office/operations.js'
import type { Operation } from '../../src/contract/operation.js'
import { operatorOperationNames, operatorOperations } from '../../src/contract/operator/operations.js'
import {
  type PortalBody,
  type PortalOperationName,
  portalOperationNames,
  portalOperations,
} from '../../src/contract/portal/operations.js'
import { type OperationName, operationNames, operations } from '../../src/contract/public/operations.js'
import { line, newAccount, type TestAccount } from './account.js'
import type { newAuthenticator } from './authenticator.js'
import { type Identifiers, importEverything, newIdentifiers, readInputs } from './every-resource.js'
import { addPasskeyTo } from './factors.js'
import { checkedOperatorResponse } from './operator.js'
import { sendExample } from './operator-examples.js'
import { checkedPortalResponse, newPerson, type PortalCallInput, type TestPerson } from './person.js'
import { proposalForm } from './proposals.js'
import type { RunningService } from './service.js'

/**
 * A valid request for every operation of every interface. Responses to operators and the portal are validated against the
 * contract.
 */

/** An account with one resource of each kind, and users. */
export type FullAccount = {
  account: TestAccount
  ids: Identifiers
  admin: TestPerson
  viewer: TestPerson
  view_id: string
  subscription_id: string
  /** Of the admin. */
  passkey: { passkey_id: string; authenticator: ReturnType<typeof newAuthenticator> }
}

export async function newFullAccount(
  service: RunningService,
  ids: Identifiers = newIdentifiers(),
): Promise<FullAccount> {
  const account = await newAccount(service)
  await importEverything(service, account, ids, account.slug)
  const admin = await newPerson(service, account, 'admin', { name: `Admin of ${account.slug}` })
  const viewer = await newPerson(service, account, 'viewer', { name: `Viewer of ${account.slug}` })
  const body = { page: 'shipments', name: `View of ${account.slug}`, query: '' } as const
  const { view_id } = (await admin.portal('createView', { body })).body
  const watched: PortalBody<'createSubscription'> = {
    scope: 'view',
    id: view_id,
    exceptions: ['late'],
    changes: [],
    delivery: 'portal',
  }
  const { subscription_id } = (await admin.portal('createSubscription', { body: watched })).body
  const { authenticator, added } = await addPasskeyTo(service, admin)
  const passkey_id = added.factors.passkeys[0]?.passkey_id ?? ''
  return { account, ids, admin, viewer, view_id, subscription_id, passkey: { passkey_id, authenticator } }
}

export type AnyRequest = {
  name: string
  operation: Operation
  send(headers: Record<string, string>): Promise<{ status: number; headers: Headers; text: string }>
}

/** A new operation needs an entry here. */
export function publicInputs(ids: Identifiers): { [Name in OperationName]: ClientInput<Name> } {
  const webhook = { webhook_id: ids.webhook }
  return {
    ...readInputs(ids),
    createPurchaseOrder: { body: { reference: `new ${ids.reference}`, product_lines: [line()] } },
    acknowledgeException: { params: { exception_id: ids.exception }, body: {} },
    cancelPurchaseOrder: { params: { reference: ids.reference }, body: {} },
    updatePurchaseOrder: { body: { reference: ids.reference, supplier_id: 'changed' } },
    postMessage: { body: { svc_shipment_id: ids.svc_shipment_id, text: 'When does it arrive?' } },
    uploadMessageFile: { body: proposalForm() },
    proposeDocument: { body: proposalForm({ svc_shipment_id: ids.svc_shipment_id }) },
    createSharedLink: { params: { svc_shipment_id: ids.svc_shipment_id }, body: { documents: [ids.document] } },
    revokeSharedLink: { params: { svc_shipment_id: ids.svc_shipment_id, link_id: ids.link } },
    createWebhook: { body: { url: 'https://hooks.invalid/' } },
    updateWebhook: { params: webhook, body: { description: 'changed' } },
    pauseWebhook: { params: webhook },
    resumeWebhook: { params: webhook },
    rotateWebhookSecret: { params: webhook, body: {} },
    testWebhook: { params: webhook },
    replayWebhook: { params: webhook, body: { from: new Date().toISOString() } },
    resendWebhookDelivery: { params: { ...webhook, delivery_id: ids.delivery } },
    deleteWebhook: { params: webhook },
  }
}

/** A new operation with input needs an entry here. */
export function portalInputs(of: FullAccount): { [Name in PortalOperationName]: PortalCallInput<Name> } {
  const { ids, admin, viewer, view_id, subscription_id, account } = of
  const { passkey_id } = of.passkey
  const { svc_shipment_id, invoice: reference } = ids
  const person = { person_id: viewer.person_id }
  const token = 'x'.repeat(32)
  const passkey = { id: 'AAAA', client_data: 'AAAA', authenticator_data: 'AAAA', signature: 'AAAA' }
  const listing = Object.fromEntries(portalOperationNames.map((name) => [name, {}])) as {
    [Name in PortalOperationName]: PortalCallInput<Name>
  }
  return {
    ...listing,
    signIn: { body: { email: admin.email, password: 'a guess of it' } },
    requestPasswordReset: { body: { email: admin.email } },
    openViewing: { body: { token } },
    getLink: { body: { token } },
    useLink: { body: { token, password: 'a new password' } },
    updatePerson: { body: { name: 'Changed' } },
    changePassword: { body: { password: 'a new password', current_password: 'a guess of it' } },
    reauthenticate: { body: { password: 'a guess of it' } },
    endSession: { params: { session_id: viewer.session_id } },
    completeSignIn: { body: { code: '123456' } },
    signInWithPasskey: { body: { passkey } },
    reauthenticateWithFactor: { body: { code: '123456' } },
    confirmTotp: { body: { code: '123456' } },
    addPasskey: {
      body: { name: 'Mine', passkey: { id: 'AAAA', client_data: 'AAAA', attestation_object: 'AAAA' } },
    },
    renamePasskey: { params: { passkey_id }, body: { name: 'Changed' } },
    removePasskey: { params: { passkey_id } },
    removeFactors: { params: person },
    updateAccountSecurity: { body: { second_factor_required: false } },
    invitePerson: { body: { email: `new-${admin.email}`, name: 'New', role: 'admin' } },
    inviteAgain: { params: person },
    updateRole: { params: person, body: { role: 'admin' } },
    removePerson: { params: person },
    createOwnKey: { body: { name: 'Mine' } },
    rotateOwnKey: { params: { key_id: account.key_id }, body: {} },
    updateKeyPolicy: { body: { max_days: 90 } },
    revokeOwnKey: { params: { key_id: account.key_id } },
    createView: { body: { page: 'invoices', name: 'New', query: '' } },
    updateView: { params: { view_id }, body: { name: 'Changed' } },
    removeView: { params: { view_id } },
    markNotificationsRead: { body: { notification_ids: [1] } },
    createSubscription: { body: { scope: 'all', exceptions: ['late'], changes: [], delivery: 'daily' } },
    updateSubscription: { params: { subscription_id }, body: { delivery: 'daily' } },
    removeSubscription: { params: { subscription_id } },
    saveNotificationSettings: { body: { digest_time: '08:00', digest_weekday: 5 } },
    search: { query: { q: svc_shipment_id } },
    exportShipments: { query: { format: 'csv' } },
    exportInbound: { query: { format: 'csv' } },
    exportExceptions: { query: { format: 'csv' } },
    exportLocations: { query: { format: 'csv' } },
    exportInvoices: { query: { format: 'csv' } },
    exportPurchaseOrders: { query: { format: 'csv' } },
    exportDocuments: { query: { format: 'csv' } },
    getStatement: { query: { currency: 'EUR', from: '2026-01-01', to: '2026-12-31' } },
    getJourney: { params: { svc_shipment_id } },
    getInvoiceStanding: { params: { reference } },
    getInvoicePdf: { params: { reference } },
    downloadDocuments: { query: { ids: ids.document } },
    findChecklists: { query: { shipments: JSON.stringify([svc_shipment_id]) } },
    listSupplierLinks: { query: { svc_shipment_id } },
    createSupplierLink: { body: { svc_shipment_id, supplier: 'Supplier' } },
    revokeSupplierLink: { params: { link_id: 'sup_0000000000000000' } },
    uploadAsSupplier: { body: proposalForm() as never },
    trackShipment: { body: { number: svc_shipment_id, fact: ids.reference } },
    createCalendar: { body: {} },
    removeCalendar: { params: { calendar_id: 'cal_0000000000000000' } },
    readCalendar: { params: { token: 'unknown-token-12345' } },
    getSharedDocument: { params: { id: ids.document } },
  }
}

export function publicRequests(baseUrl: string, { ids }: FullAccount): AnyRequest[] {
  const inputs = publicInputs(ids)
  return operationNames.map((name) => ({
    name,
    operation: operations[name],
    send: async (headers) => read(await sendWith(baseUrl, headers, operations[name], inputs[name])),
  }))
}

export function portalRequests(baseUrl: string, resident: FullAccount): AnyRequest[] {
  const inputs = portalInputs(resident)
  return portalOperationNames.map((name) => ({
    name,
    operation: portalOperations[name],
    send: async (headers) =>
      checkedPortalResponse(name, await sendWith(baseUrl, headers, portalOperations[name], inputs[name])),
  }))
}

export function officeRequests(baseUrl: string, resident: FullAccount): AnyRequest[] {
  const inputs = portalInputs(resident)
  return officeOperationNames.map((name) => ({
    name,
    operation: officeOperations[name],
    send: async (headers) =>
      checkedPortalResponse(
        name,
        await sendWith(baseUrl, headers, officeOperations[name], inputs[name]),
        officeOperations[name],
      ),
  }))
}

/** For an account in which the examples were executed, or another one. */
export function operatorRequests(baseUrl: string, account: string): AnyRequest[] {
  return operatorOperationNames.map((name) => ({
    name,
    operation: operatorOperations[name],
    send: async (headers) => checkedOperatorResponse(name, await sendExample({ baseUrl, headers }, name, { account })),
  }))
}

async function sendWith(baseUrl: string, headers: Record<string, string>, operation: Operation, input: object) {
  const fetchWith: typeof fetch = (address, init = {}) =>
    fetch(address, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } })
  return sendTo({ baseUrl, fetch: fetchWith }, operation, input)
}

async function read(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() }
}
