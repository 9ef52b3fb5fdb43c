import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PortalQuery } from '../../../src/contract/portal/operations.js'
import { api } from './client.js'

/** The queries of the pages, one function per resource. Keys begin with the kind that a live change names. */

type Asked<Name extends ListName> = Omit<NonNullable<PortalQuery<Name>>, 'after'>
type ListName = 'findShipments' | 'findPurchaseOrders' | 'findInvoices' | 'findDocuments' | 'listRequests' | 'listAudit'

const pageParam = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: { next?: string }) => next,
  // Previous results stay until the new ones have loaded, so that nothing jumps while typing.
  placeholderData: keepPreviousData,
}

// Used on many pages; the change stream invalidates it.
const changesSeldom = { staleTime: 60_000 }

export const overviewQuery = () =>
  queryOptions({ queryKey: ['overview'], queryFn: ({ signal }) => api.portal.getOverview({ signal }) })

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => api.portal.search({ query: { q, take: 5 }, signal }),
    placeholderData: keepPreviousData,
  })

export const shipmentsQuery = (query: Asked<'findShipments'>) =>
  infiniteQueryOptions({
    queryKey: ['shipment', 'list', query],
    queryFn: ({ pageParam: after, signal }) => api.portal.findShipments({ query: paged(query, after), signal }),
    ...pageParam,
  })

export const shipmentFacetsQuery = () =>
  queryOptions({
    queryKey: ['shipment', 'facets'],
    queryFn: ({ signal }) => api.portal.getShipmentFacets({ signal }),
    ...changesSeldom,
  })

export const shipmentQuery = (svc_shipment_id: string) =>
  queryOptions({
    queryKey: ['shipment', 'one', svc_shipment_id],
    queryFn: ({ signal }) => api.v1.getShipment({ params: { svc_shipment_id }, signal }),
  })

export const trackingQuery = (svc_shipment_id: string) =>
  queryOptions({
    queryKey: ['tracking', 'one', svc_shipment_id],
    queryFn: ({ signal }) => api.v1.getTracking({ params: { svc_shipment_id }, signal }),
  })

export const explanationQuery = (svc_shipment_id: string) =>
  queryOptions({
    queryKey: ['tracking', 'explanation', svc_shipment_id],
    queryFn: ({ signal }) => api.v1.explainTracking({ params: { svc_shipment_id }, signal }),
  })

export const invoiceChecksQuery = (reference: string) =>
  queryOptions({
    queryKey: ['invoice', 'checks', reference],
    queryFn: ({ signal }) => api.v1.getInvoiceChecks({ params: { reference }, signal }),
  })

export const freeTimeQuery = (svc_shipment_id: string) =>
  queryOptions({
    queryKey: ['tracking', 'free time', svc_shipment_id],
    queryFn: ({ signal }) => api.v1.getFreeTime({ params: { svc_shipment_id }, signal }),
  })

export const journeyQuery = (svc_shipment_id: string) =>
  queryOptions({
    queryKey: ['tracking', 'journey', svc_shipment_id],
    queryFn: ({ signal }) => api.portal.getJourney({ params: { svc_shipment_id }, signal }),
  })

export const ordersQuery = (query: Asked<'findPurchaseOrders'>) =>
  infiniteQueryOptions({
    queryKey: ['purchase_order', 'list', query],
    queryFn: ({ pageParam: after, signal }) => api.portal.findPurchaseOrders({ query: paged(query, after), signal }),
    ...pageParam,
  })

export const orderArrivalsQuery = (reference: string) =>
  queryOptions({
    queryKey: ['inbound', 'order', reference],
    queryFn: ({ signal }) => api.v1.getOrderArrivals({ params: { reference }, signal }),
  })

type InboundSearch = Omit<NonNullable<PortalQuery<'findInbound'>>, 'skip'>

export const inboundQuery = ({ take = 100, ...query }: InboundSearch) =>
  infiniteQueryOptions({
    queryKey: ['inbound', 'list', query],
    queryFn: ({ pageParam: skip, signal }) => api.portal.findInbound({ query: { ...query, skip, take }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ count }, pages) => {
      const seen = pages.reduce((sum, { lines }) => sum + lines.length, 0)
      return seen < count ? seen : undefined
    },
    placeholderData: keepPreviousData,
  })

type ExceptionSearch = Omit<NonNullable<PortalQuery<'findExceptions'>>, 'skip'>

export const exceptionsQuery = ({ take = 50, ...query }: ExceptionSearch) =>
  infiniteQueryOptions({
    queryKey: ['exception', 'list', query, take],
    queryFn: ({ pageParam: skip, signal }) => api.portal.findExceptions({ query: { ...query, skip, take }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ exceptions }, pages) =>
      exceptions.length < take ? undefined : pages.reduce((sum, page) => sum + page.exceptions.length, 0),
    placeholderData: keepPreviousData,
  })

export const delayQuery = (svc_shipment_id: string, query: { days: number; vessel?: 'true' }) =>
  queryOptions({
    queryKey: ['inbound', 'delay', svc_shipment_id, query],
    queryFn: ({ signal }) => api.v1.simulateDelay({ params: { svc_shipment_id }, query, signal }),
    placeholderData: keepPreviousData,
  })

export const suppliersQuery = (q: string) =>
  queryOptions({
    queryKey: ['purchase_order', 'suppliers', q],
    queryFn: ({ signal }) => api.portal.listSuppliers({ query: q === '' ? {} : { q }, signal }),
    placeholderData: keepPreviousData,
    ...changesSeldom,
  })

export const orderQuery = (reference: string) =>
  queryOptions({
    queryKey: ['purchase_order', 'one', reference],
    queryFn: ({ signal }) => api.v1.getPurchaseOrder({ params: { reference }, signal }),
  })

export const invoicesQuery = (query: Asked<'findInvoices'>) =>
  infiniteQueryOptions({
    queryKey: ['invoice', 'list', query],
    queryFn: ({ pageParam: after, signal }) => api.portal.findInvoices({ query: paged(query, after), signal }),
    ...pageParam,
  })

export const invoiceTotalsQuery = () =>
  queryOptions({
    queryKey: ['invoice', 'totals'],
    queryFn: ({ signal }) => api.portal.getInvoiceTotals({ signal }),
  })

export const invoiceQuery = (reference: string) =>
  queryOptions({
    queryKey: ['invoice', 'one', reference],
    queryFn: ({ signal }) => api.v1.getInvoice({ params: { reference }, signal }),
  })

export const invoiceStandingQuery = (reference: string) =>
  queryOptions({
    queryKey: ['invoice', 'standing', reference],
    queryFn: ({ signal }) => api.portal.getInvoiceStanding({ params: { reference }, signal }),
  })

export const documentsQuery = (query: Asked<'findDocuments'>) =>
  infiniteQueryOptions({
    queryKey: ['document', 'list', query],
    queryFn: ({ pageParam: after, signal }) => api.portal.findDocuments({ query: paged(query, after), signal }),
    ...pageParam,
    // Links are valid for at least 15 minutes.
    refetchInterval: 10 * 60_000,
  })

/** What shipments need. */
export const checklistsQuery = (shipments: string[]) =>
  queryOptions({
    queryKey: ['document', 'checklists', shipments],
    queryFn: ({ signal }) => api.portal.findChecklists({ query: { shipments: JSON.stringify(shipments) }, signal }),
    enabled: shipments.length > 0,
    placeholderData: keepPreviousData,
  })

export const proposalsQuery = (query: { svc_shipment_id?: string; state?: 'proposed'; take: number }) =>
  queryOptions({
    queryKey: ['document', 'proposals', query],
    queryFn: ({ signal }) => api.v1.listDocumentProposals({ query, signal }),
  })

export const supplierLinksQuery = (svc_shipment_id: string) =>
  queryOptions({
    queryKey: ['document', 'supplier-links', svc_shipment_id],
    queryFn: ({ signal }) => api.portal.listSupplierLinks({ query: { svc_shipment_id }, signal }),
  })

/** By which a shipment is shared. */
export const sharedLinksQuery = (svc_shipment_id: string) =>
  queryOptions({
    queryKey: ['sharing', svc_shipment_id],
    queryFn: ({ signal }) => api.v1.listSharedLinks({ params: { svc_shipment_id }, signal }),
  })

export const locationsQuery = () =>
  queryOptions({
    queryKey: ['location', 'list'],
    queryFn: ({ signal }) => api.v1.listLocations({ signal }),
    ...changesSeldom,
  })

export const locationQuery = (id: string) =>
  queryOptions({
    queryKey: ['location', 'one', id],
    queryFn: ({ signal }) => api.v1.getLocation({ params: { id }, signal }),
    ...changesSeldom,
  })

export const placesQuery = () =>
  queryOptions({
    queryKey: ['location', 'places'],
    queryFn: ({ signal }) => api.portal.listPlaces({ signal }),
    ...changesSeldom,
  })

export const keysQuery = () =>
  queryOptions({ queryKey: ['keys'], queryFn: ({ signal }) => api.portal.listOwnKeys({ signal }) })

export const keyPolicyQuery = () =>
  queryOptions({ queryKey: ['keys', 'policy'], queryFn: ({ signal }) => api.portal.getKeyPolicy({ signal }) })

export const requestsQuery = (query: Asked<'listRequests'>) =>
  infiniteQueryOptions({
    queryKey: ['requests', query],
    queryFn: ({ pageParam: after, signal }) => api.portal.listRequests({ query: paged(query, after), signal }),
    ...pageParam,
  })

export const auditQuery = (query: Asked<'listAudit'>) =>
  infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ pageParam: after, signal }) => api.portal.listAudit({ query: paged(query, after), signal }),
    ...pageParam,
  })

export const peopleQuery = () =>
  queryOptions({ queryKey: ['people'], queryFn: ({ signal }) => api.portal.listPeople({ signal }) })

export const sessionsQuery = () =>
  queryOptions({ queryKey: ['sessions'], queryFn: ({ signal }) => api.portal.listSessions({ signal }) })

export const factorsQuery = () =>
  queryOptions({ queryKey: ['factors'], queryFn: ({ signal }) => api.portal.getFactors({ signal }) })

export const accountSecurityQuery = () =>
  queryOptions({ queryKey: ['account security'], queryFn: ({ signal }) => api.portal.getAccountSecurity({ signal }) })

export const viewsQuery = () =>
  queryOptions({
    queryKey: ['views'],
    queryFn: ({ signal }) => api.portal.listViews({ signal }),
    ...changesSeldom,
  })

/** How many notifications are unread. */
export const unreadQuery = () =>
  queryOptions({
    queryKey: ['notifications', 'unread'],
    queryFn: ({ signal }) => api.portal.listNotifications({ query: { unread: 'true', take: 1 }, signal }),
    select: ({ unread }) => unread,
  })

export const notificationsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list'],
    queryFn: ({ signal, pageParam: before }) =>
      api.portal.listNotifications({ query: before === undefined ? {} : { before }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const subscriptionsQuery = () =>
  queryOptions({
    queryKey: ['subscriptions'],
    queryFn: ({ signal }) => api.portal.listSubscriptions({ signal }),
    ...changesSeldom,
  })

export const notificationSettingsQuery = () =>
  queryOptions({
    queryKey: ['notification settings'],
    queryFn: ({ signal }) => api.portal.getNotificationSettings({ signal }),
    ...changesSeldom,
  })

export const calendarsQuery = () =>
  queryOptions({
    queryKey: ['calendars'],
    queryFn: ({ signal }) => api.portal.listCalendars({ signal }),
    ...changesSeldom,
  })

export const signInOptionsQuery = () =>
  queryOptions({
    queryKey: ['sign-in options'],
    queryFn: ({ signal }) => api.portal.getSignInOptions({ signal }),
    ...changesSeldom,
  })

export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => api.portal.getLink({ body: { token }, signal }),
    retry: false,
  })

function paged<Given extends object>(query: Given, after: string | undefined): Given & { after?: string } {
  return after === undefined ? query : { ...query, after }
}
