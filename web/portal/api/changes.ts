/** Which queries a message of the change stream concerns. */

type Change = { kind: string; id?: string }

/** A message of the stream. `everything`: too many changes to list; `more`: the list is incomplete. */
export type StreamMessage = { changes?: Change[]; everything?: true; more?: true }

const ofShipment = ['shipment', 'tracking', 'inbound', 'overview', 'search']
const ofOrder = ['purchase_order', 'inbound', 'shipment', 'overview', 'search']
const ofInvoice = ['invoice', 'shipment', 'overview', 'search']

/** First elements of the query keys that show a kind of record. */
const shownBy: Record<string, string[]> = {
  shipment: ofShipment,
  tracking: ofShipment,
  tracking_event: ofShipment,
  tracking_position: ofShipment,
  purchase_order: ofOrder,
  assignment: ofOrder,
  invoice: ofInvoice,
  payment: ofInvoice,
  exception: ['exception', 'shipment', 'overview'],
  document: ['document', 'search'],
  document_proposal: ['document'],
  document_waiver: ['document'],
  supplier_link: ['document'],
  shared_link: ['sharing'],
  message: ['message'],
  webhook: ['webhooks'],
  location: ['location'],
  key: ['keys'],
  person: ['people', 'session'],
  account: ['session'],
}

// Keys of one resource: kind, one of these, identifier. Not for invoices, which are also found by number, and whose
// balance depends on credit notes.
const single = new Set(['one', 'journey'])

/** Whether a change may affect the query with this key. */
function isShown(key: readonly unknown[], { kind, id }: Change): boolean {
  const [first, second, third] = key
  if (!shownBy[kind]?.includes(String(first))) return false
  // Of its own kind only the changed record; tracking has the identifier of its shipment.
  const isOwn =
    first === kind || (first === 'shipment' && kind === 'tracking') || (first === 'tracking' && kind === 'shipment')
  return !(isOwn && kind !== 'invoice' && id !== undefined && single.has(String(second)) && third !== id)
}

/** Whether a message of the stream may affect the query with this key. */
export function isAffected(key: readonly unknown[], { changes = [], everything, more }: StreamMessage): boolean {
  return everything === true || more === true || changes.some((change) => isShown(key, change))
}
