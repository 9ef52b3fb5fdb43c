import { queryOptions } from '@tanstack/react-query'
import { readResponse } from '../../../src/client/response.js'
import type { OperatorResponse } from '../../../src/contract/operator/operations.js'
import type { DocumentType } from '../../../src/contract/public/document-types.js'
import { ops, options } from './ops.js'

/** The queries of a shipment file. All have the shipment in their key, so that a change fetches all of them again. */

export type ShipmentParams = { account: string; svc_shipment_id: string }

// Others work on the shipment, too.
const live = { refetchInterval: 15_000 }

const keyOf = ({ account, svc_shipment_id }: ShipmentParams, part: string) => [
  'shipment',
  account,
  svc_shipment_id,
  part,
]

export const shipmentQuery = (params: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf(params, 'record'),
    queryFn: ({ signal }) => ops.getShipment({ params, signal }),
    ...live,
  })

/** Refused for a shipment without tracking. */
export const trackingQuery = (params: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf(params, 'tracking'),
    queryFn: ({ signal }) => ops.getTracking({ params, signal }),
    retry: false,
    refetchInterval: ({ state }) => state.data !== undefined && live.refetchInterval,
  })

export const explanationQuery = (params: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf(params, 'explanation'),
    queryFn: ({ signal }) => ops.explainTracking({ params, signal }),
    ...live,
  })

export const freeTimeQuery = (params: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf(params, 'free time'),
    queryFn: ({ signal }) => ops.getFreeTime({ params, signal }),
  })

export const shipmentExceptionsQuery = ({ account, svc_shipment_id }: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf({ account, svc_shipment_id }, 'exceptions'),
    queryFn: ({ signal }) => ops.listExceptions({ query: { account, svc_shipment_id, state: 'open' }, signal }),
    ...live,
  })

export const documentsQuery = ({ account, svc_shipment_id }: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf({ account, svc_shipment_id }, 'documents'),
    queryFn: ({ signal }) => ops.listDocuments({ params: { account }, query: { svc_shipment_id, take: 100 }, signal }),
  })

export const orderLinesQuery = ({ account, svc_shipment_id }: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf({ account, svc_shipment_id }, 'orders'),
    queryFn: ({ signal }) =>
      ops.listInbound({ params: { account }, query: { svc_shipment_id, delivered: 'any', take: 100 }, signal }),
  })

export type OrderLine = OperatorResponse<'listOrderLines'>[number]

// As many as one request takes.
const mostLines = 1000

/** All order lines of the shipment with their packing and revisions. */
export const assignedLinesQuery = (params: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf(params, 'order lines'),
    queryFn: async ({ signal }) => {
      const lines: OrderLine[] = []
      for (let skip = 0; skip === lines.length; skip += mostLines) {
        lines.push(...(await ops.listOrderLines({ params, query: { skip, take: mostLines }, signal })))
      }
      return lines
    },
    ...live,
  })

/** Invoices, credit notes and drafts. */
export const shipmentInvoicesQuery = ({ account, svc_shipment_id }: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf({ account, svc_shipment_id }, 'invoices'),
    queryFn: async ({ signal }) => {
      // The text also finds numbers that contain it.
      const query = { account, q: svc_shipment_id, take: 200 }
      const { invoices } = await ops.findInvoices({ query, signal })
      return invoices.filter((invoice) => invoice.svc_shipment_id === svc_shipment_id)
    },
    ...live,
  })

export const checklistQuery = (params: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf(params, 'checklist'),
    queryFn: ({ signal }) => ops.getChecklist({ params, signal }),
  })

export const historyQuery = ({ account, svc_shipment_id: id }: ShipmentParams) =>
  queryOptions({
    queryKey: keyOf({ account, svc_shipment_id: id }, 'history'),
    queryFn: ({ signal }) => ops.getHistory({ params: { account, kind: 'shipment', id }, query: { take: 50 }, signal }),
  })

export async function uploadDocument(
  { account, svc_shipment_id }: ShipmentParams,
  file: File,
  type: DocumentType | undefined,
): Promise<void> {
  const body = new FormData()
  body.set('svc_shipment_id', svc_shipment_id)
  if (type !== undefined) body.set('type', type)
  body.set('file', file)
  const address = `/ops/v1/accounts/${encodeURIComponent(account)}/documents`
  await readResponse(options.fetch(address, { method: 'POST', body }))
}

/** The content, which brings its name along. */
export async function replaceDocument({ account, id }: { account: string; id: string }, file: File): Promise<void> {
  const body = new FormData()
  body.set('file', file)
  const address = `/ops/v1/accounts/${encodeURIComponent(account)}/documents/${encodeURIComponent(id)}/content`
  await readResponse(options.fetch(address, { method: 'PUT', body }))
}

/** Says that a page with the shipment was closed: the request outlives the page. */
export async function leaveShipment({ account, svc_shipment_id }: ShipmentParams, tab: string): Promise<void> {
  const address = `/ops/v1/accounts/${encodeURIComponent(account)}/shipments/${encodeURIComponent(svc_shipment_id)}`
  await options.fetch(`${address}/presence?${new URLSearchParams({ tab, leaving: 'true' })}`, { keepalive: true })
}
