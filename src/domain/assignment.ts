import { Big } from 'big.js'
import type { Fault } from '../contract/refusals.js'

/** The rules of putting order lines on shipments. Quantities are decimals: 0.1 and 0.2 are 0.3. */

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

/** The assigned quantities of a line never exceed the ordered one. */
export function assignedFault(ordered: number, assigned: number[]): Fault | undefined {
  const sum = total(assigned)
  if (sum.lte(ordered)) return undefined
  return {
    pointer: '/assigned_quantity',
    detail: `brings the assigned quantity of the line to ${sum.toFixed()} of ${ordered} ordered: ${sum.minus(ordered).toFixed()} too many`,
  }
}

type Names = { reference: string; line: string; svc_shipment_id: string }

// An assignment is found by all three of its names at once, and an index entry of the database ends at 2704 bytes.
const mostBytes = 2500

/** Its names have to fit together: three of 255 characters do, as long as those are not all of four bytes. */
export function namesFault({ reference, line, svc_shipment_id }: Names): Fault | undefined {
  const written = JSON.stringify([reference, line, svc_shipment_id])
  // No UTF-16 unit takes more than three bytes.
  if (written.length * 3 <= mostBytes || bytesOf(written) <= mostBytes) return undefined
  const detail = `order, line and shipment have names that are too long together: they must fit ${mostBytes} bytes of UTF-8`
  return { pointer: '/svc_shipment_id', detail }
}

// Percent-encoding writes three characters for a byte.
function bytesOf(text: string): number {
  return encodeURIComponent(text).replaceAll(/%../g, '.').length
}

function total(quantities: number[]): Big {
  return quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0))
}
