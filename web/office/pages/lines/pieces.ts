import type { Container } from '../../../../src/contract/public/shipment.js'
import {
  type Assigned,
  type PackingPlace,
  packedNumbers,
  quantityAt,
  unitOf,
} from '../../../../src/domain/purchase-orders/packing.js'
import type { OpenOrder } from '../../api/bookings.js'
import type { OrderLine } from '../../api/shipment.js'

/** What the page shows: quantities of order lines, each at one place. */

export type Piece = {
  key: string
  place: PackingPlace
  reference: string
  line: string
  product: string
  /** How much of the line is at this place. */
  quantity: number
  /** The line as the shipment has it. Undefined if it has nothing of it. */
  assigned: OrderLine | undefined
}

export type Group = { place: PackingPlace; unit?: Container; pieces: Piece[] }

export const lineKey = ({ reference, line }: { reference: string; line: string }) => JSON.stringify([reference, line])
const keyAt = (reference: string, line: string, place: PackingPlace) => JSON.stringify([reference, line, place])

export function assignedOf({ record }: OrderLine): Assigned {
  const { assigned_quantity, shipped_order_lines = [], over_shipment_reason } = record
  return { assigned_quantity, shipped_order_lines, ...(over_shipment_reason !== undefined && { over_shipment_reason }) }
}

/** What is in no container, then each container in the order of the shipment, then those that only the packing names. */
export function groupsOf(lines: OrderLine[], units: Container[]): Group[] {
  const known = units.flatMap((unit) => (unit.container_number ? [{ place: unitOf(unit.container_number), unit }] : []))
  const places = new Set(known.map(({ place }) => place))
  const others = [...new Set(lines.flatMap((line) => packedNumbers(assignedOf(line))).map(unitOf))]
    .filter((place) => !places.has(place))
    .map((place) => ({ place }))
  return [{ place: 'loose' as const }, ...known, ...others].map((group) => ({
    ...group,
    pieces: lines.flatMap((line) => pieceAt(line, group.place) ?? []),
  }))
}

function pieceAt(assigned: OrderLine, place: PackingPlace): Piece | undefined {
  const quantity = quantityAt(assignedOf(assigned), place)
  const { reference, line } = assigned.record
  if (quantity <= 0) return undefined
  const product = assigned.name ?? assigned.sku
  return { key: keyAt(reference, line, place), place, reference, line, product, quantity, assigned }
}

/** The lines of an order of which something is open. */
export function openPieces({ reference, lines }: OpenOrder, assigned: Map<string, OrderLine>): Piece[] {
  return lines.map(({ line, name, sku, open_quantity: quantity }) => ({
    key: keyAt(reference, line, 'open'),
    place: 'open',
    reference,
    line,
    product: name ?? sku,
    quantity,
    assigned: assigned.get(lineKey({ reference, line })),
  }))
}
