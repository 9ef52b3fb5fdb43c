import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { officeOperations } from '../../src/contract/office/operations.js'
import { operatorOperations } from '../../src/contract/operator/operations.js'
import { portalOperations } from '../../src/contract/portal/operations.js'
import { operations } from '../../src/contract/public/operations.js'

/** Everything that an account, the forwarder and a portal user can read, which a restore has to bring back. */

export type Readers = {
  slug: string
  key: string
  operatorKey: string
  /** Session headers of a user of the account. */
  person: Record<string, string>
  /** Session headers of an operator, at the office. */
  office: Record<string, string>
}

/** Status and body by address, without values that are generated or depend on the last visit. */
export type Responses = Record<string, string>

// Their responses depend on the moment, or are not stored.
const ofTheMoment = new Set([
  'streamChanges',
  // Identifiers of events and cursors are those of a database.
  'listEvents',
  'listRequests',
  'getPresence',
  'listAudit',
  'exportAudit',
  'listAccountAudit',
  'exportAccountAudit',
  'listForwarderAudit',
  'listSessions',
  'getPendingSignIn',
  'getLink',
  'getSupplierUpload',
  'getSharedShipment',
  'getSharedDocument',
  'readCalendar',
  // Not in a backup, or without what is not.
  'listMails',
  'listWebhooks',
  'getWebhook',
  'listWebhookDeliveries',
  'exportForwarderAudit',
])
// Generated files that contain the current time. Their data is compared by other operations.
const madeAnew = new Set([
  'getAccountStatement',
  'getInvoicePdf',
  'getStatement',
  'getOrderSheetTemplate',
  'downloadDocuments',
])

type Rows = Record<string, string>[]

export async function everyResponse({ baseUrl }: { baseUrl: string }, readers: Readers): Promise<Responses> {
  const responses: Responses = {}

  async function read(path: string, headers: Record<string, string>): Promise<unknown> {
    const response = await fetch(baseUrl + path, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    // A 404 for a shipment without tracking is part of the state.
    expect([200, 404], `${path}: ${bytes.toString().slice(0, 300)}`).toContain(response.status)
    const isJson = response.headers.get('content-type')?.includes('json')
    const content = isJson ? lasting(bytes.toString()) : createHash('sha256').update(bytes).digest('hex')
    responses[path] = `${response.status} ${content}`
    return isJson ? JSON.parse(bytes.toString()) : undefined
  }

  await Promise.all([
    readAsCustomer((path) => read(path, { authorization: `Bearer ${readers.key}` })),
    readAsOperator(readers.slug, (path) => read(path, { authorization: `Bearer ${readers.operatorKey}` })),
    readAsPerson((path) => read(path, readers.person)),
    readAtOffice((path) => read(path, readers.office)),
  ])
  expectAllOperations(Object.keys(responses))
  return responses
}

/** Compares by address, so that a failure lists only the differences. */
export function expectSameResponses(after: Responses, before: Responses): void {
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted())
  for (const [path, response] of Object.entries(after)) expect(response, path).toBe(before[path])
}

function lasting(text: string): string {
  return (
    text
      .replaceAll(/"(link|today|callback_url)":"[^"]+"/g, '"$1":""')
      .replaceAll(/req_\w+/g, 'req')
      .replaceAll(/,?"(?:csrf_token|last_seen_at|last_used_at)":"[^"]+"/g, '')
      // Secrets of feeds are not in a backup.
      .replaceAll(/"secrets":\[[^\]]*\]/g, '"secrets":[]')
      .replaceAll(/("signed_in_with":.+)"expires_at":"[^"]+"/g, '$1')
  )
}

type Read = (path: string) => Promise<unknown>

// They follow from what the others show.
const mostExplained = 10

async function readAsCustomer(read: Read): Promise<void> {
  const id = encodeURIComponent
  const shipments = (await read('/v1/shipments?take=100')) as Rows
  for (const [index, { svc_shipment_id = '' }] of shipments.entries()) {
    await read(`/v1/shipments/${id(svc_shipment_id)}`)
    await read(`/v1/tracking/${id(svc_shipment_id)}`)
    if (index >= mostExplained) continue
    await read(`/v1/tracking/${id(svc_shipment_id)}/explanation`)
    for (const rest of ['freeTime', 'delay?days=5', 'links']) await read(`/v1/shipments/${id(svc_shipment_id)}/${rest}`)
  }
  for (const { po_number = '' } of (await read('/v1/purchaseOrders')) as Rows) {
    await read(`/v1/purchaseOrders/${id(po_number)}`)
    await read(`/v1/purchaseOrders/${id(po_number)}/arrivals`)
  }
  await read('/v1/inbound')
  await read('/v1/documentProposals')
  await read('/v1/messages')
  for (const { reference = '' } of (await read('/v1/invoices')) as Rows) {
    await read(`/v1/invoices/${id(reference)}`)
    await read(`/v1/invoices/${id(reference)}/checks`)
  }
  for (const { id: location = '' } of (await read('/v1/locations')) as Rows) await read(`/v1/locations/${location}`)
  await read('/v1/documents')
  for (const { exception_id = '' } of (await read('/v1/exceptions?take=3')) as Rows) {
    await read(`/v1/exceptions/${exception_id}`)
  }
}

type Versions = { id: string | number }[]

async function readAsOperator(slug: string, read: Read): Promise<void> {
  const of = (rest: string) => `/ops/v1/accounts/${slug}${rest}`
  const idOf = ({ id }: Versions[number]) => encodeURIComponent(String(id))
  const list = async (path: string) => (await read(of(path))) as Versions
  await read('/ops/v1/operator')
  await read('/ops/v1/accounts')
  await read('/ops/v1/lookup?reference=TGHU7599330')
  const { messages } = (await read('/ops/v1/messages?take=3')) as { messages: { message_id: number; format: string }[] }
  for (const { message_id, format } of messages) {
    await read(`/ops/v1/messages/${message_id}`)
    await read(`/ops/v1/messages/${message_id}/content`)
    if (format === 'iftsta') await read(`/ops/v1/messages/${message_id}/acknowledgement`)
  }
  await read('/ops/v1/codes')
  await read('/ops/v1/staff')
  for (const path of ['billing', 'chargeTemplates', 'invoices?take=3', 'unbilled?take=3', 'receivables'])
    await read(`/ops/v1/${path}`)
  await read(of('/billing'))
  await read(of('/people'))
  await read('/ops/v1/branding')
  const { proposals } = (await read(`/ops/v1/documentProposals?account=${slug}`)) as {
    proposals: { proposal: { id: string } }[]
  }
  for (const { id } of proposals.map(({ proposal }) => proposal)) await read(of(`/documentProposals/${id}/content`))
  await read(`/ops/v1/conversations?account=${slug}`)
  await read(of('/inbound'))
  await read('/ops/v1/exceptions?take=3')
  await read('/ops/v1/work')
  await read('/ops/v1/work/items')
  await read('/ops/v1/requiredDocuments?take=3')
  await read('/ops/v1/shipments?take=3')
  await read('/ops/v1/purchaseOrders/open?take=3')
  await read('/ops/v1/exceptionRules')
  await read(of('/exceptionRules'))
  for (const row of await list('/exceptions?take=3')) await read(of(`/exceptions/${idOf(row)}`))
  await read('/ops/v1/senders')
  await read('/ops/v1/freeTimeTerms')
  await read('/ops/v1/workingDays')
  await read('/ops/v1/senders/MAEU/columns')
  for (const table of ['terms', 'working_days']) await read(`/ops/v1/freeTimeTables?table=${table}`)
  for (const { feed_id = '' } of (await read('/ops/v1/feeds')) as Rows) await read(`/ops/v1/feeds/${feed_id}`)
  await read(of(''))
  await read(of('/keys'))
  for (const row of await list('/locations')) {
    await read(of(`/locations/${idOf(row)}`))
    await read(of(`/history/location/${idOf(row)}`))
  }
  for (const [index, row] of (await list('/shipments?take=100')).entries()) {
    for (const rest of ['', '/tracking', '/tracking/history']) await read(of(`/shipments/${idOf(row)}${rest}`))
    for (const rest of index < mostExplained ? ['/explanation', '/journey'] : [])
      await read(of(`/shipments/${idOf(row)}/tracking${rest}`))
    for (const rest of index < mostExplained ? ['/freeTime', '/delay?days=5', '/checklist', '/orderLines'] : [])
      await read(of(`/shipments/${idOf(row)}${rest}`))
    if (index < mostExplained) await read(of(`/messages?svc_shipment_id=${idOf(row)}`))
    if (index < mostExplained) await read(of(`/supplierLinks?svc_shipment_id=${idOf(row)}`))
    await read(of(`/history/shipment/${idOf(row)}`))
  }
  for (const row of await list('/purchaseOrders?take=100')) {
    await read(of(`/purchaseOrders/${idOf(row)}`))
    await read(of(`/purchaseOrders/${idOf(row)}/arrivals`))
    await read(of(`/history/purchase_order/${idOf(row)}`))
  }
  for (const row of await list('/invoices?take=100')) {
    await read(of(`/invoices/${idOf(row)}`))
    await read(of(`/invoices/${idOf(row)}/checks`))
    await read(of(`/history/invoice/${idOf(row)}`))
  }
  for (const row of await list('/documents?take=100')) {
    for (const rest of ['', '/content']) await read(of(`/documents/${idOf(row)}${rest}`))
    await read(of(`/history/document/${idOf(row)}`))
  }
}

async function readAsPerson(read: Read): Promise<void> {
  const id = encodeURIComponent
  const own = ['person/factors', 'account/security', 'keys/policy']
  const simple = ['sign-in', 'session', 'session/current', 'overview', 'people', 'keys', 'views', 'places', ...own]
  const computed = ['shipments/facets', 'purchase-orders/suppliers', 'invoices/totals', 'shipments/export?format=csv']
  for (const path of [...simple, ...computed]) await read(`/portal/v1/${path}`)
  const { shipments } = (await read('/portal/v1/shipments?take=100')) as { shipments: Rows }
  for (const { svc_shipment_id = '' } of shipments) await read(`/portal/v1/shipments/${id(svc_shipment_id)}/journey`)
  await read(`/portal/v1/search?q=${id(shipments[0]?.svc_shipment_id ?? '')}`)
  await read('/portal/v1/purchase-orders?take=100')
  const { invoices } = (await read('/portal/v1/invoices?take=100')) as { invoices: Rows }
  for (const { reference = '' } of invoices) await read(`/portal/v1/invoices/${id(reference)}/standing`)
  await read('/portal/v1/documents?take=100')
  const first = id(shipments[0]?.svc_shipment_id ?? '')
  await read(`/portal/v1/conversation?svc_shipment_id=${first}`)
  await read(`/portal/v1/supplier-links?svc_shipment_id=${first}`)
  await read(`/portal/v1/documents/checklists?shipments=${id(JSON.stringify([shipments[0]?.svc_shipment_id]))}`)
  await read('/portal/v1/inbound')
  await read('/portal/v1/exceptions')
  for (const path of ['notifications', 'notifications/settings', 'subscriptions', 'calendars'])
    await read(`/portal/v1/${path}`)
  for (const list of ['inbound', 'invoices', 'purchase-orders', 'documents', 'exceptions', 'locations'])
    await read(`/portal/v1/${list}/export?format=csv`)
}

async function readAtOffice(read: Read): Promise<void> {
  for (const path of ['sign-in', 'session', 'session/current', 'person/factors', 'account/security', 'views'])
    await read(`/office/v1/${path}`)
}

// New operations have to be added, so that they are compared as well.
function expectAllOperations(paths: string[]): void {
  const plain = paths.map((path) => path.split('?', 1)[0] as string)
  const unread = [operations, operatorOperations, portalOperations, officeOperations]
    .flatMap((table) => Object.entries(table))
    .filter(([name, { method }]) => method === 'GET' && !ofTheMoment.has(name) && !madeAnew.has(name))
    .map(([, { path }]) => path)
    .filter((path) => !plain.some((each) => patternOf(path).test(each)))
  expect(unread).toEqual([])
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
