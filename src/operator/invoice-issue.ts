import type { InvoiceRecord } from '../contract/invoice.js'
import { invalid, Refusal } from '../contract/refusals.js'
import { formatInvoiceNumber, type NumberSeries, seriesOf } from '../domain/invoice-number.js'
import { findInvoiceReference } from '../storage/invoices.js'
import { takeNumber } from '../storage/number-series.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import { findCreditedInvoice, refuseCreditExcess } from './invoice-credit.js'
import { checkedLines, getInvoiceRecord, presentInvoice, saveInvoice, settle } from './invoice-record.js'
import { findStanding, settledStatus } from './invoice-standing.js'

export const issueHandlers: OperatorHandlers<'issueInvoice'> = {
  async issueInvoice({ tx, account }, { params, body }) {
    const { draft, ...record } = await getInvoiceRecord(tx, account, params.reference)
    if (!draft) throw new Refusal('invoice_issued')
    const { sent_date = new Date().toISOString(), due_date = record.due_date, status = 'available' } = body
    const { type = 'invoice' } = record
    // One that was imported has not been looked at yet.
    const lines = await checkedLines(tx, account, contentOf(record), type)
    const issued: InvoiceRecord = { ...record, type, sent_date, due_date, lines }
    if (type === 'credit_note') await refuseUncreditable(tx, account, issued)
    issued.status = settledStatus(status, type, await findStanding(tx.sql, account, issued))
    // Nothing can be refused any more, and as little as can be is left to do: others wait for the next number.
    issued.number ??= await nextNumber(tx, account, seriesOf(type, sent_date))
    await saveInvoice(tx, account, issued, { what: 'updated' })
    if (issued.credited_invoice !== undefined) await settle(tx, account, issued.credited_invoice)
    return presentInvoice(tx, account, issued.reference)
  },
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

// What the account knows by this name already, from an import, is no gap: the next one follows it.
async function nextNumber(tx: Transaction, account: AccountId, series: NumberSeries): Promise<string> {
  const number = formatInvoiceNumber({ ...series, last: await takeNumber(tx.sql, series) })
  const taken = await findInvoiceReference(tx.sql, account, number)
  return taken === undefined ? number : nextNumber(tx, account, series)
}
