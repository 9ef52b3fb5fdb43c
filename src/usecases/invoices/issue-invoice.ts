import { businessTime } from '../../clock/clock.js'
import type { BillingSettings, InvoiceBilling, InvoiceCheck } from '../../contract/billing.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { hour, localDate, utcDate } from '../../domain/dates/local-time.js'
import { formatInvoiceNumber, type NumberSeries, seriesOf } from '../../domain/invoices/invoice-number.js'
import { creditorReference } from '../../domain/invoices/payment-reference.js'
import { dueDateOf } from '../../domain/invoices/payment-terms.js'
import { Transaction } from '../../ledger/transaction.js'
import { findBilling } from '../../store/billing.js'
import { findInvoiceReference } from '../../store/invoices.js'
import { lockSeries, takeNumber } from '../../store/number-series.js'
import { billingAtIssue } from '../billing/billing-at-issue.js'
import { runChecks } from '../billing/invoice-checks.js'
import type { OperatorHandler } from '../operator-context.js'
import { findCreditedInvoice, withinInvoice } from './credit-notes.js'
import { findInvoiceBalance, settledStatus } from './invoice-balance.js'
import { checkedLines, getInvoiceRecord, presentInvoice, saveInvoice, settleInvoice } from './invoice-record.js'

/** Issues a draft: gives it a number, a date and a status that customers see. */
export const issueInvoice: OperatorHandler<'issueInvoice'> = async ({ tx, account, accountRow }, { params, body }) => {
  const { draft, ...record } = await getInvoiceRecord(tx, account, params.reference)
  if (!draft) throw new Refusal('invoice_issued')
  const { sent_date = new Date(businessTime()).toISOString(), status = 'available' } = body
  const { type = 'invoice' } = record
  const { forwarder, account: own } = await findBilling(tx.sql, account)
  const date = dateIn(forwarder, sent_date)
  const terms = own.terms ?? forwarder.terms
  const byTerms = terms && type === 'invoice' ? dueDateOf(terms, date) : undefined
  const due_date = body.due_date ?? record.due_date ?? byTerms
  // The lines of an imported draft have not been validated yet.
  const lines = await checkedLines(tx, account, contentOf(record), type)
  const dated: InvoiceRecord = { ...record, type, sent_date, due_date, lines }
  const issued = type === 'credit_note' ? await creditable(tx, account, dated) : dated
  issued.checks = (await checked(tx, account, issued, accountRow.name)).filter(
    ({ outcome }) => outcome !== 'not_applicable',
  )
  const billing: InvoiceBilling = billingAtIssue(forwarder, own, { name: accountRow.name, lines, terms })
  // A credit note is settled once its invoice counts it.
  const balance = await findInvoiceBalance(tx.sql, account, issued)
  issued.status = type === 'credit_note' ? status : settledStatus(status, issued, balance)
  const series = seriesOf(type, date, forwarder.number_prefixes)
  if (issued.number === undefined) refuseFuture(forwarder, date)
  // The number series is locked from here to the commit, for all accounts: everything else that can be refused comes before.
  if (issued.number === undefined) await refuseBackwards(tx, series, date)
  issued.number ??= await nextNumber(tx, account, series, date)
  const payment_reference = type === 'invoice' ? creditorReference(issued.number) : undefined
  issued.billing = { ...billing, ...(payment_reference !== undefined && { payment_reference }) }
  await saveInvoice(tx, account, issued)
  if (issued.credited_invoice !== undefined) {
    await settleInvoice(tx, account, issued.credited_invoice)
    await settleInvoice(tx, account, issued.reference)
  }
  return presentInvoice(tx, account, issued.reference)
}

/** The day in the forwarder's time zone; without one, as it is written. */
function dateIn({ time_zone }: BillingSettings, sent_date: string): string {
  return time_zone === undefined ? sent_date.slice(0, 10) : localDate(Date.parse(sent_date), time_zone)
}

async function checked(
  tx: Transaction,
  account: AccountId,
  issued: InvoiceRecord,
  accountName: string,
): Promise<InvoiceCheck[]> {
  const checks = await runChecks(tx.sql, account, issued, accountName)
  const blocked = checks.filter(({ outcome }) => outcome === 'blocked').flatMap(({ findings }) => findings)
  if (blocked.length === 0) return checks
  const messages = blocked.map(({ line, message }) => (line === undefined ? message : `Line ${line + 1}: ${message}`))
  throw new Refusal('invoice_blocked', messages.slice(0, 10).join(' '))
}

function contentOf({ lines = [], svc_shipment_id, usd_to_eur_rate, credited_invoice }: InvoiceRecord) {
  if (lines.length === 0) throw invalid([{ pointer: '/lines', detail: 'must have at least 1 entry' }])
  return { lines, svc_shipment_id, usd_to_eur_rate, credited_invoice }
}

async function creditable(tx: Transaction, account: AccountId, note: InvoiceRecord): Promise<InvoiceRecord> {
  const invoice = await findCreditedInvoice(tx, account, note)
  if (invoice?.draft) throw new Refusal('invoice_is_draft', 'The invoice that it credits is still a draft.')
  return withinInvoice(tx, account, note)
}

// Somewhere it is tomorrow already: without a time zone, a date as it is written there is not in the future.
const furthestAhead = 14 * hour

function refuseFuture({ time_zone }: BillingSettings, date: string): void {
  const now = businessTime()
  const today = time_zone === undefined ? utcDate(now + furthestAhead) : localDate(now, time_zone)
  if (date > today) throw new Refusal('invoice_date_not_allowed', `The date ${date} is in the future.`)
}

async function refuseBackwards({ sql }: Transaction, series: NumberSeries, date: string): Promise<void> {
  const last = await lockSeries(sql, series)
  if (last === undefined || date >= last) return
  throw new Refusal(
    'invoice_date_not_allowed',
    `The last number of the series ${series.series}-${series.year} has the date ${last}; ${date} is before it.`,
  )
}

// A number that an imported invoice of the account has already is skipped: that leaves no gap.
async function nextNumber(tx: Transaction, account: AccountId, series: NumberSeries, date: string): Promise<string> {
  const number = formatInvoiceNumber({ ...series, last: await takeNumber(tx.sql, series, date) })
  const taken = await findInvoiceReference(tx.sql, account, number)
  return taken === undefined ? number : nextNumber(tx, account, series, date)
}
