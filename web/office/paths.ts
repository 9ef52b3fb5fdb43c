import { type Query, searchText } from '../portal/paths.js'

/** All paths of the office, besides those for signing in. Links are built here and nowhere else. */

export const paths = {
  work: (query?: Query) => `/office${searchText(query ?? {})}`,
  shipments: (query?: Query) => `/office/shipments${searchText(query ?? {})}`,
  grid: (query?: Query) => `/office/shipments/grid${searchText(query ?? {})}`,
  shipment: (account: string, svc_shipment_id: string) =>
    `/office/shipments/${encodeURIComponent(account)}/${encodeURIComponent(svc_shipment_id)}`,
  orderLines: (account: string, svc_shipment_id: string) =>
    `/office/shipments/${encodeURIComponent(account)}/${encodeURIComponent(svc_shipment_id)}/lines`,
  bookings: (query?: Query) => `/office/bookings${searchText(query ?? {})}`,
  newShipment: (query?: Query) => `/office/bookings/new${searchText(query ?? {})}`,
  order: (account: string, po_number: string) =>
    `/office/orders/${encodeURIComponent(account)}/${encodeURIComponent(po_number)}`,
  documents: () => '/office/documents',
  feeds: (query?: Query) => `/office/feeds${searchText(query ?? {})}`,
  webhooks: (query?: Query) => `/office/webhooks${searchText(query ?? {})}`,
  customers: (query?: Query) => `/office/customers${searchText(query ?? {})}`,
  billing: (query?: Query) => `/office/billing${searchText(query ?? {})}`,
  bankList: () => '/office/billing/bank-list',
  ageing: () => '/office/billing/ageing',
  billingSettings: () => '/office/billing/settings',
  invoice: (account: string, reference: string) =>
    `/office/billing/invoices/${encodeURIComponent(account)}/${encodeURIComponent(reference)}`,
  customer: (account: string, query?: Query) =>
    `/office/customers/${encodeURIComponent(account)}${searchText(query ?? {})}`,
  settings: (query?: Query) => `/office/settings${searchText(query ?? {})}`,
  profile: () => '/office/profile',
}
