import type { TestAccount } from './account.js'

/** What the lists of an account show, by kind and identifier, as a mirror of it has it. */
export async function listed({ call }: TestAccount) {
  const found = await call('listShipments', { query: { take: 100 } })
  const shipments = found.status === 404 ? [] : found.body
  const tracking = await Promise.all(
    shipments.map(({ svc_shipment_id }) => call('getTracking', { params: { svc_shipment_id } })),
  )
  const byId = (bodies: object[], key: string) =>
    Object.fromEntries(
      bodies.map((body) => {
        const rest = withoutLinks(body as Record<string, unknown>)
        return [String(rest[key]), rest]
      }),
    )
  return {
    shipment: byId(shipments, 'svc_shipment_id'),
    tracking: byId(
      tracking.filter(({ status }) => status === 200).map(({ body }) => body),
      'svc_shipment_id',
    ),
    purchase_order: byId((await call('listPurchaseOrders')).body, 'po_number'),
    location: byId((await call('listLocations')).body, 'id'),
    invoice: byId((await call('listInvoices')).body, 'reference'),
    document: byId((await call('listDocuments')).body, 'id'),
    document_proposal: byId((await call('listDocumentProposals')).body, 'id'),
    message: byId((await call('listMessages', { query: { take: 100 } })).body, 'message_id'),
    exception: byId((await call('listExceptions')).body, 'exception_id'),
  }
}

function withoutLinks({ link: _link, ...body }: Record<string, unknown>): Record<string, unknown> {
  const { files } = body as { files?: Record<string, unknown>[] }
  return files ? { ...body, files: files.map(withoutLinks) } : body
}
