import type { Example } from '../openapi.js'
import { billingExamples } from './billing-examples.js'
import { bookingExamples } from './booking-examples.js'
import { conversationExamples } from './conversation-examples.js'
import { exceptionExamples } from './exception-examples.js'
import { feedExamples } from './feed-examples.js'
import { freeTimeExamples } from './free-time-examples.js'
import { messageExamples } from './message-examples.js'
import type { OperatorOperationName } from './operations.js'
import { peopleExamples } from './people-examples.js'
import { proposalExamples } from './proposal-examples.js'

/**
 * Example requests of the operator interface. They build on each other: a test sends them in this order, with the
 * `key_id` it received.
 */

const account = 'nordlicht'
const svc_shipment_id = 'SHP-MYXAAF'
const shipment = { account, svc_shipment_id }
const order = { account, reference: 'PO/2026/0117' }
const assigned = { ...order, line: '10', svc_shipment_id }
const event = { ...shipment, event_id: 'EDI-77120034' }
const invoice = { account, reference: 'INV-7K3M9Q' }
const document = { account, id: '0f8c1b7e-5a52-4c0e-9a55-6d0f5b7c2e11' }
const webhook = { account, webhook_id: 'wh_3f9b7c1d2e4a5f60718293a4' }
const key = { account, key_id: 'key_5f0c9a7e31d2b846' }

const warehouse = {
  company_name: 'Nordlicht Leuchten GmbH',
  name: 'Warehouse Altenwerder',
  address: 'Vollhöfner Weiden 12',
  city: 'Hamburg',
  zip_code: '21129',
  country: 'DE',
  contacts: [{ name: 'Jette Claußen', email: 'rampe@nordlicht.example', phone: '+49 40 5550117' }],
  opening_hours: 'Mon-Fri 7-15',
  requires_appointment: true,
}

const factory = {
  kind: 'location',
  account,
  data: { id: 1, name: 'Ningbo Lantern Works', city: 'Ningbo', country: 'CN' },
}
const ordered = {
  kind: 'purchase_order',
  account,
  data: {
    reference: order.reference,
    supplier_id: 'Ningbo Lantern Works',
    desired_ex_factory_date: '2026-02-27',
    product_lines: [{ reference: '10', ordered_quantity: 1200, product: { sku: 'NL-4711', name: 'Pendant lamp' } }],
  },
}

const orderedTwice = { ...ordered, data: { ...ordered.data, reference: 'PO/2026/0118' } }

const cargo = {
  containers: [
    { container_type: 'forty_foot_highcube_standard', container_number: 'TGHU7599330', seal_number: 'NB104422' },
    { container_type: 'twenty_foot_standard', container_number: 'CSQU3054383', seal_number: 'NB104423' },
  ],
  loads: [
    {
      count: 42,
      type: 'pallet',
      weight: { value: 310, unit: 'kg' },
      length: { value: 120, unit: 'cm' },
      width: { value: 80, unit: 'cm' },
      height: { value: 180, unit: 'cm' },
    },
  ],
}
const booking = {
  name: 'Pendant lamps, Ningbo – Hamburg',
  incoterm: 'fob',
  freight_mode: 'ocean',
  load_type: 'fcl',
  freight_type: 'door_to_door',
  route: {
    pickup_location_id: '1',
    origin_port_unlocode: 'CN/NGB',
    destination_port_unlocode: 'DE/HAM',
    delivery_location_id: '2',
  },
  cargo_ready_date: '2026-03-02',
  cargo,
  commercial_value: { amount: 86400, currency: 'USD' },
}

const departure = {
  step: 'ningbo',
  description: 'Vessel departure',
  date: '2026-03-09T18:30:00+08:00',
  status: 'estimated',
  source: 'Carrier, EDI',
}

const freight = {
  description: 'Ocean freight Ningbo – Hamburg, 40HC',
  category: 'freight',
  quantity: { value: 1, unit: 'container' },
  unit_rate: { amount: 2350, currency: 'USD' },
  vatRate: 0,
}
const handling = { description: 'Terminal handling', price: { amount: 245, currency: 'USD' }, vatRate: 0 }

export const operatorExamples: Record<OperatorOperationName, Example> = {
  getOperator: { response: { operator_id: 'op_4f1c2a90b7de6531', name: 'Jonas Petersen', role: 'admin' } },
  createAccount: {
    body: { slug: account, name: 'Nordlicht Leuchten GmbH' },
    response: {
      slug: account,
      name: 'Nordlicht Leuchten GmbH',
      created_at: '2026-02-16T09:12:04.118Z',
      suspended: false,
      second_factor_required: false,
      provider_only: false,
      quotas: {},
      stored_bytes: 0,
      counts: { shipments: 0, purchase_orders: 0, locations: 0, invoices: 0, documents: 0, keys: 0 },
    },
  },
  listAccounts: { query: { take: 50 } },
  getAccount: { params: { account } },
  updateAccount: {
    params: { account },
    body: {
      name: 'Nordlicht Leuchten SE',
      quotas: { documents: 20_000 },
      reason: 'Change of legal form',
    },
  },
  createKey: { params: { account }, body: { name: 'ERP', scopes: ['read', 'write'] } },
  listKeys: {
    params: { account },
    response: [
      {
        key_id: key.key_id,
        name: 'ERP',
        scopes: ['read', 'write'],
        ends_in: 'x4Qd',
        created_at: '2026-02-16T09:15:41.602Z',
      },
    ],
  },
  import: { body: [factory, ordered, orderedTwice].map((line) => `${JSON.stringify(line)}\n`).join('') },
  createLocation: { params: { account }, body: { id: 2, ...warehouse } },
  listLocations: { params: { account } },
  getLocation: { params: { account, id: '2' } },
  replaceLocation: { params: { account, id: '2' }, body: { ...warehouse, opening_hours: 'Mon-Fri 6-18' } },
  createShipment: { params: { account }, body: { svc_shipment_id, ...booking } },
  findShipments: { query: { status: 'booked', sort: 'arrival' } },
  changeShipments: {
    query: { check: 'true' },
    body: {
      changes: [
        {
          account,
          svc_shipment_id,
          revision: 7,
          patch: { booking_information: { ocean_booking: { vessel: 'MSC Oscar' } } },
        },
      ],
    },
  },
  listShipments: { params: { account } },
  getShipment: { params: shipment },
  getPresence: { params: shipment, query: { tab: 'tab-4f1d' } },
  replaceShipment: { params: shipment, body: { ...booking, desired_delivery_date: '2026-04-20' } },
  updateShipment: {
    params: shipment,
    body: {
      desired_delivery_date: null,
      booking_information: {
        carrier: 'Nordsee Line',
        ocean_booking: { booking_number: 'NSL2603117', vessel: 'Elbe Horizon', voyage: '014W' },
      },
    },
  },
  moveShipment: { params: shipment, body: { status: 'booked', reason: 'Confirmed by the carrier' } },
  listPurchaseOrders: { params: { account } },
  getPurchaseOrder: { params: order },
  cancelPurchaseOrder: {
    params: { account, reference: 'PO/2026/0118' },
    body: { reason: 'Ordered twice' },
  },
  getOrderArrivals: { params: order },
  listInbound: { params: { account }, query: { take: 50 } },
  simulateDelay: { params: shipment, query: { days: 5 } },
  ...bookingExamples,
  planTracking: {
    params: shipment,
    body: {
      steps: [
        { id: 'factory', type: 'pickup', location_id: 1 },
        { id: 'ningbo', type: 'origin_port', port: { unlocode: 'CN/NGB', city: 'Ningbo', country: 'CN' } },
        { id: 'hamburg', type: 'destination_port', port: { unlocode: 'DE/HAM', city: 'Hamburg', country: 'DE' } },
        { id: 'warehouse', type: 'delivery', location_id: 2 },
      ],
    },
  },
  addEvent: { params: shipment, body: { event_id: event.event_id, container_number: 'TGHU7599330', ...departure } },
  correctEvent: {
    params: event,
    body: {
      ...departure,
      container_number: 'TGHU7599330',
      date: '2026-03-10T02:00:00+08:00',
      reason: 'The carrier sent the wrong day',
    },
  },
  replaceContainer: {
    params: { ...shipment, container_number: 'TGHU7599330' },
    body: { container_number: 'MSKU7031415', reason: 'The doors did not close' },
  },
  getTrackingJourney: { params: shipment },
  releaseEvent: { params: event, body: { reason: 'The terminal confirms it' } },
  shiftDates: {
    params: shipment,
    body: { from: event.event_id, hours: 36, reason: 'The vessel waits for its berth' },
  },
  pinDate: {
    params: { ...shipment, milestone: 'arrival_date' },
    body: { date: '2026-04-14T06:00:00+02:00', reason: 'The agent in Hamburg confirmed the berth' },
  },
  unpinDate: {
    params: { ...shipment, milestone: 'arrival_date' },
    query: { reason: 'The carrier sends the right date again' },
  },
  listSenders: { response: [{ sender: 'CTA', party: 'terminal', name: 'Container Terminal Altenwerder' }] },
  setSender: {
    params: { sender: 'CTA' },
    body: { party: 'terminal', name: 'Container Terminal Altenwerder' },
  },
  removeSender: { params: { sender: 'CTA' }, response: { removed: 'CTA' } },
  addPosition: {
    params: shipment,
    body: { latitude: 29.868, longitude: 122.104, at: '2026-03-10T04:00:00+08:00', source: 'AIS' },
  },
  ...messageExamples,
  ...feedExamples,
  ...freeTimeExamples,
  ...exceptionExamples,
  listEvents: { query: { after: 'now', types: 'shipment.updated,exception.raised' } },
  listWebhooks: { query: { account, state: 'active' } },
  listWebhookDeliveries: { params: webhook, query: { state: 'waiting' } },
  disableWebhook: { params: webhook },
  enableWebhook: { params: webhook },
  getTracking: { params: shipment },
  explainTracking: { params: shipment },
  getTrackingHistory: { params: shipment, query: { take: 50 } },
  retractEvent: { params: event, query: { reason: 'Another vessel was meant' } },
  unassign: {
    params: assigned,
    query: { reason: 'Goes by air' },
    response: { removed: JSON.stringify([assigned.reference, assigned.line, svc_shipment_id]) },
  },
  uploadDocument: {
    params: { account },
    body: { id: document.id, type: 'packing_list', svc_shipment_id, file: '(the content of packing-list.pdf)' },
  },
  listDocuments: { params: { account }, query: { svc_shipment_id } },
  getDocument: { params: document },
  getDocumentContent: { params: document },
  updateDocument: { params: document, body: { name: 'Packing list 0117.pdf', reason: 'Named after the order' } },
  replaceDocument: {
    params: document,
    body: { reason: 'Weights corrected', file: '(the content of packing-list-2.pdf)' },
  },
  draftInvoice: {
    params: { account },
    body: { reference: invoice.reference, svc_shipment_id, due_date: '2026-04-30', lines: [freight] },
  },
  listInvoices: { params: { account } },
  getInvoice: { params: invoice },
  replaceInvoice: {
    params: invoice,
    body: { svc_shipment_id, due_date: '2026-04-30', lines: [freight, handling] },
  },
  issueInvoice: { params: invoice, body: { due_date: '2026-04-30' } },
  getInvoicePdf: { params: invoice },
  recordPayment: {
    params: invoice,
    body: { payment_id: 'SEPA-99310', amount: 1000, currency: 'USD', paid_on: '2026-04-14' },
  },
  moveInvoice: { params: invoice, body: { status: 'in_modification', reason: 'The bank returned the payment' } },
  removePayment: { params: { ...invoice, payment_id: 'SEPA-99310' }, query: { reason: 'Returned by the bank' } },
  draftCreditNote: {
    params: invoice,
    body: { reference: 'CRN-4HX2TB', lines: [{ ...handling, description: 'Terminal handling, charged twice' }] },
  },
  ...billingExamples,
  discardDraft: {
    params: { account, reference: 'CRN-4HX2TB' },
    query: { reason: 'It was charged once' },
    response: { removed: 'CRN-4HX2TB' },
  },
  getHistory: { params: { account, kind: 'shipment', id: svc_shipment_id }, query: { take: 10 } },
  ...peopleExamples,
  ...conversationExamples,
  ...proposalExamples,
  withdrawDocument: {
    params: document,
    query: { reason: 'Belongs to another customer' },
    response: { removed: document.id },
  },
  updateLocation: { params: { account, id: '2' }, body: { retired: true, reason: 'The lease ended' } },
  rotateKey: { params: key, body: { expires_at: '2999-01-31T12:00:00+01:00' } },
  revokeKey: { params: key },
  removeFactors: { params: { account }, body: { email: 'kim@nordlicht.example', reason: 'Lost their phone' } },
}
