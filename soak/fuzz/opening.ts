import type { Random } from '../../src/sandbox/random.js'
import { containers, stepNames, type World } from './world.js'

/** The initial resources of an account, so that every operation has something to work on. */

export type Opening = { name: string; params?: Record<string, string>; body: unknown }

export function openingOf({ slug: account }: World, random: Random): Opening[] {
  const svc_shipment_id = `SHP-${random.digits(6)}`
  const reference = `PO/${random.digits(6)}`
  const invoice = `INV-${random.digits(6)}`
  const lines = [{ description: 'Ocean freight', price: { amount: 500, currency: 'EUR' }, vatRate: 20 }]
  const long = { reference: longName(random), line: '10', svc_shipment_id: longName(random) }
  const port = { unlocode: 'CN/NGB', city: 'Ningbo', country: 'CN' }
  return [
    {
      name: 'operator.createLocation',
      params: { account },
      body: { id: 1, name: 'Works', city: 'Ningbo', country: 'CN' },
    },
    {
      name: 'operator.createLocation',
      params: { account },
      body: { id: 2, name: 'Warehouse', city: 'Hamburg', country: 'DE' },
    },
    {
      name: 'operator.createShipment',
      params: { account },
      body: { name: 'Lamps', status: 'in_progress', freight_mode: 'air', desired_delivery_date: '2026-01-02' },
    },
    {
      name: 'operator.createShipment',
      params: { account },
      body: {
        svc_shipment_id,
        status: 'booked',
        freight_mode: 'ocean',
        desired_delivery_date: '2026-01-02',
        route: { pickup_location_id: '1', origin_port_unlocode: 'CN/NGB', destination_port_unlocode: 'DE/HAM' },
        cargo: { containers: containers.map((container_number) => ({ container_number })) },
      },
    },
    {
      name: 'operator.planTracking',
      params: { account, svc_shipment_id },
      body: {
        steps: [
          { id: stepNames[0], type: 'pickup', location_id: 1 },
          { id: stepNames[1], type: 'origin_port', port },
          { id: stepNames[2], type: 'destination_port', port: { unlocode: 'DE/HAM' } },
          { id: stepNames[3], type: 'delivery', location_id: 2 },
        ],
      },
    },
    {
      name: 'operator.addEvent',
      params: { account, svc_shipment_id },
      body: { step: stepNames[1], description: 'Departed', date: '2026-03-09T18:30:00+08:00', status: 'actual' },
    },
    {
      name: 'public.createPurchaseOrder',
      body: { reference, product_lines: [{ reference: '1', ordered_quantity: 1000, product: { sku: 'LAMP' } }] },
    },
    {
      name: 'operator.assign',
      params: { account, reference, line: '1', svc_shipment_id },
      body: { assigned_quantity: 10 },
    },
    {
      name: 'public.createPurchaseOrder',
      body: {
        reference: `${reference}-2`,
        product_lines: [{ reference: '1', ordered_quantity: 9, product: { sku: 'B' } }],
      },
    },
    { name: 'operator.createShipment', params: { account }, body: { svc_shipment_id: long.svc_shipment_id } },
    {
      name: 'public.createPurchaseOrder',
      body: {
        reference: long.reference,
        product_lines: [long.line, longName(random)].map((name) => ({
          reference: name,
          ordered_quantity: 1000,
          product: { sku: longName(random) },
        })),
      },
    },
    { name: 'operator.assign', params: { account, ...long }, body: { assigned_quantity: 10 } },
    { name: 'operator.draftInvoice', params: { account }, body: { reference: invoice, svc_shipment_id, lines } },
    { name: 'operator.issueInvoice', params: { account, reference: invoice }, body: {} },
    {
      name: 'operator.recordPayment',
      params: { account, reference: invoice },
      body: { amount: 5, currency: 'EUR', paid_on: '2026-04-14' },
    },
    { name: 'operator.draftInvoice', params: { account }, body: { reference: `${invoice}-2`, lines } },
    { name: 'portal.createView', body: { page: 'shipments', name: 'Late', query: 'late=true' } },
    {
      name: 'portal.createSubscription',
      body: { scope: 'shipment', id: svc_shipment_id, exceptions: ['late'], changes: [], delivery: 'daily' },
    },
    { name: 'portal.createOwnKey', body: { name: 'ERP' } },
    { name: 'portal.invitePerson', body: { email: `guest@${account}.example.com`, name: 'Guest', role: 'member' } },
  ]
}

// The longest possible name, incompressible.
function longName(random: Random): string {
  return Array.from({ length: 255 }, () => String.fromCodePoint(random.integer(0x1f300, 0x1f5ff))).join('')
}

/** Sequences of operations on a resource, in an order in which most can succeed. */
export const lives: Record<string, string[]> = {
  'public.createPurchaseOrder': ['public.updatePurchaseOrder', 'operator.assign', 'operator.pack', 'operator.unassign'],
  'operator.createShipment': [
    'operator.replaceShipment',
    'operator.updateShipment',
    'operator.replaceContainer',
    'operator.moveShipment',
    'operator.planTracking',
    'operator.addEvent',
    'operator.correctEvent',
    'operator.releaseEvent',
    'operator.pinDate',
    'operator.unpinDate',
    'operator.giveFreeTime',
    'operator.retractFreeTime',
    'operator.addPosition',
    'operator.retractEvent',
  ],
  'operator.createLocation': ['operator.replaceLocation', 'operator.updateLocation'],
  'operator.draftInvoice': [
    'operator.replaceInvoice',
    'operator.issueInvoice',
    'operator.draftCreditNote',
    'operator.recordPayment',
    'operator.moveInvoice',
    'operator.removePayment',
    'operator.getInvoicePdf',
  ],
  'operator.uploadDocument': ['operator.updateDocument', 'operator.replaceDocument', 'operator.withdrawDocument'],
  'public.proposeDocument': ['operator.getProposalContent', 'operator.acceptProposal', 'operator.returnProposal'],
  'portal.createView': ['portal.updateView', 'portal.removeView'],
  'portal.createSubscription': ['portal.updateSubscription', 'portal.removeSubscription'],
  'portal.invitePerson': ['portal.inviteAgain', 'portal.useLink', 'portal.updateRole', 'portal.removePerson'],
  'portal.createOwnKey': ['portal.revokeOwnKey'],
  'operator.createKey': ['operator.revokeKey'],
}
