import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { outstanding, sumPrices, totalsOf } from './invoice-totals.js'

/** What is in dispute: lines of an invoice, or all of it. The rest can be paid. */

type Disputed = Pick<InvoiceRecord, 'status' | 'dispute' | 'lines'>

/**
 * The gross amounts in dispute: the total, without what the undisputed lines come to, and without what was credited since
 * the dispute began. The lines of a credit note do not say which line of the invoice they credit.
 */
export function disputedAmounts({ status, dispute, lines = [] }: Disputed, credited: Price[]): Price[] {
  if (status !== 'litigious') return []
  const indexes = new Set(dispute?.lines)
  const isWhole = indexes.size === 0
  const undisputed = isWhole ? [] : totalsOf(lines.filter((_, index) => !indexes.has(index)))
  const before = isWhole ? [] : (dispute?.credited ?? [])
  const since = sumPrices([...credited, ...before.map(negative)]).filter(isPositive)
  return outstanding(totalsOf(lines), [undisputed], since).filter(isPositive)
}

/** What can be paid of what is owed while part of it is in dispute. */
export function payable({ outstanding: owed, disputed }: { outstanding: Price[]; disputed: Price[] }): Price[] {
  return owed.map((price) => {
    const part = disputed.find(({ currency }) => currency === price.currency)
    return part ? outstandingAfter(price, part) : price
  })
}

function outstandingAfter(price: Price, part: Price): Price {
  const [left] = outstanding([], [], [negative(price), part])
  return { ...price, amount: Math.max(0, left?.amount ?? 0) }
}

const isPositive = ({ amount }: Price) => amount > 0

function negative({ amount, currency }: Price): Price {
  return { amount: -amount, currency }
}
