import { Big } from 'big.js'
import type { Content } from 'pdfmake/interfaces.js'
import type { InvoiceBilling, Party } from '../contract/billing.js'
import type { AccountingTotal, Total } from '../contract/operator/invoices.js'
import type { InvoiceRecord } from '../contract/public/invoice.js'
import type { Price } from '../contract/public/shared-types.js'
import { formatDecimal, formatMoney } from '../domain/invoices/money.js'
import { epcQrCode, formatIban } from '../domain/invoices/payment-reference.js'
import type { InvoiceTexts } from './invoice-texts.js'
import { wrapped } from './text-wrapping.js'
import { combineSums, type Sum } from './truncation.js'

/** Parts of the PDF of an invoice that the interface does not know: parties, taxes in words, how to pay. */

const grey = '#6b7280'
const size = 9

/** Address and numbers of a party, below its name. */
export function partyLines(party: Party | undefined, texts: InvoiceTexts): string[] {
  if (!party) return []
  const { address = [], country, vat_number, registration } = party
  return [
    ...address,
    ...(country === undefined ? [] : [country]),
    ...(vat_number === undefined ? [] : [texts.vatNumber(vat_number)]),
    ...(registration === undefined ? [] : [registration]),
  ]
}

/** The totals in the accounting currency, by the stored rate. */
export function accountingNote(totals: AccountingTotal[], texts: InvoiceTexts): Content[] {
  return totals.map(({ of, currency, rate, rate_date, net, vat, gross }) => {
    const [inNet, inVat, inGross] = [net, vat, gross].map((amount) => formatMoney({ amount, currency })) as [
      string,
      string,
      string,
    ]
    const formatted = formatDecimal(new Big(rate))
    const text = texts.accounting(of, currency, formatted, texts.date(rate_date), inNet, inVat, inGross)
    return { ...wrapped(text, 480, size), color: grey, margin: [0, 16, 0, 0] }
  })
}

/** Why there is no tax, in the words of the law. */
export function taxNotes(billing: InvoiceBilling | undefined): Content[] {
  return (billing?.wording ?? []).map(({ text }, index) => ({
    ...wrapped(text, 480, size),
    margin: [0, index === 0 ? 16 : 3, 0, 0],
  }))
}

/** Where to pay to, by when, and with what reference; a code to scan for a transfer in euros. */
type Paid = { invoice: InvoiceRecord; billing?: InvoiceBilling | undefined; forwarder_name: string }

export function paymentBlock(
  { invoice, billing, forwarder_name }: Paid,
  due: Price | undefined,
  texts: InvoiceTexts,
): Content[] {
  const { bank, terms, payment_reference: reference, seller } = billing ?? {}
  if (!bank || invoice.type === 'credit_note') return []
  const holder = seller?.name ?? forwarder_name
  const days = terms && (terms.from === 'end_of_month' ? texts.daysFromMonthEnd(terms.days) : texts.days(terms.days))
  const facts: [string, string | undefined][] = [
    [texts.holder, bank.holder ?? holder],
    [texts.iban, formatIban(bank.iban)],
    [texts.bic, bank.bic],
    [texts.bank, bank.bank],
    [texts.paymentReference, reference],
    [texts.terms, days],
  ]
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== undefined)
  const rows = known.map(([label, text]) => [{ text: label, color: grey }, wrapped(text, 240, size)])
  const text = invoice.number ?? invoice.reference
  const code = due && epcQrCode({ bank, holder, amount: due, reference, text })
  const scan: Content[] =
    code === undefined
      ? []
      : [
          {
            stack: [
              // EPC069-12: error correction M. Unicode is encoded as UTF-8 in byte mode.
              { qr: code, fit: 92, eccLevel: 'M', mode: 'octet', alignment: 'right' },
              { text: texts.scan, color: grey, fontSize: 8, alignment: 'right', margin: [0, 4, 0, 0] },
            ],
            width: 130,
          } as Content,
        ]
  return [
    {
      columns: [
        {
          stack: [
            { text: texts.payment, bold: true, margin: [0, 0, 0, 4] },
            {
              table: { widths: [110, '*'], body: rows },
              layout: 'noBorders',
            },
          ],
          width: '*',
        },
        ...scan,
      ],
      columnGap: 24,
      unbreakable: true,
      margin: [0, 24, 0, 0],
    },
  ]
}

/** Net, tax of each rate, and total. Disbursements are shown apart from what is taxed. */
export function totalSums({ currency, net, vat, gross, disbursements = 0 }: Total, texts: InvoiceTexts): Sum[] {
  const charged = vat.map((part) => {
    const isDisbursed = disbursements !== 0 && part.rate === 0 && part.tax_category === 'outside_scope'
    return isDisbursed ? { ...part, net: Number(new Big(part.net).minus(disbursements)) } : part
  })
  const taxes = charged
    .filter((part) => part.net !== 0 || disbursements === 0)
    .map((part) => ({
      label: texts.vatOn(
        formatDecimal(new Big(part.rate)),
        formatMoney({ amount: part.net, currency }),
        part.tax_category && texts.categories[part.tax_category],
      ),
      price: { amount: part.amount, currency },
    }))
  const own = Number(new Big(net).minus(disbursements))
  return [
    { label: texts.net, price: { amount: own, currency } },
    ...combineSums(taxes, (count) => texts.moreRates(count)),
    ...(disbursements === 0 ? [] : [{ label: texts.disbursements, price: { amount: disbursements, currency } }]),
    { label: texts.total, price: { amount: gross, currency }, strong: true },
  ]
}

/** The rate, which is needed to verify converted prices. */
export function exchangeNote({ lines = [], usd_to_eur_rate }: InvoiceRecord, texts: InvoiceTexts): Content[] {
  const converted = lines.some(({ price, unit_rate }) => price && unit_rate && price.currency !== unit_rate.currency)
  if (!converted || usd_to_eur_rate === undefined) return []
  return [{ text: texts.converted(formatDecimal(new Big(usd_to_eur_rate))), color: grey, margin: [0, 16, 0, 0] }]
}
