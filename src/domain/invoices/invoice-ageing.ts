import type { InvoiceTotals } from '../../contract/portal/overview.js'
import type { Price } from '../../contract/public/shared-types.js'
import { daysBetween } from '../dates/local-days.js'
import { groupedBy } from '../records/grouping.js'
import { sumPrices } from './invoice-totals.js'

/** What is outstanding on an invoice, and its due date. */
export type OwedInvoice = { due_date: string | undefined; outstanding: Price[] }

type Ages = InvoiceTotals['currencies'][number]
type Age = Exclude<keyof Ages, 'currency'>

// The first day after the due date that each age includes.
const ages: [Age, number][] = [
  ['overdue_beyond_90', 91],
  ['overdue_61_to_90', 61],
  ['overdue_31_to_60', 31],
  ['overdue_1_to_30', 1],
]

/** What is outstanding, by currency and age. An overpaid invoice does not reduce what is owed on others. */
export function ageInvoices(invoices: OwedInvoice[], today: string): Ages[] {
  const owed = invoices.flatMap(({ due_date, outstanding }) => {
    const age = ageOf(due_date, today)
    return outstanding.filter(({ amount }) => amount > 0).map((price) => ({ age, price }))
  })
  const byCurrency = groupedBy(owed, ({ price }) => price.currency)
  return [...byCurrency]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, prices]) => {
      const bucket = (wanted: Age) => {
        const within = prices.filter(({ age }) => age === wanted).map(({ price }) => price)
        return { amount: sumPrices(within)[0]?.amount ?? 0, count: within.length }
      }
      return {
        currency,
        not_due: bucket('not_due'),
        overdue_1_to_30: bucket('overdue_1_to_30'),
        overdue_31_to_60: bucket('overdue_31_to_60'),
        overdue_61_to_90: bucket('overdue_61_to_90'),
        overdue_beyond_90: bucket('overdue_beyond_90'),
      }
    })
}

// An invoice without a due date is not due.
function ageOf(due_date: string | undefined, today: string): Age {
  const days = due_date === undefined ? 0 : daysBetween(due_date, today)
  return ages.find(([, from]) => days >= from)?.[0] ?? 'not_due'
}
