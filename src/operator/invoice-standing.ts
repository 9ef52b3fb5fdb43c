import type { InvoiceRecord, InvoiceStatus, PaymentRecord } from '../contract/invoice.js'
import type { Total } from '../contract/ops/invoices.js'
import type { Price } from '../contract/shared-types.js'
import { groupedBy } from '../domain/grouping.js'
import { takesPayments } from '../domain/invoice-status.js'
import { isSettled, outstanding, totalsOf } from '../domain/invoice-totals.js'
import type { Reader } from '../storage/database.js'
import { findVersions } from '../storage/history.js'
import { findCreditNoteReferences, findCreditNotesAt } from '../storage/invoices.js'
import { findPaymentsOfInvoices, findPaymentsOfInvoicesAt } from '../storage/payments.js'
import { findRecords } from '../storage/records.js'
import type { AccountId } from '../storage/transaction.js'

/** What follows from an invoice and from what was said against it. */
export type Standing = {
  totals: Total[]
  payments: PaymentRecord[]
  /** The credit notes against it, drafts too. */
  credit_notes: InvoiceRecord[]
  /** What was paid back of them. */
  paid_back: PaymentRecord[]
  /** Totals minus credit notes minus payments, whatever the status says. */
  balance: Price[]
  /** What somebody still has to pay. */
  outstanding: Price[]
}

/** At present, or at a revision. */
export async function findStandings(
  db: Reader,
  account: AccountId,
  records: InvoiceRecord[],
  revision?: number,
): Promise<Map<string, Standing>> {
  const credited = await findCredited(db, account, records, revision)
  const all = new Map([...records, ...credited.values()].map((record) => [record.reference, record]))
  const notes = await findCreditNotes(db, account, [...all.keys()], revision)
  const references = [...all.keys(), ...notes.map(({ reference }) => reference)]
  const payments =
    revision === undefined
      ? await findPaymentsOfInvoices(db, account, references)
      : await findPaymentsOfInvoicesAt(db, account, references, revision)
  const around = {
    notesOf: groupedBy(notes, ({ credited_invoice }) => credited_invoice),
    paymentsOf: groupedBy(payments, ({ reference }) => reference),
  }
  return new Map(
    records.map((record) => {
      const invoice = record.credited_invoice === undefined ? undefined : credited.get(record.credited_invoice)
      const standing = standingOf(record, around)
      if (!invoice || record.draft) return [record.reference, standing]
      const left = leftToPayBack(standing, invoice, standingOf(invoice, around))
      return [record.reference, { ...standing, outstanding: owedOf(record, left) }]
    }),
  )
}

export async function findStanding(db: Reader, account: AccountId, record: InvoiceRecord): Promise<Standing> {
  return (await findStandings(db, account, [record])).get(record.reference) as Standing
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

type Around = {
  notesOf: Map<string | undefined, InvoiceRecord[]>
  paymentsOf: Map<string, PaymentRecord[]>
}

function standingOf(record: InvoiceRecord, { notesOf, paymentsOf }: Around): Standing {
  const { reference, lines = [] } = record
  const totals = totalsOf(lines)
  const payments = paymentsOf.get(reference) ?? []
  const credit_notes = notesOf.get(reference) ?? []
  const issued = credit_notes.filter((note) => !note.draft)
  const paid_back = issued.flatMap((note) => paymentsOf.get(note.reference) ?? [])
  // What was paid back of a credit note was not kept of what was paid.
  const returned = paid_back.map(({ amount, currency }) => ({ amount: -amount, currency }))
  const balance = outstanding(
    totals,
    issued.map((note) => totalsOf(note.lines ?? [])),
    [...payments, ...returned],
  )
  return { totals, payments, credit_notes, paid_back, balance, outstanding: owedOf(record, balance) }
}

// Nothing more is asked for what was written off. Of one that came in as paid nobody has told the payments: nothing is
// owed all the same.
function owedOf({ draft, status }: InvoiceRecord, left: Price[]): Price[] {
  if (draft) return []
  return status === 'paid' || status === 'write_off' ? left.map((price) => atMost(price, 0)) : left
}

/** A credit note is set off against its invoice: only what was paid beyond the rest of it is left to pay back. */
function leftToPayBack({ balance }: Standing, { status }: InvoiceRecord, invoice: Standing): Price[] {
  // Not all payments of this invoice are known here: nobody can tell how much of it was paid too much.
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
 * What payments and credit notes make of a status that payments may follow. Nobody owes anything on a credit note
 * that was set off: it is paid when something was paid back, and nothing is left.
 */
export function settledStatus(
  status: InvoiceStatus,
  type: InvoiceRecord['type'],
  { totals, payments, outstanding: left }: Standing,
): InvoiceStatus {
  if (!takesPayments(status)) return status
  if (isSettled(totals, left) && (type !== 'credit_note' || payments.length > 0)) return 'paid'
  return payments.length > 0 ? 'partially_paid' : status
}
