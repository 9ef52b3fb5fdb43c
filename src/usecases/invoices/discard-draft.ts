import { Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../operator-context.js'
import { findInvoiceBalance } from './invoice-balance.js'
import { getInvoiceRecord } from './invoice-record.js'

export const discardDraft: OperatorHandler<'discardDraft'> = async ({ tx, account }, { params, query: { reason } }) => {
  const record = await getInvoiceRecord(tx, account, params.reference)
  if (!record.draft) throw new Refusal('invoice_issued')
  const { payments, credit_notes } = await findInvoiceBalance(tx.sql, account, record)
  if (payments.length > 0 || credit_notes.length > 0) {
    // Only an import can create such a draft.
    throw new Refusal('invoice_issued', 'The draft counts as issued: it has payments or credit notes.')
  }
  tx.remove('invoice', record, reason)
  return { removed: record.reference }
}
