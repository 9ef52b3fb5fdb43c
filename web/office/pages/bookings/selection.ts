import { useDraft } from '../../../ui/use-draft.js'
import type { OpenLine, OpenOrder } from '../../api/bookings.js'

/** The order lines that a shipment is built of: of one customer, and kept over a reload until they are booked. */

export type ChosenLine = {
  reference: string
  line: string
  /** As typed. */
  quantity: string
  open: number
  product: string
  ready?: string | undefined
  wanted?: string | undefined
}

export type Selection = {
  account: string
  name: string
  lines: Record<string, ChosenLine>
}

const nothing: Selection = { account: '', name: '', lines: {} }

export const keyOf = (reference: string, line: string) => JSON.stringify([reference, line])

export function useSelection() {
  const [selection, change, drop] = useDraft<Selection>('booking lines', nothing)
  const keep = (lines: Record<string, ChosenLine>, of: { account: string; name: string }) =>
    change(Object.keys(lines).length === 0 ? nothing : { ...of, lines })
  return {
    selection,
    set(orders: { order: OpenOrder; line: OpenLine }[], isChosen: boolean) {
      const [first] = orders
      if (!first) return
      const { account, account_name: name } = first.order
      const lines = { ...(selection.account === account ? selection.lines : {}) }
      for (const { order, line } of orders) {
        const key = keyOf(order.reference, line.line)
        if (!isChosen) delete lines[key]
        else lines[key] ??= chosenOf(order, line)
      }
      keep(lines, { account, name })
    },
    setQuantity(key: string, quantity: string) {
      const line = selection.lines[key]
      if (line) change({ lines: { ...selection.lines, [key]: { ...line, quantity } } })
    },
    remove(key: string) {
      const { [key]: _removed, ...lines } = selection.lines
      keep(lines, selection)
    },
    clear() {
      change(nothing)
      drop()
    },
  }
}

export type UsedSelection = ReturnType<typeof useSelection>

function chosenOf(order: OpenOrder, { line, open_quantity, name, sku }: OpenLine): ChosenLine {
  return {
    reference: order.reference,
    line,
    quantity: String(open_quantity),
    open: open_quantity,
    product: name ?? sku,
    ready: order.desired_ex_factory_date,
    wanted: order.desired_delivery_date,
  }
}

/** What a request says of the lines. Quantities are as typed; what is no number is refused there. */
export function orderLinesOf({ lines }: Selection) {
  return Object.values(lines).map(({ reference, line, quantity }) => ({
    reference,
    line,
    assigned_quantity: Number(quantity.replace(',', '.')),
  }))
}
