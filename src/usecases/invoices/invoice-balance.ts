import { Big } from 'big.js'
import type { Total } from '../../contract/operator/invoices.js'
import type { InvoiceRecord, InvoiceStatus, PaymentRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { totalsOfRecord } from '../../domain/invoices/credit-rounding.js'
import { disputedAmounts } from '../../domain/invoices/dispute.js'
import { takesPayments } from '../../domain/invoices/invoice-status.js'
import { grossOf, isSettled, outstanding, sumPrices } from '../../domain/invoices/invoice-totals.js'
import { jsonAmount } from '../../domain/invoices/money.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { findVersions } from '../../ledger/history.js'
import { findRecords } from '../../ledger/records.js'
import { findCreditNoteReferences, findCreditNotesAt } from '../../store/invoices.js'
import { findPaymentsOfInvoices, findPaymentsOfInvoicesAt } from '../../store/payments.js'

/** What is owed on an invoice, from its lines, payments and credit notes. */
export type InvoiceBalance = {
  totals: Total[]
  payments: PaymentRecord[]
  /** The credit notes of it, including drafts. */
  credit_notes: InvoiceRecord[]
  /** The gross amounts of its credit notes, without drafts. */
  credited: Price[]
  /** Refunds of its credit notes. */
  paid_back: PaymentRecord[]
  /** Totals minus credit notes minus payments, whatever the status is. */
  balance: Price[]
  /** What still has to be paid. */
  outstanding: Price[]
  /** The part in dispute, without what was credited of it. */
  disputed: Price[]
}

/** The balances of invoices, at present or at a revision. */
export async function findInvoiceBalances(
  db: Reader,
  account: AccountId,
  records: InvoiceRecord[],
  revision?: number,
): Promise<Map<string, InvoiceBalance>> {
  const credited = await findCredited(db, account, records, revision)
  const all = new Map([...records, ...credited.values()].map((record) => [record.reference, record]))
  const notes = await findCreditNotes(db, account, [...all.keys()], revision)
  const references = [...all.keys(), ...notes.map(({ reference }) => reference)]
  const payments =
    revision === undefined
      ? await findPaymentsOfInvoices(db, account, references)
      : await findPaymentsOfInvoicesAt(db, account, references, revision)
  const related = {
    notesOf: groupedBy(notes, ({ credited_invoice }) => credited_invoice),
    paymentsOf: groupedBy(payments, ({ reference }) => reference),
  }
  return new Map(
    records.map((record) => {
      const invoice = record.credited_invoice === undefined ? undefined : credited.get(record.credited_invoice)
      const balance = balanceOf(record, related)
      if (!invoice || record.draft) return [record.reference, balance]
      const left = leftToPayBack(balance, invoice, balanceOf(invoice, related))
      return [record.reference, { ...balance, outstanding: owedOf(record, left) }]
    }),
  )
}

export async function findInvoiceBalance(
  db: Reader,
  account: AccountId,
  record: InvoiceRecord,
): Promise<InvoiceBalance> {
  return (await findInvoiceBalances(db, account, [record])).get(record.reference) as InvoiceBalance
}

async function findCredited(
  db: Reader,
  account: AccountId,
  records: InvoiceRecord[],
  revision: number | undefined,
): Promise<Map<string, InvoiceRecord>> {
  const references = [...new Set(records.flatMap(({ credited_invoice }) => credited_invoice ?? []))]
  if (references.length === 0) return new Map()
  const versions = await findVersions(db, account, 'invoice', references, revision)
  return new Map([...versions].map(([reference, { record }]) => [reference, JSON.parse(record) as InvoiceRecord]))
}

async function findCreditNotes(
  db: Reader,
  account: AccountId,
  invoices: string[],
  revision: number | undefined,
): Promise<InvoiceRecord[]> {
  const records =
    revision === undefined
      ? await findCreditNoteRecords(db, account, invoices)
      : await findCreditNotesAt(db, account, invoices, revision)
  return records.map((record) => JSON.parse(record) as InvoiceRecord)
}

async function findCreditNoteRecords(db: Reader, account: AccountId, invoices: string[]): Promise<string[]> {
  const references = await findCreditNoteReferences(db, account, invoices)
  if (references.length === 0) return []
  const records = await findRecords(db, account, 'invoice', references)
  return references.flatMap((reference) => records.get(reference) ?? [])
}

type Related = {
  notesOf: Map<string | undefined, InvoiceRecord[]>
  paymentsOf: Map<string, PaymentRecord[]>
}

function balanceOf(record: InvoiceRecord, { notesOf, paymentsOf }: Related): InvoiceBalance {
  const { reference } = record
  const totals = totalsOfRecord(record)
  const payments = paymentsOf.get(reference) ?? []
  const credit_notes = notesOf.get(reference) ?? []
  const issued = credit_notes.filter((note) => !note.draft)
  const paid_back = issued.flatMap((note) => paymentsOf.get(note.reference) ?? [])
  // A refund of a credit note is a negative payment.
  const refunds = paid_back.map(({ amount, currency }) => ({ amount: -amount, currency }))
  const creditedTotals = issued.map(totalsOfRecord)
  const balance = outstanding(totals, creditedTotals, [...payments.map(appliedPart), ...refunds])
  const credited = sumPrices(creditedTotals.flat().map(grossOf))
  const disputed = disputedAmounts(record, credited)
  const left = owedOf(record, balance)
  return { totals, payments, credit_notes, credited, paid_back, balance, outstanding: left, disputed }
}

/** Whether all of it was credited. */
export function isCredited({ totals, credited }: InvoiceBalance): boolean {
  return credited.length > 0 && isSettled(totals, outstanding(totals, [], credited))
}

/** What of a payment counts for its invoice. */
export function appliedPart({ amount, unapplied = 0, refunds = [], currency }: PaymentRecord): Price {
  const elsewhere = refunds.reduce((sum, refund) => sum.plus(refund.amount), new Big(unapplied))
  return { amount: jsonAmount(new Big(amount).minus(elsewhere)), currency }
}

// Nothing is owed on an invoice that is written off, nor on one that was imported as paid without its payments.
function owedOf({ draft, status }: InvoiceRecord, left: Price[]): Price[] {
  if (draft) return []
  return status === 'paid' || status === 'write_off' ? left.map((price) => atMost(price, 0)) : left
}

/** A credit note is set off against its invoice: only what was paid beyond the rest of the invoice is refunded. */
function leftToPayBack({ balance }: InvoiceBalance, { status }: InvoiceRecord, invoice: InvoiceBalance): Price[] {
  // Some payments of this invoice are unknown, so the amount that was overpaid is unknown too.
  if (status === 'paid' && invoice.balance.some(({ amount }) => amount > 0)) return balance
  return balance.map((price) => {
    const left = invoice.balance.find(({ currency }) => currency === price.currency)?.amount ?? 0
    return atMost(price, Math.max(0, -left))
  })
}

function atMost({ amount, currency }: Price, limit: number): Price {
  return { amount: Math.min(amount, limit) + 0, currency }
}

/**
 * The status after payments and credit notes, if the status allows payments; a dispute ends once nothing is owed. A credit
 * note is settled once it was used: set off against its invoice, or refunded. One that names no invoice was used only if it
 * was refunded.
 */
export function settledStatus(
  status: InvoiceStatus,
  { type, credited_invoice }: Pick<InvoiceRecord, 'type' | 'credited_invoice'>,
  { totals, payments, outstanding: left }: InvoiceBalance,
): InvoiceStatus {
  const isDisputed = status === 'litigious'
  if (!takesPayments(status) && !isDisputed) return status
  const isUsed = type !== 'credit_note' || payments.length > 0 || credited_invoice !== undefined
  if (isSettled(totals, left) && isUsed) return 'paid'
  // Of a payment that was kept for other invoices, nothing counts for this one.
  const isPaidInPart = sumPrices(payments.map(appliedPart)).some(({ amount }) => amount !== 0)
  return isPaidInPart && !isDisputed ? 'partially_paid' : status
}
