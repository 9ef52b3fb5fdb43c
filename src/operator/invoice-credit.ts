import type { InvoiceRecord } from '../contract/invoice.js'
import type { Total } from '../contract/ops/invoices.js'
import { invalid, Refusal } from '../contract/refusals.js'
import type { Price } from '../contract/shared-types.js'
import { creditExcess, outstanding, totalsOf } from '../domain/invoice-totals.js'
import { formatMoney } from '../domain/money.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import {
  checkedLines,
  findInvoiceRecord,
  freeReference,
  getInvoiceRecord,
  presentInvoice,
  refuseReference,
  saveInvoice,
} from './invoice-record.js'
import { findStanding, type Standing } from './invoice-standing.js'

export const creditNoteHandlers: OperatorHandlers<'draftCreditNote'> = {
  async draftCreditNote({ tx, account }, { params, body }) {
    const invoice = await getInvoiceRecord(tx, account, params.reference)
    if (invoice.type === 'credit_note') {
      throw invalid([{ pointer: '/reference', detail: 'is a credit note: only an invoice can be credited' }])
    }
    if (invoice.draft) throw new Refusal('invoice_is_draft')
    const { reference = await freeReference(tx, account, 'CRN'), due_date, usd_to_eur_rate } = body
    if (body.reference !== undefined) await refuseReference(tx, account, reference)
    const lines = await checkedLines(tx, account, body, 'credit_note')
    const note: InvoiceRecord = {
      reference,
      svc_shipment_id: invoice.svc_shipment_id,
      type: 'credit_note',
      status: 'new',
      due_date,
      lines,
      usd_to_eur_rate,
      draft: true,
      credited_invoice: invoice.reference,
    }
    await refuseCreditExcess(tx, account, note)
    await saveInvoice(tx, account, note, { what: 'created' })
    return presentInvoice(tx, account, reference)
  },
}

/** The invoice that a credit note is against; an imported one may name none, and is not held against any. */
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

/** Drafts count as well: two that together are too much are refused before either is issued. */
export async function refuseCreditExcess(tx: Transaction, account: AccountId, note: InvoiceRecord): Promise<void> {
  const invoice = await findCreditedInvoice(tx, account, note)
  if (!invoice) return
  const { totals, credit_notes } = await findStanding(tx.sql, account, invoice)
  const others = credit_notes.filter(({ reference }) => reference !== note.reference).map(totalsOfRecord)
  const excess = creditExcess(totals, others, totalsOfRecord(note))
  if (excess.length > 0) throw creditTooLarge(excess)
}

/**
 * A paid invoice stays paid: a credit note that helped to settle it may not be cut so far that something would be
 * owed again.
 */
export async function refuseReopening(
  tx: Transaction,
  account: AccountId,
  before: InvoiceRecord,
  after: InvoiceRecord,
): Promise<void> {
  const invoice = await findCreditedInvoice(tx, account, before)
  if (invoice?.status !== 'paid') return
  const { balance } = await findStanding(tx.sql, account, invoice)
  const cut = outstanding(totalsOfRecord(before), [totalsOfRecord(after)], [])
  for (const { amount, currency } of cut) {
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

/** Before an invoice leaves modification: it asks for what was credited and paid, at least. */
export function refuseShortfall({ totals, credit_notes, balance }: Standing): void {
  const uncredited = outstanding(totals, credit_notes.map(totalsOfRecord), [])
  const overcredited = shortfallsIn(uncredited)
  if (overcredited.length > 0) throw creditTooLarge(overcredited)
  const overpaid = shortfallsIn(balance)
  if (overpaid.length === 0) return
  throw new Refusal(
    'payment_exceeds_outstanding',
    `What was credited and paid is more than the invoice asks for by ${amountsOf(overpaid)}.`,
  )
}

function shortfallsIn(prices: Price[]): Price[] {
  return prices.filter(({ amount }) => amount < 0).map(({ amount, currency }) => ({ amount: -amount, currency }))
}

function creditTooLarge(excess: Price[]): Refusal {
  return new Refusal('credit_exceeds_invoice', `The credit notes exceed the invoice by ${amountsOf(excess)}.`)
}

function totalsOfRecord({ lines = [] }: InvoiceRecord): Total[] {
  return totalsOf(lines)
}

function amountsOf(prices: Price[]): string {
  return prices.map(formatMoney).join(' and ')
}
