import { hash } from 'node:crypto'
import { Big } from 'big.js'
import type { PaymentMatch } from '../../contract/operator/billing.js'
import type { Invoice, InvoiceRecord } from '../../contract/public/invoice.js'
import type { Currency } from '../../contract/public/shared-types.js'
import { invalid } from '../../contract/refusals.js'
import { type AccountId, type AccountScope, includesAccount } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type BankRow, numbersIn, readBankRow } from '../../domain/invoices/bank-list.js'
import { payable } from '../../domain/invoices/dispute.js'
import { totalsOf } from '../../domain/invoices/invoice-totals.js'
import { jsonAmount } from '../../domain/invoices/money.js'
import { plainNumber } from '../../domain/invoices/payment-reference.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { mapInSlices, takeTurns } from '../../jobs/in-slices.js'
import { findRecords } from '../../ledger/records.js'
import { getAccountRow } from '../../store/accounts.js'
import {
  findInvoiceBodies,
  invoiceKey,
  listOpenInvoices,
  type OpenInvoice,
} from '../../store/invoices-of-all-accounts.js'
import { bankPrefix, findBankPayments } from '../../store/payments.js'
import { findInvoiceBalances } from '../invoices/invoice-balance.js'
import type { OperatorHandler } from '../operator-context.js'

const mostRows = 500
const mostOpen = 20_000
const mostCandidates = 10

// Bodies are parsed in batches, so that few are held at a time.
const batchLength = 100

type Candidate = PaymentMatch['candidates'][number] & { account_id: AccountId }
type Matched = Pick<PaymentMatch, 'outcome' | 'candidates'>
/** What earlier rows of the list take of invoices. */
type Taken = Map<string, Big>

/** What each row of a bank list pays. Nothing is recorded: the payments are recorded one by one, each by its `payment_id`. */
export const matchPayments: OperatorHandler<'matchPayments'> = async (
  { db, operator },
  { body: { text, currency = 'EUR' } },
) => {
  const lines = text.split(/\r?\n/).entries()
  const read = await mapInSlices(lines, ([index, line]) => readBankRow(line, index + 1, currency))
  const incoming = read.filter((row) => row !== undefined)
  if (incoming.length === 0)
    throw invalid([{ pointer: '/text', detail: 'has no row with a date and an incoming amount' }])
  if (incoming.length > mostRows) throw invalid([{ pointer: '/text', detail: `has more than ${mostRows} rows` }])
  const rows = identified(incoming)
  const recorded = await findRecorded(db, operator.accounts, rows)
  const open = await listOpenInvoices(db, operator.accounts, mostOpen)
  const byNumber = groupedBy(open, ({ number, reference }) => plainNumber(number ?? reference))
  const taken: Taken = new Map()
  const matched = new Map<string, Matched>()
  const others = takeTurns()
  for (const row of rows) {
    await others()
    const found = recorded.get(row.payment_id) ?? (await matchByNumber(db, row, byNumber, taken))
    if (found) matched.set(row.payment_id, found)
  }
  // After all that name their invoice: an amount is only a guess.
  const unmatched = rows.filter(({ payment_id }) => !matched.has(payment_id))
  const byAmount = await groupByAmount(db, unmatched.length === 0 ? [] : open)
  for (const row of unmatched) matched.set(row.payment_id, await matchByAmount(db, row, byAmount, taken))
  return rows.map((row) => presentMatch(row, matched.get(row.payment_id) as Matched))
}

type Row = BankRow & { payment_id: string }

/** The same row has the same identifier when it is pasted again; a second one like it on the list has another. */
function identified(rows: BankRow[]): Row[] {
  const repeated = new Map<string, number>()
  return rows.map((row) => {
    const { text } = row
    const count = (repeated.get(text) ?? 0) + 1
    repeated.set(text, count)
    const payment_id = `${bankPrefix}${hash('sha256', count === 1 ? text : `${text} ${count}`).slice(0, 20)}`
    return { ...row, payment_id }
  })
}

function presentMatch({ paid_on, amount, currency, payment_id, ...shown }: Row, matched: Matched): PaymentMatch {
  if (amount === undefined || paid_on === undefined) return { ...shown, ...matched }
  return { ...shown, payment_id, paid_on, amount, currency, ...matched }
}

/** Rows that were recorded before, on any account: an invoice that was paid is not open any more. */
async function findRecorded(db: Reader, scope: AccountScope, rows: Row[]): Promise<Map<string, Matched>> {
  const payments = await findBankPayments(
    db,
    rows.map(({ payment_id }) => payment_id),
  )
  const recorded = new Map<string, Matched>()
  for (const row of rows) {
    const payment = payments.find(({ payment_id }) => payment_id === row.payment_id)
    if (!payment) continue
    const { account_id, reference } = payment
    const candidates = includesAccount(scope, account_id)
      ? await candidatesOf(db, [{ account_id, reference }], row)
      : []
    recorded.set(row.payment_id, { outcome: 'recorded', candidates: candidates.map(publicPart) })
  }
  return recorded
}

/** Open invoices by what they amount to, with tax, in each currency. */
async function groupByAmount(db: Reader, open: OpenInvoice[]): Promise<Map<string, OpenInvoice[]>> {
  const byAmount = new Map<string, OpenInvoice[]>()
  const add = (invoice: OpenInvoice, { lines = [] }: Invoice) => {
    for (const { currency, gross } of totalsOf(lines)) {
      const key = amountKey(currency, gross)
      byAmount.set(key, [...(byAmount.get(key) ?? []), invoice].slice(0, mostCandidates))
    }
  }
  for (let start = 0; start < open.length; start += batchLength) {
    const batch = open.slice(start, start + batchLength)
    const bodies = await findInvoiceBodies(db, batch)
    await mapInSlices(batch, (invoice) => {
      const body = bodies.get(invoiceKey(invoice))
      if (body !== undefined) add(invoice, JSON.parse(body) as Invoice)
    })
  }
  return byAmount
}

function amountKey(currency: Currency, amount: number): string {
  return `${currency} ${amount}`
}

/** Undefined if the row names no open invoice. */
async function matchByNumber(
  db: Reader,
  row: Row,
  byNumber: Map<string, OpenInvoice[]>,
  taken: Taken,
): Promise<Matched | undefined> {
  const { amount, paid_on, text } = row
  if (amount === undefined || paid_on === undefined) return { outcome: 'unreadable', candidates: [] }
  const numbered = [...new Set(numbersIn(text).flatMap((number) => byNumber.get(number) ?? []))]
  const found = (await candidatesOf(db, numbered.slice(0, mostCandidates), row)).map((candidate) =>
    without(taken, candidate),
  )
  const [only] = found
  if (!only) return undefined
  const candidates = found.map(publicPart)
  if (found.length > 1) return { outcome: 'ambiguous', candidates }
  const left = only.outstanding.amount
  take(taken, only, Math.min(amount, left))
  return { outcome: amount === left ? 'exact' : amount < left ? 'partial' : 'excess', candidates }
}

async function matchByAmount(
  db: Reader,
  row: Row,
  byAmount: Map<string, OpenInvoice[]>,
  taken: Taken,
): Promise<Matched> {
  const { amount, currency } = row
  const alike = amount === undefined ? [] : (byAmount.get(amountKey(currency, amount)) ?? [])
  const found = (await candidatesOf(db, alike, row)).filter(
    (candidate) => without(taken, candidate).outstanding.amount === amount,
  )
  const outcome = found.length === 0 ? 'unknown' : found.length === 1 ? 'by_amount' : 'ambiguous'
  return { outcome, candidates: found.map(publicPart) }
}

function keyOf({ account_id, reference, outstanding }: Candidate): string {
  return `${account_id} ${outstanding.currency} ${reference}`
}

function take(taken: Taken, candidate: Candidate, amount: number): void {
  const key = keyOf(candidate)
  taken.set(key, (taken.get(key) ?? new Big(0)).plus(amount))
}

function without(taken: Taken, candidate: Candidate): Candidate {
  const { outstanding } = candidate
  const amount = jsonAmount(new Big(outstanding.amount).minus(taken.get(keyOf(candidate)) ?? 0))
  return { ...candidate, outstanding: { ...outstanding, amount } }
}

async function candidatesOf(
  db: Reader,
  invoices: Pick<OpenInvoice, 'account_id' | 'reference'>[],
  { currency }: BankRow,
): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  for (const [account_id, ofAccount] of groupedBy(invoices, (invoice) => invoice.account_id)) {
    const references = ofAccount.map(({ reference }) => reference)
    const records = [...(await findRecords(db, account_id, 'invoice', references)).values()].map(
      (record) => JSON.parse(record) as InvoiceRecord,
    )
    const balances = await findInvoiceBalances(db, account_id, records)
    const { slug, name } = await getAccountRow(db, account_id)
    for (const record of records) {
      const balance = balances.get(record.reference)
      const outstanding = (balance ? payable(balance) : []).find((price) => price.currency === currency)
      if (!outstanding) continue
      const { reference, number } = record
      const named = number === undefined ? {} : { number }
      candidates.push({ account_id, account: slug, account_name: name, reference, ...named, outstanding })
    }
  }
  return candidates
}

function publicPart({ account_id: _account, ...candidate }: Candidate): PaymentMatch['candidates'][number] {
  return candidate
}
