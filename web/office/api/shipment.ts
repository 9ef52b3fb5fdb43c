import { queryOptions } from '@tanstack/react-query'
import { readResponse } from '../../../src/client/response.js'
import type { DocumentType } from '../../../src/contract/public/document-types.js'
import { options } from '../../portal/api/client.js'
import { ops } from './ops.js'

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

export const invoicesQuery = ({ account, svc_shipment_id }: ShipmentParams, references: string[]) =>
  queryOptions({
    queryKey: [...keyOf({ account, svc_shipment_id }, 'invoices'), references],
    queryFn: ({ signal }) =>
      Promise.all(references.map((reference) => ops.getInvoice({ params: { account, reference }, signal }))),
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
