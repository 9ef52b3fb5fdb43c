import { Big } from 'big.js'
import type { InvoiceRecord, PaymentRecord } from '../../contract/public/invoice.js'
import type { Currency } from '../../contract/public/shared-types.js'
import { totalsOfRecord } from './credit-rounding.js'
import { jsonAmount } from './money.js'

/** A statement of an account in one currency: what was owed before a period, what happened in it, and what is owed after it. */

export type StatementEntry = {
  /** Absent if the time is not known. */
  date?: string
  kind: 'invoice' | 'credit_note' | 'payment' | 'refund' | 'write_off'
  /** The number of the invoice or credit note. */
  number: string
  /** Negative if it reduces what is owed. */
  amount: number
}

export type StatementPeriod = { currency: Currency; from: string; to: string }
export type Statement = StatementPeriod & {
  opening: number
  entries: (StatementEntry & { balance: number })[]
  closing: number
}

/** What an invoice or credit note, and the payments of it, do to what is owed in a currency. */
export function entriesOf(invoice: InvoiceRecord, payments: PaymentRecord[], currency: Currency): StatementEntry[] {
  const total = totalsOfRecord(invoice).find((each) => each.currency === currency)
  const isNote = invoice.type === 'credit_note'
  const number = invoice.number ?? invoice.reference
  const date = invoice.sent_date?.slice(0, 10) ?? invoice.due_date
  const dated = date === undefined ? {} : { date }
  const sign = isNote ? -1 : 1
  const paid = payments.filter((payment) => payment.currency === currency)
  const entries: StatementEntry[] = [
    ...(total
      ? [{ ...dated, kind: isNote ? 'credit_note' : 'invoice', number, amount: sign * total.gross } as const]
      : []),
    ...paid.map(({ paid_on, amount }) => ({
      date: paid_on,
      kind: isNote ? ('refund' as const) : ('payment' as const),
      number,
      amount: -sign * amount,
    })),
    ...paid.flatMap(({ refunds = [] }) =>
      refunds.map(({ refunded_on, amount }) => ({ date: refunded_on, kind: 'refund' as const, number, amount })),
    ),
  ]
  if (invoice.status !== 'write_off') return entries
  // It does not say when it was written off: not before the last that happened to it.
  const left = sum(entries)
  const last = entries
    .map((entry) => entry.date ?? '')
    .toSorted()
    .at(-1)
  return [...entries, { ...(last && { date: last }), kind: 'write_off', number, amount: jsonAmount(left.times(-1)) }]
}

/** The opening balance includes what has no date. Entries of one day are in the order of their numbers. */
export function statementOf(period: StatementPeriod, before: Big, within: StatementEntry[]): Statement {
  const sorted = within.toSorted(
    (one, other) =>
      (one.date ?? '').localeCompare(other.date ?? '') ||
      order[one.kind] - order[other.kind] ||
      (one.number < other.number ? -1 : 1),
  )
  let balance = before
  const entries = sorted.map((entry) => {
    balance = balance.plus(entry.amount)
    return { ...entry, balance: jsonAmount(balance) }
  })
  return { ...period, opening: jsonAmount(before), entries, closing: jsonAmount(balance) }
}

const order = { invoice: 0, credit_note: 1, payment: 2, refund: 3, write_off: 4 }

export function sum(entries: Pick<StatementEntry, 'amount'>[]): Big {
  return entries.reduce((total, { amount }) => total.plus(amount), new Big(0))
}
