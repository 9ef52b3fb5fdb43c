import type { ChangeEvent } from '../../src/contract/public/event.js'
import type { TestAccount } from './account.js'
import { everyShipment } from './generated-account.js'

/** What the lists of an account show, by kind and identifier, as a mirror of it has it. */
export async function listed(account: TestAccount) {
  const { call } = account
  const shipments = await everyShipment(account)
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

type Mirrored = Record<string, Record<string, unknown>>

/** Follows an event of the feed with its state; kinds without a list are left out. */
export function mirror(resources: Mirrored, { object, what, state }: ChangeEvent): void {
  const ofKind = resources[object.kind]
  if (!ofKind) return
  if (what === 'removed' || !state) delete ofKind[object.id]
  else ofKind[object.id] = withoutLinks(state as Record<string, unknown>)
}

function withoutLinks({ link: _link, ...body }: Record<string, unknown>): Record<string, unknown> {
  const { files } = body as { files?: Record<string, unknown>[] }
  return files ? { ...body, files: files.map(withoutLinks) } : body
}
