import { Big } from 'big.js'
import type { InvoiceBilling } from '../../contract/billing.js'
import type { AccountingTotal, Total } from '../../contract/operator/invoices.js'
import { jsonAmount, roundMoney } from './money.js'

/** Totals in the accounting currency, by the stored rates. The tax of each rate is converted and rounded by itself. */
export function accountingTotals(totals: Total[], accounting: InvoiceBilling['accounting']): AccountingTotal[] {
  if (!accounting) return []
  const { currency, rates } = accounting
  return totals.flatMap((total) => {
    const known = rates.find((rate) => rate.currency === total.currency)
    if (!known) return []
    const convert = (amount: number) => roundMoney(new Big(amount).times(known.rate), currency)
    const sums = total.vat.map((part) => ({ net: convert(part.net), vat: convert(part.amount) }))
    const net = sums.reduce((sum, part) => sum.plus(part.net), new Big(0))
    const vat = sums.reduce((sum, part) => sum.plus(part.vat), new Big(0))
    return [
      {
        of: total.currency,
        currency,
        rate: known.rate,
        rate_date: known.date,
        net: jsonAmount(net),
        vat: jsonAmount(vat),
        gross: jsonAmount(net.plus(vat)),
      },
    ]
  })
}
