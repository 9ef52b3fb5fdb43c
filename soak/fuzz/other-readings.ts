import type { Random } from '../../src/sandbox/random.js'
import { nameOf } from './json-text.js'
import type { Reading, Written } from './readings.js'

/** Other reads that show what was written: lists, searches, histories, exports, PDFs, streams. */
export function otherReadings(name: string, { params, sent, json, world }: Written, random: Random): Reading[] {
  const account = world.slug
  const shipment = params.svc_shipment_id ?? nameOf(json.id ?? '')
  const words: [string, string][] = [['q', someText(sent, random)]]
  const as_of: [string, string][] = world.moments.length > 0 ? [['as_of', random.pick(world.moments)]] : []
  const history = (kind: string, id: string): Reading => ({
    name: 'operator.getHistory',
    params: { account, kind, id },
  })
  const anywhere: Reading[] = [
    { name: 'portal.search', query: words },
    { name: 'portal.getOverview' },
    { name: 'portal.streamChanges', query: [['after', String(random.integer(0, 50))]] },
  ]
  const list = (what: string): Reading[] => [
    { name: `operator.list${what}`, params: { account } },
    { name: `operator.list${what}`, params: { account }, query: as_of },
    { name: `public.list${what}`, query: [['take', '5']] },
  ]
  if (/Shipment|Tracking|Event|Position/.test(name)) {
    return [
      ...anywhere,
      ...list('Shipments'),
      history('shipment', shipment),
      { name: 'portal.findShipments', query: words },
      {
        name: 'portal.findShipments',
        query: [
          ['sort', random.pick(['newest', 'name', 'late', 'arrival'])],
          ['take', '1'],
        ],
      },
      { name: 'portal.getShipmentFacets' },
      { name: 'portal.exportShipments', query: [['format', random.pick(['csv', 'csv', 'xlsx'])]] },
      { name: 'portal.getJourney', params: { svc_shipment_id: shipment } },
      { name: 'operator.getTrackingHistory', params: { account, svc_shipment_id: shipment } },
    ]
  }
  if (/PurchaseOrder|ssign|pack|Sheet/.test(name)) {
    return [
      ...anywhere,
      ...list('PurchaseOrders'),
      history('purchase_order', nameOf(json.reference ?? params.reference)),
      { name: 'portal.findPurchaseOrders', query: words },
      { name: 'portal.findInbound', query: words },
      { name: 'portal.findExceptions' },
      { name: 'portal.exportExceptions', query: [['format', 'csv']] },
      { name: 'portal.exportInbound', query: [['format', random.pick(['csv', 'csv', 'xlsx'])]] },
      {
        name: 'portal.findPurchaseOrders',
        query: [
          ['sort', random.pick(['newest', 'supplier'])],
          ['take', '1'],
        ],
      },
    ]
  }
  if (/Location/.test(name))
    return [...list('Locations'), history('location', nameOf(json.id)), { name: 'portal.listPlaces' }]
  if (/Invoice|Payment|CreditNote|Draft/.test(name)) {
    const reference = nameOf(json.id ?? params.reference)
    return [
      ...anywhere,
      ...list('Invoices'),
      history('invoice', reference),
      { name: 'portal.findInvoices', query: words },
      { name: 'portal.getInvoiceTotals' },
      { name: 'operator.checkInvoice', params: { account, reference } },
      { name: 'public.getInvoiceChecks', params: { reference } },
      { name: 'operator.findInvoices' },
      { name: 'operator.listReceivables' },
      { name: 'portal.getInvoiceStanding', params: { reference } },
      { name: random.pick(['operator', 'portal']).concat('.getInvoicePdf'), params: { account, reference } },
    ]
  }
  if (/Document/.test(name)) {
    const id = nameOf(json.id ?? params.id)
    return [
      ...list('Documents'),
      history('document', id),
      { name: 'portal.findDocuments', query: words },
      { name: 'operator.getDocumentContent', params: { account, id } },
      { name: 'portal.downloadDocuments', query: [['ids', id]] },
    ]
  }
  if (/import/.test(name))
    return [...list('Shipments'), ...list('Invoices'), ...list('PurchaseOrders'), ...list('Documents')]
  // Sign-in depends on earlier attempts: its result would differ between runs.
  return /sign|assword|Link/.test(name) ? [] : anywhere
}

/** A text of the request that can be searched for. */
function someText(sent: unknown, random: Random): string {
  const texts: string[] = []
  // Not recursive: what was sent may be nested thousands of levels deep.
  for (const open: unknown[] = [sent]; open.length > 0; ) {
    const value = open.pop()
    if (typeof value === 'string' && value.trim() !== '' && value.isWellFormed()) texts.push(value)
    else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) open.push(part)
  }
  return texts.length === 0 ? 'lamp' : Array.from(random.pick(texts)).slice(0, 90).join('')
}
