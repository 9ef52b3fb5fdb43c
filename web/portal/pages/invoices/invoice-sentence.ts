import type { InvoiceStanding } from '../../../../src/contract/portal/overview.js'
import type { Invoice } from '../../../../src/contract/public/invoice.js'
import type { Format } from '../../i18n/format.js'
import type { Messages } from '../../i18n/messages.js'

/** The state of an invoice in one sentence. */
export function invoiceSentence(
  invoice: Invoice,
  standing: InvoiceStanding,
  format: Format,
  { invoice: m }: Messages,
): string {
  const { type, status, due_date } = invoice
  const money = (prices: { amount: number; currency: string }[]) =>
    format.list(prices.map((price) => format.money(price)))
  const gross = money(standing.totals.map((total) => total.gross))
  const left = standing.balance.filter(({ amount }) => amount > 0)
  const open = left.length > 0 ? money(left) : undefined
  if (type === 'credit_note') {
    const credited = standing.credits && (standing.credits.number ?? standing.credits.reference)
    return m.sentences.credit(gross, credited)
  }
  if (status === 'paid') return m.sentences.paid(gross)
  if (status === 'write_off') return m.sentences.writtenOff(gross)
  const due = due_date && {
    day: format.day(due_date),
    away: format.fromToday(due_date),
    overdue: -format.daysFromToday(due_date),
  }
  const sentence = open === undefined ? m.sentences.settled(gross) : m.sentences.open(open, gross, due || undefined)
  if (status === 'litigious') return `${m.sentences.disputed} ${sentence}`
  return status === 'in_modification' ? `${m.sentences.beingChanged} ${sentence}` : sentence
}
