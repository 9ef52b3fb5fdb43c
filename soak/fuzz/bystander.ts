import { readDescriptions } from './description.js'
import { type Request, writtenRequest } from './request.js'
import type { HttpResponse, Send } from './wire.js'
import { createWorld, credentialsFor, type Known, type Target, type World } from './world.js'

/** An account that no request is about, with one resource of each kind: it must never change. */
export type Bystander = {
  account: number
  /** A text that all its resources contain, and nothing else. */
  mark: string
  /** The identifiers of its resources. */
  known: Known[]
  /** Everything that customers, people and operators can read of it. */
  read(): Promise<Map<string, string>>
}

const documentId = '5b0f9c1e-7d34-4a86-9d0e-6c2b8a4f1e07'

export async function createBystander(target: Target, send: Send, slug: string): Promise<Bystander> {
  const world = await createWorld(target, slug)
  const mark = `BYSTANDER-OF-${slug.toUpperCase()}`
  const operator = credentialsFor(world, 'operator')
  const lines = everything(world.slug, mark).map((line) => `${JSON.stringify(line)}\n`)
  await done(send, 'POST', '/ops/v1/import', [...operator, ['content-type', 'application/x-ndjson']], lines.join(''))
  const portal = credentialsFor(world, 'portal')
  const json: [string, string] = ['content-type', 'application/json']
  const view = { page: 'shipments', name: mark, query: 'q=lamp' }
  const made = await done(send, 'POST', '/portal/v1/views', [...portal, json], JSON.stringify(view))
  const guest = { email: `guest-of-${slug}@example.com`, name: mark, role: 'viewer' }
  const invited = await done(send, 'POST', '/portal/v1/people', [...portal, json], JSON.stringify(guest))

  return {
    account: world.account,
    mark,
    known: [
      { svc_shipment_id: 'BY-S', reference: 'BY-PO', line: '1' },
      { svc_shipment_id: 'BY-S', event_id: 'BY-E' },
      { reference: 'BY-I', payment_id: 'BY-P' },
      { id: documentId },
      { id: '4711' },
      { key_id: world.key_id },
      { person_id: (invited.json as { person_id: string }).person_id },
      { view_id: (made.json as { view_id: string }).view_id },
    ],
    read: () => readAll(world, send),
  }
}

async function done(send: Send, method: string, target: string, headers: [string, string][], body: string) {
  const response = await send({ method, target, headers, body: Buffer.from(body), isAlone: false })
  if (response.status >= 300) throw new Error(`${method} ${target}: ${response.status} ${response.text}`)
  return response
}

function everything(account: string, mark: string): object[] {
  const svc_shipment_id = 'BY-S'
  const about: [kind: string, data: object][] = [
    ['location', { id: 4711, name: mark, city: 'Hamburg', country: 'DE' }],
    [
      'shipment',
      { svc_shipment_id, name: mark, status: 'booked', freight_mode: 'ocean', created_at: '2026-01-05T08:00:00Z' },
    ],
    ['tracking', { svc_shipment_id, tracking_steps: [{ id: 'pol', type: 'origin_port', events: [] }] }],
    [
      'tracking_event',
      {
        svc_shipment_id,
        event_id: 'BY-E',
        sequence: 1,
        step: 'pol',
        description: mark,
        date: '2026-02-01T00:00:00Z',
        status: 'actual',
      },
    ],
    [
      'invoice',
      {
        reference: 'BY-I',
        number: 'BY-N',
        svc_shipment_id,
        status: 'available',
        type: 'invoice',
        sent_date: '2026-02-01T00:00:00Z',
        lines: [{ description: mark, price: { amount: 10, currency: 'EUR' } }],
      },
    ],
    [
      'payment',
      { payment_id: 'BY-P', reference: 'BY-I', amount: 1, currency: 'EUR', paid_on: '2026-02-02', note: mark },
    ],
    [
      'document',
      { id: documentId, name: `${mark}.txt`, svc_shipment_id, content_base64: Buffer.from(mark).toString('base64') },
    ],
    [
      'purchase_order',
      {
        reference: 'BY-PO',
        supplier_id: mark,
        product_lines: [{ reference: '1', ordered_quantity: 9, product: { sku: 'L' } }],
      },
    ],
    ['assignment', { reference: 'BY-PO', line: '1', svc_shipment_id, assigned_quantity: 4 }],
  ]
  return about.map(([kind, data]) => ({ kind, account, data }))
}

// Fields that depend on the read itself, and random values.
const unread = new Set([
  'portal.listRequests',
  'portal.listAudit',
  'portal.exportAudit',
  'portal.streamChanges',
  'portal.getLink',
  'portal.getSupplierUpload',
  'portal.getSharedShipment',
  'portal.getSharedDocument',
  'portal.readCalendar',
  'portal.getPendingSignIn',
  // All operators share an account, and its rule about second factors.
  'office.findSession',
  'office.getSession',
  'office.getFactors',
  'office.getAccountSecurity',
  'office.getPendingSignIn',
  'operator.listAccounts',
  'operator.listAccountAudit',
  'operator.exportAccountAudit',
  'operator.listForwarderAudit',
  'operator.exportForwarderAudit',
  'operator.listStaff',
  // These concern all accounts.
  'operator.lookUpReference',
  'operator.countWork',
  'operator.listWorkItems',
  'operator.findShipments',
  'operator.findOpenOrders',
  'operator.findNeededDocuments',
  'operator.findInvoices',
  'operator.listUnbilled',
  'operator.listReceivables',
  'operator.getBillingSettings',
  'operator.listChargeTemplates',
  'operator.checkInvoice',
  'operator.getAccountStatement',
  'operator.listDocumentProposals',
  'operator.listConversations',
  // Staff of the forwarder can be mentioned, and differ while others are invited.
  'operator.listCustomerMessages',
  'portal.getConversation',
  'operator.listMessages',
  'operator.getMessage',
  'operator.getMessageContent',
  'operator.getAcknowledgement',
  'operator.listCodes',
  'operator.listMails',
  'operator.listSenders',
  'operator.listFreeTimeTerms',
  'operator.listWorkingDays',
  'operator.exportFreeTimeTable',
  // Rules and calendars of the forwarder concern all accounts.
  'operator.getFreeTime',
  'public.getFreeTime',
  'operator.getSenderColumns',
  'operator.listFeeds',
  'operator.getFeed',
  'operator.listExceptions',
  'operator.listEvents',
  'operator.listWebhooks',
  'operator.getExceptionRules',
  'operator.getAccountExceptionRules',
  // The looks of the forwarder are the same for all accounts.
  'operator.getBranding',
  'portal.getSignInOptions',
  'office.getSignInOptions',
  // The bystander has none of which the identifier is known.
  'public.getWebhook',
  'public.listWebhookDeliveries',
  'operator.listWebhookDeliveries',
  'operator.getException',
  'public.getException',
  'operator.getProposalContent',
])

async function readAll(world: World, send: Send): Promise<Map<string, string>> {
  const reads = readDescriptions().filter(({ name, method }) => method === 'GET' && !unread.has(name))
  const all = new Map<string, string>()
  for (const operation of reads) {
    for (const params of wholeOf(operation.path, world)) {
      const request: Request = {
        operation,
        method: 'GET',
        params,
        query: queryFor(operation.name),
        headers: credentialsFor(world, operation.room),
        kinds: [],
      }
      const response = await send(writtenRequest(request))
      all.set(`${operation.name} ${Object.values(params).join(' ')}`, `${response.status} ${steady(response)}`)
    }
  }
  return all
}

function wholeOf(path: string, { slug: account }: World): Record<string, string>[] {
  const shipment = { account, svc_shipment_id: 'BY-S' }
  if (path.includes('/history/')) {
    const histories = {
      shipment: 'BY-S',
      purchase_order: 'BY-PO',
      invoice: 'BY-I',
      location: '4711',
      document: documentId,
    }
    return Object.entries(histories).map(([kind, id]) => ({ account, kind, id }))
  }
  if (path.includes('/locations/')) return [{ account, id: '4711' }]
  if (path.includes('/documents/{id}')) return [{ account, id: documentId }]
  if (path.includes('/invoices/')) return [{ account, reference: 'BY-I' }]
  if (path.includes('/purchaseOrders/')) return [{ account, reference: 'BY-PO' }]
  return [shipment]
}

function queryFor(name: string): Request['query'] {
  if (name === 'portal.search') return [['q', 'bystander']]
  if (name.startsWith('portal.export')) return [['format', 'csv']]
  if (name === 'portal.getStatement')
    return [
      ['currency', 'EUR'],
      ['from', '2026-01-01'],
      ['to', '2026-12-31'],
    ]
  if (name === 'portal.findChecklists') return [['shipments', '["BY-S"]']]
  if (name.endsWith('.listSupplierLinks')) return [['svc_shipment_id', 'BY-S']]
  if (name === 'portal.downloadDocuments') return [['ids', documentId]]
  return []
}

/** Masks what differs between reads: link signatures, last visits, the date, and timestamps of archives. */
function steady({ headers, bytes, text }: HttpResponse): string {
  const type = headers['content-type'] ?? ''
  if (/zip|pdf|sheet|octet/.test(type)) return `${bytes.length > 0} ${type}`
  return text
    .replaceAll(/"(link|today)":"[^"]*"/g, '"$1":""')
    .replaceAll(/,"(?:last_seen_at|last_used_at|expires_at)":"[^"]*"/g, '')
}
