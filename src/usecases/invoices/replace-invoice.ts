import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { findVersions } from '../../ledger/history.js'
import { Transaction } from '../../ledger/transaction.js'
import { findBilling } from '../../store/billing.js'
import type { OperatorHandler } from '../operator-context.js'
import { refuseReopening, withinInvoice } from './credit-notes.js'
import { checkedLines, getInvoiceRecord, presentInvoice, saveInvoice, settleInvoice } from './invoice-record.js'

/** Replaces the content of a draft, or of an invoice in modification. */
export const replaceInvoice: OperatorHandler<'replaceInvoice'> = async ({ tx, account }, { params, query, body }) => {
  const record = await getInvoiceRecord(tx, account, params.reference)
  await refuseOtherRevision(tx, account, record.reference, query.revision)
  if (!record.draft && record.status !== 'in_modification') throw new Refusal('invoice_issued')
  if (!record.draft) await refuseEditing(tx, account)
  const isNote = record.type === 'credit_note'
  const { due_date, usd_to_eur_rate, quoted } = body
  // A credit note keeps the shipment of its invoice, unless the request names another.
  const svc_shipment_id = body.svc_shipment_id ?? (isNote ? record.svc_shipment_id : undefined)
  const lines = await checkedLines(tx, account, { ...body, credited_invoice: record.credited_invoice }, record.type)
  const given: InvoiceRecord = { ...record, svc_shipment_id, due_date, usd_to_eur_rate, lines, quoted }
  const revised = isNote ? await withinInvoice(tx, account, given) : given
  if (isNote && !record.draft) await refuseReopening(tx, account, record, revised)
  await saveInvoice(tx, account, revised)
  if (!record.draft && record.credited_invoice !== undefined) await settleInvoice(tx, account, record.credited_invoice)
  return presentInvoice(tx, account, record.reference)
}

/** Refuses content that is based on another revision. The lock of the account keeps others from changing it meanwhile. */
async function refuseOtherRevision(
  { sql }: Transaction,
  account: AccountId,
  reference: string,
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined) return
  const current = (await findVersions(sql, account, 'invoice', [reference])).get(reference)?.revision
  if (current !== expected) throw new Refusal('invoice_changed', `Its revision is ${current}.`)
}

/** By default, what is wrong on an issued invoice is credited, and issued again. */
async function refuseEditing({ sql }: Transaction, account: AccountId): Promise<void> {
  const { forwarder, account: own } = await findBilling(sql, account)
  if (!(own.credit_and_reissue_only ?? forwarder.credit_and_reissue_only ?? true)) return
  throw new Refusal(
    'invoice_issued',
    'An issued invoice is never edited: create a credit note and another invoice, or change the setting credit_and_reissue_only.',
  )
}
