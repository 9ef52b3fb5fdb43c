import { Big } from 'big.js'
import type { Total } from '../../contract/operator/invoices.js'
import type { InvoiceRecord, VatRounding } from '../../contract/public/invoice.js'
import type { Currency } from '../../contract/public/shared-types.js'
import { totalsOf } from './invoice-totals.js'
import { jsonAmount } from './money.js'

/**
 * The tax of credit notes. Each rounds its own tax, so two of half an invoice could give back a cent more than was charged:
 * the one that credits the last of a rate gives back what is left of its tax.
 */

/** The totals of an invoice or credit note. */
export function totalsOfRecord({ lines = [], vat_rounding = [] }: Pick<InvoiceRecord, 'lines' | 'vat_rounding'>) {
  return vat_rounding.reduce(withRounding, totalsOf(lines))
}

function withRounding(totals: Total[], { currency, rate, amount }: VatRounding): Total[] {
  const plus = (sum: number) => jsonAmount(new Big(sum).plus(amount))
  return totals.map((total) => {
    const rounded = total.vat.findIndex((part) => part.rate === rate)
    if (total.currency !== currency || rounded < 0) return total
    const vat = total.vat.map((part, index) => (index === rounded ? { ...part, amount: plus(part.amount) } : part))
    return { ...total, vat, gross: plus(total.gross) }
  })
}

/** What another credit note adds to its tax. One that exceeds the net of a rate is left as it is: it is refused. */
export function creditRounding(invoice: Total[], credited: Total[][], next: Total[]): VatRounding[] {
  const earlier = credited.flat()
  return next.flatMap(({ currency, vat }) =>
    [...new Set(vat.map(({ rate }) => rate))].flatMap((rate) => {
      const [charged, before, own] = [invoice, earlier, next].map((totals) => sumsAt(totals, currency, rate)) as Sums3
      const netLeft = charged.net.minus(before.net)
      const vatLeft = charged.vat.minus(before.vat)
      if (own.net.gt(netLeft)) return []
      const isLast = own.net.eq(netLeft)
      const rounding = (isLast || own.vat.gt(vatLeft) ? vatLeft : own.vat).minus(own.vat)
      return rounding.eq(0) ? [] : [{ currency, rate, amount: jsonAmount(rounding) }]
    }),
  )
}

type Sums = { net: Big; vat: Big }
type Sums3 = [Sums, Sums, Sums]

function sumsAt(totals: Total[], currency: Currency, rate: number): Sums {
  const parts = totals.filter((total) => total.currency === currency).flatMap(({ vat }) => vat)
  return parts
    .filter((part) => part.rate === rate)
    .reduce((sum, { net, amount }) => ({ net: sum.net.plus(net), vat: sum.vat.plus(amount) }), {
      net: new Big(0),
      vat: new Big(0),
    })
}
