import type { Example } from '../openapi.js'
import type { billingOperations } from './billing-operations.js'

const account = 'nordlicht'
const svc_shipment_id = 'SHP-MYXAAF'

/** Examples of the operations on billing, sent after an invoice was issued and paid in excess. */
export const billingExamples = {
  getBillingSettings: {},
  setBillingSettings: {
    body: {
      language: 'en',
      accounting_currency: 'EUR',
      rates: [{ currency: 'USD', rate: 0.92, date: '2026-03-02' }],
      checks: { duplicate: 'warn', delivery: 'warn' },
    },
  },
  getAccountBilling: { params: { account } },
  setAccountBilling: {
    params: { account },
    body: {
      buyer: { name: 'Nordlicht Leuchten GmbH', address: ['Vollhöfner Weiden 12', '21129 Hamburg'], country: 'DE' },
      terms: { days: 14 },
      tax_category: 'export',
    },
  },
  listChargeTemplates: {},
  setChargeTemplate: {
    params: { name: 'Asia to Hamburg, FCL' },
    body: {
      freight_mode: 'ocean',
      charges: [
        {
          category: 'freight',
          description: 'Ocean freight',
          per: 'container',
          unit_rate: { amount: 2150, currency: 'USD' },
          tax_category: 'export',
        },
      ],
    },
  },
  draftFromTemplate: {
    params: { account, svc_shipment_id },
    body: { template: 'Asia to Hamburg, FCL', reference: 'INV-2XK4PQ' },
  },
  checkInvoice: { params: { account, reference: 'INV-2XK4PQ' } },
  removeChargeTemplate: {
    params: { name: 'Asia to Hamburg, FCL' },
    response: { removed: 'Asia to Hamburg, FCL' },
  },
  applyPayment: { params: { account, payment_id: 'SEPA-99412' }, body: { reference: 'INV-9C2HVM', amount: 10 } },
  refundPayment: {
    params: { account, payment_id: 'SEPA-99412' },
    body: { amount: 5, refunded_on: '2026-06-20', note: 'Transfer 2291' },
  },
  getAccountStatement: { params: { account }, query: { currency: 'USD', from: '2026-01-01', to: '2026-06-30' } },
  findInvoices: { query: { state: 'overdue', take: 50 } },
  listUnbilled: { query: { q: 'lamp', take: 50 } },
  listReceivables: { query: { take: 50 } },
  matchPayments: { body: { text: '2026-04-14;1.000,00;USD;INV-2026-000117', currency: 'USD' } },
} satisfies Record<keyof typeof billingOperations, Example>
