import type { InvoiceRecord, InvoiceStatus } from '../contract/invoice.js'
import { Refusal } from '../contract/refusals.js'
import { chosenMoves } from '../domain/invoice-status.js'
import { findRevisionAt, listVersionsAt } from '../storage/history.js'
import { findInvoiceReference, listInvoiceReferences, removeInvoice } from '../storage/invoices.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import { refuseCreditExcess, refuseReopening, refuseShortfall } from './invoice-credit.js'
import { allowedOf } from './invoice-payments.js'
import {
  checkedLines,
  findInvoiceVersions,
  freeReference,
  getInvoiceRecord,
  invoicesShown,
  presentInvoice,
  refuseReference,
  saveInvoice,
  settle,
} from './invoice-record.js'
import { findStanding, settledStatus } from './invoice-standing.js'
import { getVersion } from './versions.js'

export const invoiceHandlers: OperatorHandlers<
  'listInvoices' | 'draftInvoice' | 'getInvoice' | 'replaceInvoice' | 'discardDraft' | 'moveInvoice'
> = {
  async listInvoices({ db, account }, { query: { skip = 0, take = 20, as_of } }) {
    if (as_of !== undefined) {
      const revision = await findRevisionAt(db, account, as_of)
      const versions = await listVersionsAt(db, account, 'invoice', revision, { skip, take })
      return invoicesShown(db, account, versions, revision)
    }
    const references = await listInvoiceReferences(db, account, { skip, take })
    return invoicesShown(db, account, await findInvoiceVersions(db, account, references))
  },

  async draftInvoice({ tx, account }, { body }) {
    const { reference = await freeReference(tx, account, 'INV'), svc_shipment_id, due_date, usd_to_eur_rate } = body
    if (body.reference !== undefined) await refuseReference(tx, account, reference)
    const lines = await checkedLines(tx, account, body, 'invoice')
    await saveInvoice(
      tx,
      account,
      { reference, svc_shipment_id, type: 'invoice', status: 'new', due_date, lines, usd_to_eur_rate, draft: true },
      { what: 'created' },
    )
    return presentInvoice(tx, account, reference)
  },

  async getInvoice({ db, account }, { params, query: { as_of } }) {
    const reference = (await findInvoiceReference(db, account, params.reference)) ?? params.reference
    const { version, revision } = await getVersion(db, account, 'invoice', reference, {
      asOf: as_of,
      missing: 'invoice_not_found',
    })
    const [shown] = await invoicesShown(db, account, [version], revision)
    if (!shown) throw new Refusal('invoice_not_found')
    return shown
  },

  async replaceInvoice({ tx, account }, { params, body }) {
    const record = await getInvoiceRecord(tx, account, params.reference)
    if (!record.draft && record.status !== 'in_modification') throw new Refusal('invoice_issued')
    const isNote = record.type === 'credit_note'
    const { due_date, usd_to_eur_rate } = body
    // A credit note goes with its invoice, unless something else is said.
    const svc_shipment_id = body.svc_shipment_id ?? (isNote ? record.svc_shipment_id : undefined)
    const lines = await checkedLines(tx, account, body, record.type)
    const revised: InvoiceRecord = { ...record, svc_shipment_id, due_date, usd_to_eur_rate, lines }
    if (isNote) await refuseCreditExcess(tx, account, revised)
    if (isNote && !record.draft) await refuseReopening(tx, account, record, revised)
    await saveInvoice(tx, account, revised, { what: 'updated' })
    if (!record.draft && record.credited_invoice !== undefined) await settle(tx, account, record.credited_invoice)
    return presentInvoice(tx, account, record.reference)
  },

  async discardDraft({ tx, account }, { params, query: { reason } }) {
    const record = await getInvoiceRecord(tx, account, params.reference)
    if (!record.draft) throw new Refusal('invoice_issued')
    const { payments, credit_notes } = await findStanding(tx.sql, account, record)
    if (payments.length > 0 || credit_notes.length > 0) {
      // Only an import can bring such a draft.
      throw new Refusal('invoice_issued', 'It counts as issued: there are payments of it, or credit notes against it.')
    }
    await removeInvoice(tx, account, record.reference, reason)
    return { removed: record.reference }
  },

  async moveInvoice({ tx, account }, { params, body: { status, reason } }) {
    const record = await getInvoiceRecord(tx, account, params.reference)
    if (record.draft) throw new Refusal('invoice_is_draft')
    refuseMove(record.status, status)
    await move(tx, account, record, status, reason)
    return presentInvoice(tx, account, record.reference)
  },
}

function refuseMove(from: InvoiceStatus | undefined, to: InvoiceStatus): void {
  if (chosenMoves(from).includes(to)) return
  const why = to === 'paid' || to === 'partially_paid' ? ` ${to} follows from payments alone.` : ''
  const present = from === undefined ? '' : ` from ${from}`
  throw new Refusal('transition_not_allowed', `An invoice cannot go${present} to ${to}; ${allowedOf(from)}.${why}`)
}

/** One that comes back to those that are paid shows at once what has been paid of it. */
async function move(
  tx: Transaction,
  account: AccountId,
  record: InvoiceRecord,
  to: InvoiceStatus,
  reason: string | undefined,
): Promise<void> {
  const standing = await findStanding(tx.sql, account, record)
  if (record.status === 'in_modification') refuseShortfall(standing)
  const status = settledStatus(to, record.type, standing)
  await saveInvoice(tx, account, { ...record, status }, { what: 'updated', reason })
}
