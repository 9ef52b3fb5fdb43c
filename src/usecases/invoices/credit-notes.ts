import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { creditRounding, totalsOfRecord } from '../../domain/invoices/credit-rounding.js'
import { type CreditExcess, creditExcess, outstanding } from '../../domain/invoices/invoice-totals.js'
import { formatMoney } from '../../domain/invoices/money.js'
import { Transaction } from '../../ledger/transaction.js'
import { findInvoiceBalance, type InvoiceBalance } from './invoice-balance.js'
import { findInvoiceRecord } from './invoice-record.js'

/** The invoice that a credit note credits; an imported credit note may name none. */
export async function findCreditedInvoice(
  { sql }: Transaction,
  account: AccountId,
  { credited_invoice }: InvoiceRecord,
): Promise<InvoiceRecord | undefined> {
  if (credited_invoice === undefined) return undefined
  const invoice = await findInvoiceRecord(sql, account, credited_invoice)
  if (!invoice) throw invalid([{ pointer: '/credited_invoice', detail: 'the account has no such invoice' }])
  return invoice
}

/**
 * The credit note with the tax that is left of the invoice; refused if it exceeds the invoice. Counts drafts as well: two
 * drafts that together exceed the invoice are refused before either is issued.
 */
export async function withinInvoice(tx: Transaction, account: AccountId, given: InvoiceRecord): Promise<InvoiceRecord> {
  const { vat_rounding: _before, ...note } = given
  const invoice = await findCreditedInvoice(tx, account, note)
  if (!invoice) return note
  const { totals, credit_notes } = await findInvoiceBalance(tx.sql, account, invoice)
  const others = credit_notes.filter(({ reference }) => reference !== note.reference).map(totalsOfRecord)
  const vat_rounding = creditRounding(totals, others, totalsOfRecord(note))
  const rounded = vat_rounding.length > 0 ? { ...note, vat_rounding } : note
  const excess = creditExcess(totals, others, totalsOfRecord(rounded))
  if (excess.length > 0) throw creditTooLarge(excess)
  return rounded
}

/** A paid invoice stays paid: a credit note that helped to settle it cannot be reduced so far that it would owe again. */
export async function refuseReopening(
  tx: Transaction,
  account: AccountId,
  before: InvoiceRecord,
  after: InvoiceRecord,
): Promise<void> {
  const invoice = await findCreditedInvoice(tx, account, before)
  if (invoice?.status !== 'paid') return
  const { balance } = await findInvoiceBalance(tx.sql, account, invoice)
  const reduction = outstanding(totalsOfRecord(before), [totalsOfRecord(after)], [])
  for (const { amount, currency } of reduction) {
    const left = balance.find((price) => price.currency === currency)?.amount ?? 0
    const owed = outstanding(
      [],
      [],
      [
        { amount: -amount, currency },
        { amount: -left, currency },
      ],
    )
    if (amount > 0 && owed.some((price) => price.amount > 0)) {
      throw new Refusal(
        'invoice_issued',
        `The invoice ${invoice.number ?? invoice.reference} is paid, and would owe ${amountsOf(owed)} again.`,
      )
    }
  }
}

/** An invoice that leaves modification must not total less than what was credited and paid. */
export function refuseShortfall({ totals, credit_notes, balance }: InvoiceBalance): void {
  const uncredited = outstanding(totals, credit_notes.map(totalsOfRecord), [])
  const overcredited = shortfallsIn(uncredited)
  if (overcredited.length > 0) throw creditTooLarge(overcredited)
  const overpaid = shortfallsIn(balance)
  if (overpaid.length === 0) return
  throw new Refusal(
    'payment_exceeds_outstanding',
    `Credit notes and payments exceed the total of the invoice by ${amountsOf(overpaid)}.`,
  )
}

function shortfallsIn(prices: Price[]): Price[] {
  return prices.filter(({ amount }) => amount < 0).map(({ amount, currency }) => ({ amount: -amount, currency }))
}

function creditTooLarge(excess: CreditExcess[]): Refusal {
  const amounts = excess.map(({ rate, ...price }) => {
    const amount = formatMoney(price)
    return rate === undefined ? amount : `${amount} at ${rate} % VAT`
  })
  return new Refusal('credit_exceeds_invoice', `The credit notes exceed the invoice by ${amounts.join(' and ')}.`)
}

function amountsOf(prices: Price[]): string {
  return prices.map(formatMoney).join(' and ')
}
