/** What the stream of changes says, and what of what is shown it concerns. */

type Change = { kind: string; id?: string }

/** What the stream says. `everything`: too much has happened to name it; `more`: not all of it is named. */
export type Told = { changes?: Change[]; everything?: true; more?: true }

const ofShipment = ['shipment', 'tracking', 'overview', 'search']
const ofOrder = ['purchase_order', 'shipment', 'overview', 'search']
const ofInvoice = ['invoice', 'shipment', 'overview', 'search']

/** The first words of the keys of what shows a kind. */
const shownBy: Record<string, string[]> = {
  shipment: ofShipment,
  tracking: ofShipment,
  tracking_event: ofShipment,
  tracking_position: ofShipment,
  purchase_order: ofOrder,
  assignment: ofOrder,
  invoice: ofInvoice,
  payment: ofInvoice,
  document: ['document', 'search'],
  location: ['location'],
  key: ['keys'],
  person: ['people', 'session'],
  account: ['session'],
}

// Keys of one resource: kind, one of these, identifier. Invoices are not among them: they are found by their numbers,
// too, and what is left of one follows from its credit notes.
const single = new Set(['one', 'journey'])

/** Whether what is kept under a key may look different after a change. */
function isShown(key: readonly unknown[], { kind, id }: Change): boolean {
  const [first, second, third] = key
  if (!shownBy[kind]?.includes(String(first))) return false
  // Of its own kind, only the one that has changed; tracking goes by the name of its shipment.
  const isOwn =
    first === kind || (first === 'shipment' && kind === 'tracking') || (first === 'tracking' && kind === 'shipment')
  return !(isOwn && kind !== 'invoice' && id !== undefined && single.has(String(second)) && third !== id)
}

/** Whether what is kept under a key may look different after what the stream has said. */
export function isTouched(key: readonly unknown[], { changes = [], everything, more }: Told): boolean {
  return everything === true || more === true || changes.some((change) => isShown(key, change))
}
