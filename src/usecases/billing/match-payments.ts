import { hash } from 'node:crypto'
import type { PaymentMatch } from '../../contract/operator/billing.js'
import type { Invoice, InvoiceRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type BankRow, numbersIn, readBankList } from '../../domain/invoices/bank-list.js'
import { payable } from '../../domain/invoices/dispute.js'
import { totalsOf } from '../../domain/invoices/invoice-totals.js'
import { plainNumber } from '../../domain/invoices/payment-reference.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { findRecords } from '../../ledger/records.js'
import { getAccountRow } from '../../store/accounts.js'
import { listOpenNumbers } from '../../store/invoices-of-all-accounts.js'
import { findPayment } from '../../store/payments.js'
import { findInvoiceBalances } from '../invoices/invoice-balance.js'
import type { OperatorHandler } from '../operator-context.js'

const mostRows = 500
const mostOpen = 20_000

type Open = { account_id: AccountId; reference: string; number: string | null; grosses: Price[] }
type Candidate = PaymentMatch['candidates'][number] & { account_id: AccountId }

/** What each row of a bank list pays. Nothing is recorded: the payments are recorded one by one, each by its `payment_id`. */
export const matchPayments: OperatorHandler<'matchPayments'> = async (
  { sql },
  { body: { text, currency = 'EUR' } },
) => {
  const rows = readBankList(text, currency)
  if (rows.length === 0) throw invalid([{ pointer: '/text', detail: 'has no row with a date and an amount' }])
  if (rows.length > mostRows) throw invalid([{ pointer: '/text', detail: `has more than ${mostRows} rows` }])
  const open = (await listOpenNumbers(sql, undefined, mostOpen)).map(({ body, ...row }) => ({
    ...row,
    grosses: totalsOf((JSON.parse(body) as Invoice).lines ?? []).map(({ currency: in_, gross }) => ({
      amount: gross,
      currency: in_,
    })),
  }))
  const byNumber = groupedBy(open, ({ number, reference }) => plainNumber(number ?? reference))
  const repeated = new Map<string, number>()
  const matches: PaymentMatch[] = []
  for (const row of rows) matches.push(await matchRow(sql, row, { open, byNumber }, identify(row, repeated)))
  return matches
}

/** The same row has the same identifier when it is pasted again; a second one like it on the list has another. */
function identify({ text }: BankRow, repeated: Map<string, number>): string {
  const count = (repeated.get(text) ?? 0) + 1
  repeated.set(text, count)
  return `BANK-${hash('sha256', count === 1 ? text : `${text} ${count}`).slice(0, 20)}`
}

type Known = { open: Open[]; byNumber: Map<string, Open[]> }

async function matchRow(
  db: Reader,
  row: BankRow,
  { open, byNumber }: Known,
  payment_id: string,
): Promise<PaymentMatch> {
  const { paid_on, amount, currency, ...shown } = row
  if (amount === undefined || paid_on === undefined) return { ...shown, outcome: 'unreadable', candidates: [] }
  const read = { ...shown, payment_id, paid_on, amount, currency }
  const numbered = [...new Set(numbersIn(row.text).flatMap((number) => byNumber.get(number) ?? []))]
  const found = await candidatesOf(db, numbered.slice(0, 10), row)
  if (await isRecorded(db, found, payment_id))
    return { ...read, outcome: 'recorded', candidates: found.map(publicPart) }
  const [only] = found
  if (only && found.length === 1) {
    const left = only.outstanding.amount
    const outcome = amount === left ? 'exact' : amount < left ? 'partial' : 'excess'
    return { ...read, outcome, candidates: [publicPart(only)] }
  }
  if (found.length > 1) return { ...read, outcome: 'ambiguous', candidates: found.map(publicPart) }
  const alike = open.filter(({ grosses }) =>
    grosses.some((price) => price.currency === currency && price.amount === amount),
  )
  const byAmount = (await candidatesOf(db, alike.slice(0, 10), row)).filter(
    ({ outstanding }) => outstanding.amount === amount,
  )
  if (await isRecorded(db, byAmount, payment_id)) return { ...read, outcome: 'recorded', candidates: [] }
  const outcome = byAmount.length === 0 ? 'unknown' : byAmount.length === 1 ? 'by_amount' : 'ambiguous'
  return { ...read, outcome, candidates: byAmount.map(publicPart) }
}

async function candidatesOf(db: Reader, open: Open[], { currency }: BankRow): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  for (const [account_id, invoices] of groupedBy(open, (invoice) => invoice.account_id)) {
    const references = invoices.map(({ reference }) => reference)
    const records = [...(await findRecords(db, account_id, 'invoice', references)).values()].map(
      (record) => JSON.parse(record) as InvoiceRecord,
    )
    const balances = await findInvoiceBalances(db, account_id, records)
    const { slug, name } = await getAccountRow(db, account_id)
    for (const record of records) {
      const owed = payable(record, balances.get(record.reference)?.outstanding ?? [])
      const outstanding = owed.find((price) => price.currency === currency)
      if (!outstanding) continue
      const { reference, number } = record
      const named = number === undefined ? {} : { number }
      candidates.push({ account_id, account: slug, account_name: name, reference, ...named, outstanding })
    }
  }
  return candidates
}

async function isRecorded(db: Reader, candidates: Candidate[], payment_id: string): Promise<boolean> {
  for (const { account_id } of candidates) if (await findPayment(db, account_id, payment_id)) return true
  return false
}

function publicPart({ account_id: _account, ...candidate }: Candidate): PaymentMatch['candidates'][number] {
  return candidate
}
