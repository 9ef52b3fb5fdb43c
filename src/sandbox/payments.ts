import type { Invoice, PaymentRecord } from '../contract/public/invoice.js'
import { day, utcDate } from '../domain/dates/local-time.js'
import { totalsOf } from '../domain/invoices/invoice-totals.js'
import { currencyDigits } from '../domain/invoices/money.js'
import { price } from './currencies.js'
import type { Random } from './random.js'

/** The payments of an invoice: none, a part, or all of it. Credit notes are settled with other payments. */
export function paymentsOf(invoice: Invoice, now: number, random: Random): PaymentRecord[] {
  const [total] = totalsOf(invoice.lines ?? [])
  if (!total || invoice.type !== 'invoice') return []
  const gross = Math.round(total.gross * 10 ** currencyDigits(total.currency))
  const [sent, due] = [Date.parse(invoice.sent_date!), Date.parse(invoice.due_date!)]
  const payment = (part: number, minor: number, at: number): PaymentRecord => ({
    payment_id: `PAY-${invoice.reference}-${part}`,
    reference: invoice.reference,
    ...price(minor, total.currency),
    paid_on: utcDate(Math.min(at, now)),
    note: random.pick(['Bank transfer', 'SEPA transfer', 'Payment advice received']),
  })
  const paidAt = sent + random.decimal(0.3, 1.1) * (due - sent)
  switch (invoice.status) {
    case 'paid':
      return [payment(1, gross, paidAt)]
    case 'partially_paid': {
      const first = Math.max(1, Math.round(gross * random.decimal(0.2, 0.5)))
      const isTwice = random.chance(0.4)
      return [
        payment(1, first, paidAt),
        ...(isTwice ? [payment(2, Math.max(1, Math.round(gross * 0.2)), paidAt + 5 * day)] : []),
      ]
    }
    default:
      return []
  }
}
