import { interfaceOf, pagesOf } from '../../src/contract/portal/sites.js'
import { site } from './site.js'

/** All paths of the portal and the office. Links are built here and nowhere else. */

export type Query = Record<string, string | number | undefined>

const one = (segment: string | number) => encodeURIComponent(segment)

export const paths = {
  overview: () => '/',
  /** The first page of the site. */
  home: () => pagesOf[site] || '/',
  exceptions: (query?: Query) => withQuery('/exceptions', query),
  shipments: (query?: Query) => withQuery('/shipments', query),
  shipment: (svc_shipment_id: string, query?: Query) => withQuery(`/shipments/${one(svc_shipment_id)}`, query),
  orders: (query?: Query) => withQuery('/orders', query),
  order: (reference: string) => `/orders/${one(reference)}`,
  newOrder: (query?: Query) => withQuery('/orders/new', query),
  inbound: (query?: Query) => withQuery('/inbound', query),
  uploadOrders: () => '/orders/upload',
  editOrder: (reference: string) => `/orders/${one(reference)}/edit`,
  invoices: (query?: Query) => withQuery('/invoices', query),
  invoice: (reference: string) => `/invoices/${one(reference)}`,
  documents: (query?: Query) => withQuery('/documents', query),
  locations: (query?: Query) => withQuery('/locations', query),
  location: (id: string | number) => `/locations/${one(id)}`,
  developers: (query?: Query) => withQuery('/developers', query),
  team: () => '/team',
  audit: (query?: Query) => withQuery('/audit', query),
  notifications: () => '/notifications',
  settings: () => '/settings',
  signIn: (query?: Query) => withQuery(`${pagesOf[site]}/sign-in`, query),
  enrol: (query?: Query) => withQuery(`${pagesOf[site]}/enrol`, query),
  track: () => '/track',
  forgot: (query?: Query) => withQuery(`${pagesOf[site]}/forgot`, query),
  welcome: (token: string) => `${pagesOf[site]}/welcome#${one(token)}`,
}

/** Served by the same server, outside the portal. */
export const otherPaths = {
  reference: site === 'office' ? '/ops/docs/' : '/docs/',
  provider: `${interfaceOf[site]}/provider`,
}

function withQuery(path: string, query: Query = {}): string {
  const search = searchText(query)
  return `${path}${search}`
}

/** Empty values are left out. */
export function searchText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  // Commas separate values. Unescaped they are valid and readable.
  return text && `?${text.replaceAll('%2C', ',')}`
}

export function readSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}
