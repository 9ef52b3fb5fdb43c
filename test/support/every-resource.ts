import { randomBytes, randomUUID } from 'node:crypto'
import type { ClientInput } from '../../src/client/client.js'
import {
  type OperationName,
  type Operations,
  operationNames,
  operations,
} from '../../src/contract/public/operations.js'
import { addWebhookSecret } from '../../src/store/webhook-secrets.js'
import { threadOf } from '../../src/usecases/exceptions/thread.js'
import { type Line, line, type TestAccount } from './account.js'
import { evaluate } from './exceptions.js'
import type { RunningService } from './service.js'

/** The identifiers of one resource of each kind. */
export type Identifiers = {
  svc_shipment_id: string
  reference: string
  invoice: string
  number: string
  location: number
  document: string
  /** What is not assigned of the order. */
  exception: string
  /** By which the shipment is shared. */
  link: string
  webhook: string
  delivery: string
}

/** Identifiers that no other account uses. */
export function newIdentifiers(): Identifiers {
  const mark = randomUUID()
  return {
    svc_shipment_id: `SHP-${mark}`,
    reference: `PO-${mark}`,
    invoice: `INV-${mark}`,
    number: `N-${mark}`,
    location: Number.parseInt(mark.slice(0, 8), 16),
    document: mark,
    exception: `${threadOf({ kind: 'order_at_risk', topic: 'unassigned', po_number: `PO-${mark}` })}-1`,
    link: `shr_${mark.replaceAll('-', '').slice(0, 16)}`,
    webhook: `wh_${mark.replaceAll('-', '').slice(0, 24)}`,
    delivery: `dlv_${mark.replaceAll('-', '').slice(0, 24)}`,
  }
}

/** The import lines of these resources. The response of each contains the note. */
export function everyResource(ids: Identifiers, note: string): Line[] {
  const { svc_shipment_id, reference } = ids
  return [
    { kind: 'location', data: { id: ids.location, name: note } },
    { kind: 'shipment', data: { svc_shipment_id, name: note, status: 'booked' } },
    {
      kind: 'tracking',
      data: {
        svc_shipment_id,
        tracking_steps: [{ type: 'origin_port', events: [{ description: note }] }],
        free_time: [
          {
            id: 'given',
            direction: 'export',
            clock: 'demurrage',
            last_free_day: '2026-03-09',
            source: 'carrier',
            reason: note.slice(0, 500),
            recorded_at: '2026-03-01T00:00:00Z',
          },
        ],
      },
    },
    {
      kind: 'invoice',
      data: { reference: ids.invoice, number: ids.number, svc_shipment_id, lines: [{ description: note }] },
    },
    {
      kind: 'document',
      data: {
        id: ids.document,
        name: `${note.slice(0, 50)}.txt`,
        type: 'packing_list',
        svc_shipment_id,
        content_base64: Buffer.from(note).toString('base64'),
      },
    },
    {
      kind: 'purchase_order',
      data: {
        reference,
        supplier_id: note.slice(0, 255),
        custom_parameters: [{ name: 'note', value: note }],
        desired_ex_factory_date: '2020-01-31',
        product_lines: [line({ reference: '1', ordered_quantity: 10, sku: note.slice(0, 50) })],
      },
    },
    { kind: 'assignment', data: { reference, line: '1', svc_shipment_id, assigned_quantity: 4 } },
  ]
}

/** Imports them, and finds what is wrong with them. */
export async function importEverything(
  service: Pick<RunningService, 'db'>,
  account: Pick<TestAccount, 'id' | 'forwarder'>,
  ids: Identifiers,
  note: string,
): Promise<void> {
  await account.forwarder.imports(...everyResource(ids, note))
  await evaluate(service, account.id)
  await service.db`
    insert into shared_links (account_id, link_id, hash, svc_shipment_id, name, documents, prices, parties, created_by, expires_at)
    values (${account.id}, ${ids.link}, ${randomBytes(32)}, ${ids.svc_shipment_id}, ${note}, '{}', false, false, 'command-line',
      now() + interval '1 day')
    on conflict (account_id, link_id) do update set name = excluded.name`
  await service.db.begin(async (sql) => {
    // Nothing is ever sent to this address.
    await sql`
      insert into webhooks (account_id, webhook_id, url, types, kinds, description, ordered, created_by, revision, kind, id)
      values (${account.id}, ${ids.webhook}, 'https://192.0.2.1/', '{}', '{}', ${note}, false, 'command-line', 1000000000, '', '')
      on conflict (account_id, webhook_id) do update set description = excluded.description`
    await addWebhookSecret(sql, account.id, ids.webhook, 'whsec_AAAA')
    await sql`
      insert into webhook_deliveries (account_id, webhook_id, delivery_id, event_id, type, content, state)
      values (${account.id}, ${ids.webhook}, ${ids.delivery}, 'evt_1', 'shipment.created', ${note}, 'delivered')
      on conflict (account_id, webhook_id, delivery_id) do update set content = excluded.content`
  })
}

export type ReadName = {
  [Name in OperationName]: Operations[Name]['method'] extends 'GET' ? Name : never
}[OperationName]

export const readNames = operationNames.filter((name) => operations[name].method === 'GET') as ReadName[]

/** The input of each read for the resource of its kind. A new operation needs an entry here. */
export function readInputs(ids: Identifiers): { [Name in ReadName]: ClientInput<Name> } {
  const { svc_shipment_id, reference } = ids
  return {
    listShipments: {},
    getShipment: { params: { svc_shipment_id } },
    listPurchaseOrders: {},
    getPurchaseOrder: { params: { reference } },
    getOrderArrivals: { params: { reference } },
    listInbound: {},
    simulateDelay: { params: { svc_shipment_id } },
    listLocations: {},
    getLocation: { params: { id: String(ids.location) } },
    listInvoices: {},
    getInvoice: { params: { reference: ids.invoice } },
    getInvoiceChecks: { params: { reference: ids.invoice } },
    getTracking: { params: { svc_shipment_id } },
    explainTracking: { params: { svc_shipment_id } },
    getFreeTime: { params: { svc_shipment_id } },
    listDocuments: {},
    listDocumentProposals: {},
    listMessages: {},
    listExceptions: {},
    listEvents: { query: { include: 'object' } },
    getException: { params: { exception_id: ids.exception } },
    listSharedLinks: { params: { svc_shipment_id } },
    listWebhooks: {},
    getWebhook: { params: { webhook_id: ids.webhook } },
    listWebhookDeliveries: { params: { webhook_id: ids.webhook } },
  }
}

export function readInput<Name extends ReadName>(name: Name, ids: Identifiers): ClientInput<Name> {
  return readInputs(ids)[name]
}

/** The path of a read. */
export function targetOf(name: ReadName, ids: Identifiers): string {
  const { params = {}, query = {} } = readInputs(ids)[name] as Partial<
    Record<'params' | 'query', Record<string, string>>
  >
  const path = operations[name].path.replaceAll(/\{(\w+)\}/g, (_, param) => encodeURIComponent(params[param] ?? ''))
  const pairs = new URLSearchParams(query).toString()
  return pairs === '' ? path : `${path}?${pairs}`
}
