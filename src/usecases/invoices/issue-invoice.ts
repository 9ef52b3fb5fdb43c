import { businessTime } from '../../clock/clock.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { formatInvoiceNumber, type NumberSeries, seriesOf } from '../../domain/invoices/invoice-number.js'
import { Transaction } from '../../ledger/transaction.js'
import { findInvoiceReference } from '../../store/invoices.js'
import { takeNumber } from '../../store/number-series.js'
import type { OperatorHandler } from '../operator-context.js'
import { findCreditedInvoice, refuseCreditExcess } from './credit-notes.js'
import { findInvoiceBalance, settledStatus } from './invoice-balance.js'
import { checkedLines, getInvoiceRecord, presentInvoice, saveInvoice, settle } from './invoice-record.js'

/** Issues a draft: gives it a number, a date and a status that customers see. */
export const issueInvoice: OperatorHandler<'issueInvoice'> = async ({ tx, account }, { params, body }) => {
  const { draft, ...record } = await getInvoiceRecord(tx, account, params.reference)
  if (!draft) throw new Refusal('invoice_issued')
  const { sent_date = new Date(businessTime()).toISOString(), due_date = record.due_date, status = 'available' } = body
  const { type = 'invoice' } = record
  // The lines of an imported draft have not been validated yet.
  const lines = await checkedLines(tx, account, contentOf(record), type)
  const issued: InvoiceRecord = { ...record, type, sent_date, due_date, lines }
  if (type === 'credit_note') await refuseUncreditable(tx, account, issued)
  issued.status = settledStatus(status, type, await findInvoiceBalance(tx.sql, account, issued))
  // The number series is locked from here to the commit, for all accounts: everything that can be refused comes before.
  issued.number ??= await nextNumber(tx, account, seriesOf(type, sent_date))
  await saveInvoice(tx, account, issued)
  if (issued.credited_invoice !== undefined) await settle(tx, account, issued.credited_invoice)
  return presentInvoice(tx, account, issued.reference)
}

function contentOf({ lines = [], svc_shipment_id, usd_to_eur_rate }: InvoiceRecord) {
  if (lines.length === 0) throw invalid([{ pointer: '/lines', detail: 'must have at least 1 entry' }])
  return { lines, svc_shipment_id, usd_to_eur_rate }
}

async function refuseUncreditable(tx: Transaction, account: AccountId, note: InvoiceRecord): Promise<void> {
  const invoice = await findCreditedInvoice(tx, account, note)
  if (invoice?.draft) throw new Refusal('invoice_is_draft', 'The invoice that it credits is still a draft.')
  await refuseCreditExcess(tx, account, note)
}

// A number that an imported invoice of the account has already is skipped: that leaves no gap.
async function nextNumber(tx: Transaction, account: AccountId, series: NumberSeries): Promise<string> {
  const number = formatInvoiceNumber({ ...series, last: await takeNumber(tx.sql, series) })
  const taken = await findInvoiceReference(tx.sql, account, number)
  return taken === undefined ? number : nextNumber(tx, account, series)
}
