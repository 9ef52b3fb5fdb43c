import type { AccountBilling, BillingSettings, InvoiceBilling, PaymentTerms } from '../../contract/billing.js'
import type { InvoiceRecordLine } from '../../contract/public/invoice.js'
import { taxWording } from '../../domain/invoices/tax.js'

type Issued = { name: string; lines: InvoiceRecordLine[]; terms: PaymentTerms | undefined }

/** What an invoice keeps of the settings of its day. */
export function billingAtIssue(
  forwarder: BillingSettings,
  account: AccountBilling,
  { name, lines, terms }: Issued,
): InvoiceBilling {
  const language = account.language ?? forwarder.language ?? 'en'
  const wording = taxWording(lines, language, forwarder.wording)
  const { seller, bank, accounting_currency: currency } = forwarder
  const used = new Set(lines.map(({ price }) => price?.currency))
  const rates = (forwarder.rates ?? []).filter((rate) => used.has(rate.currency))
  return {
    language,
    ...(seller && { seller }),
    ...(account.buyer && { buyer: { name, ...account.buyer } }),
    ...(bank && { bank }),
    ...(terms && { terms }),
    ...(currency && rates.length > 0 && { accounting: { currency, rates } }),
    ...(wording.length > 0 && { wording }),
  }
}
