import type { BrowserContext } from 'playwright-core'
import { demoPassword, demoStaff } from '../src/cli/demo-people.js'

/** Every page of the office, with data on it. The draft of an invoice is there once somebody has made one. */
export async function officePagesOf({ request }: BrowserContext, account = 'demo'): Promise<Record<string, string>> {
  const read = async (path: string) => {
    const response = await request.get(`/ops/v1${path}`)
    if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
    return response.json()
  }
  const { shipments } = await read(`/shipments?account=${account}&status=in_progress&freight_mode=ocean&take=1`)
  const { orders } = await read(`/purchaseOrders/open?account=${account}&take=1`)
  const { invoices: open } = await read(`/invoices?account=${account}&state=overdue&take=1`)
  const { invoices: drafts } = await read(`/invoices?account=${account}&state=draft&take=1`)
  const file = `/office/shipments/${account}/${encodeURIComponent(shipments[0].shipment.svc_shipment_id)}`
  const invoice = (reference: string) => `/office/billing/invoices/${account}/${encodeURIComponent(reference)}`
  const parts = (path: string, name: string, shows: string[]) =>
    Object.fromEntries(shows.map((show) => [`${name}-${show}`, `${path}?show=${show}`]))
  return {
    work: '/office',
    shipments: '/office/shipments',
    grid: `/office/shipments/grid?account=${account}&tab=all`,
    shipment: file,
    lines: `${file}/lines`,
    bookings: '/office/bookings',
    'booking-new': `/office/bookings/new?account=${account}&blank=true`,
    order: `/office/orders/${account}/${encodeURIComponent(orders[0].reference)}`,
    documents: '/office/documents',
    billing: '/office/billing',
    'billing-unbilled': '/office/billing?view=unbilled',
    'billing-ageing': '/office/billing/ageing',
    'billing-bank-list': '/office/billing/bank-list',
    'billing-settings': '/office/billing/settings',
    invoice: invoice(open[0].reference),
    ...(drafts[0] && { 'invoice-draft': invoice(drafts[0].reference) }),
    feeds: '/office/feeds',
    ...parts('/office/feeds', 'feeds', ['messages', 'codes', 'senders']),
    webhooks: '/office/webhooks',
    customers: '/office/customers',
    customer: `/office/customers/${account}`,
    ...parts(`/office/customers/${account}`, 'customer', ['people', 'billing', 'keys', 'limits', 'rules', 'log']),
    settings: '/office/settings',
    ...parts('/office/settings', 'settings', ['log', 'terms', 'calendars', 'rules', 'branding']),
    profile: '/office/profile',
  }
}

/** As the first of the forwarder's people, who keeps the language from then on. */
export async function signInToOffice({ request }: BrowserContext, language: string): Promise<void> {
  const [{ email }] = demoStaff
  const response = await request.post('/office/v1/session', { data: { email, password: demoPassword } })
  if (!response.ok()) throw new Error(`signing in to the office answered ${response.status()}`)
  const { csrf_token } = await response.json()
  await request.patch('/office/v1/person', {
    data: { language },
    headers: { 'x-csrf-token': csrf_token, origin: new URL(response.url()).origin },
  })
}
