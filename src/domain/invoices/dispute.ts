import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { grossOf, outstanding, totalsOf } from './invoice-totals.js'

/** What is in dispute: lines of an invoice, or all of it. The rest can be paid. */

type Disputed = Pick<InvoiceRecord, 'status' | 'dispute' | 'lines'>

/** The gross amounts in dispute: the total, without what the undisputed lines come to. */
export function disputedAmounts({ status, dispute, lines = [] }: Disputed): Price[] {
  if (status !== 'litigious') return []
  const totals = totalsOf(lines)
  const indexes = new Set(dispute?.lines)
  if (indexes.size === 0) return totals.map(grossOf)
  const undisputed = totalsOf(lines.filter((_, index) => !indexes.has(index)))
  return outstanding(totals, [undisputed], []).filter(({ amount }) => amount !== 0)
}

/** What can be paid of what is owed while part of it is in dispute. */
export function payable(record: Disputed, owed: Price[]): Price[] {
  const disputed = disputedAmounts(record)
  const amounts = owed.map((price) => {
    const part = disputed.find(({ currency }) => currency === price.currency)
    return part ? outstandingAfter(price, part) : price
  })
  return amounts
}

function outstandingAfter(price: Price, part: Price): Price {
  const [left] = outstanding([], [], [{ ...price, amount: -price.amount }, part])
  return { ...price, amount: Math.max(0, left?.amount ?? 0) }
}
