import type { ReferenceKind } from '../../contract/operator/messages.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'

/** The numbers by which others know a shipment. */

export type ShipmentReference = { kind: ReferenceKind; reference: string }

// Longer ones would not fit an index entry, and nobody has them.
const longest = 64

/** In capitals and without separators, as references are compared: `MSKU 703141-5` is `MSKU7031415`. */
export function normalReference(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, '').toUpperCase()
}

/** The reference of an order that is assigned to a shipment; undefined where it cannot be looked up. */
export function orderReference(text: string): string | undefined {
  const reference = normalReference(text)
  return reference === '' || reference.length > longest ? undefined : reference
}

/** Numbers that only those who ordered the goods know: not those on the containers and bills. */
export function customerReferences(shipment: ShipmentRecord): string[] {
  const { purchase_order_references = [], cargo } = shipment
  const known = new Set(shipmentReferences(shipment).map(({ reference }) => reference))
  return [purchase_order_references, ...(cargo?.containers ?? []).map((each) => each.purchase_order_references ?? [])]
    .flat()
    .map(normalReference)
    .filter((reference) => reference !== '' && !known.has(reference))
}

export function shipmentReferences({
  svc_shipment_id,
  booking_information,
  cargo,
}: ShipmentRecord): ShipmentReference[] {
  const { master_bill, house_bill, ocean_booking } = booking_information ?? {}
  const given: [ReferenceKind, string | undefined][] = [
    ['shipment', svc_shipment_id],
    ['booking', ocean_booking?.booking_number],
    ['master_bill', master_bill],
    ['house_bill', house_bill],
    ...(cargo?.containers ?? []).map(
      ({ container_number }) => ['container', container_number] as const satisfies [ReferenceKind, string | undefined],
    ),
  ]
  const found = new Map<string, ShipmentReference>()
  for (const [kind, text = ''] of given) {
    const reference = normalReference(text)
    if (reference !== '' && reference.length <= longest) found.set(`${kind} ${reference}`, { kind, reference })
  }
  return [...found.values()]
}
