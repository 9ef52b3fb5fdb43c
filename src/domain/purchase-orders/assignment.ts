import { Big } from 'big.js'
import type { ShipmentStatus } from '../../contract/public/shipment.js'
import type { Fault } from '../../contract/refusals.js'

/** Rules for assigning order lines to shipments. Quantities are exact decimals: 0.1 + 0.2 is 0.3. */

type Quantities = {
  assigned_quantity: number
  shipped_order_lines?: { shipped_quantity?: number | undefined }[] | undefined
}

/** Shipped never exceeds assigned. */
export function shippedFault({ assigned_quantity, shipped_order_lines = [] }: Quantities): Fault | undefined {
  const shipped = total(shipped_order_lines.map(({ shipped_quantity }) => shipped_quantity ?? 0))
  if (shipped.lte(assigned_quantity)) return undefined
  const excess = shipped.minus(assigned_quantity)
  return {
    pointer: '/shipped_order_lines',
    detail: `ships ${shipped.toFixed()} of ${assigned_quantity} assigned: ${excess.toFixed()} too many`,
  }
}

/** The assigned quantities of a line never exceed the ordered one by more than the tolerance, in percent. */
export function assignedFault(ordered: number, assigned: number[], tolerance = 0): Fault | undefined {
  const sum = total(assigned)
  if (sum.lte(mostAssigned(ordered, tolerance))) return undefined
  return {
    pointer: '/assigned_quantity',
    detail: `brings the assigned quantity of the line to ${sum.toFixed()} of ${ordered} ordered: ${sum.minus(ordered).toFixed()} too many`,
  }
}

/** What may be assigned of a line, with the tolerance of the account. */
export function mostAssigned(ordered: number, tolerance: number): Big {
  return new Big(ordered).times(new Big(100).plus(tolerance)).div(100)
}

/** A cancelled shipment gives its quantities back. */
export function isCounted({ shipment_status }: { shipment_status?: ShipmentStatus | undefined }): boolean {
  return shipment_status !== 'cancelled'
}

type Names = { reference: string; line: string; svc_shipment_id: string }

// The primary key of an assignment has all three names, and a PostgreSQL index entry holds 2704 bytes.
const mostBytes = 2500

/** Three names of 255 characters fit, unless all characters take four bytes. */
export function namesFault({ reference, line, svc_shipment_id }: Names): Fault | undefined {
  const written = JSON.stringify([reference, line, svc_shipment_id])
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (written.length * 3 <= mostBytes || bytesOf(written) <= mostBytes) return undefined
  const detail = `the names of order, line and shipment are too long together: they must fit ${mostBytes} bytes of UTF-8`
  return { pointer: '/svc_shipment_id', detail }
}

// Percent-encoding uses three characters per byte.
function bytesOf(text: string): number {
  return encodeURIComponent(text).replaceAll(/%../g, '.').length
}

/** The exact sum of quantities. */
export function sumOf(quantities: number[]): number {
  return total(quantities).toNumber()
}

function total(quantities: number[]): Big {
  return quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0))
}
