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

function total(quantities: number[]): Big {
  return quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0))
}
