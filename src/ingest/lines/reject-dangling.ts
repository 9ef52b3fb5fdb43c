import type { Fault } from '../../contract/refusals.js'
import {
  removeChangedMessages,
  removeWithoutFiles,
  removeWithoutInvoice,
  removeWithoutMessage,
  removeWithoutOrder,
  removeWithoutShipment,
  removeWithoutTracking,
} from '../../store/staging/staged-references.js'
import { type AccountImport, hasLinesOf } from './account-import.js'

const late = ['document_proposal', 'message', 'exception'] as const

/** Rejects lines that refer to a record that is neither stored nor in the file; every line, also those replaced later. */
export async function rejectDangling(work: AccountImport): Promise<void> {
  if (hasLinesOf(work, 'assignment', 'message')) {
    const lines = await removeWithoutOrder(work.tx.sql, work.slug, work.account)
    for (const { line, kind } of lines) {
      const pointer = kind === 'message' ? '/data/po_number' : '/data/reference'
      work.report.reject(line, [{ pointer, detail: 'the account has no such purchase order' }])
    }
  }
  if (
    hasLinesOf(work, 'assignment', 'tracking', 'tracking_event', 'tracking_position', 'invoice', 'document', ...late)
  ) {
    const lines = await removeWithoutShipment(work.tx.sql, work.slug, work.account)
    rejectAll(work, lines, { pointer: '/data/svc_shipment_id', detail: 'the account has no such shipment' })
  }
  if (hasLinesOf(work, 'tracking_event', 'tracking_position')) {
    const lines = await removeWithoutTracking(work.tx.sql, work.slug, work.account)
    rejectAll(work, lines, { pointer: '/data/svc_shipment_id', detail: 'the shipment has no tracking' })
  }
  if (hasLinesOf(work, 'invoice', 'payment')) await rejectWithoutInvoice(work)
  if (hasLinesOf(work, 'message', 'message_file')) await rejectMessages(work)
}

async function rejectMessages(work: AccountImport): Promise<void> {
  const { tx, slug, account } = work
  const changed = await removeChangedMessages(tx.sql, slug, account)
  rejectAll(work, changed, {
    pointer: '/data',
    detail: 'the message is stored with other values: messages are never changed',
  })
  const unsent = await removeWithoutMessage(tx.sql, slug, account)
  rejectAll(work, unsent, { pointer: '/data/message_id', detail: 'the account has no such message' })
  const missing = await removeWithoutFiles(tx.sql, slug, account)
  rejectAll(work, missing, { pointer: '/data/files', detail: 'a file has no line of the kind message_file' })
}

function rejectAll({ report }: AccountImport, lines: number[], fault: Fault): void {
  for (const line of lines) report.reject(line, [fault])
}

export async function rejectWithoutInvoice({ tx, account, slug, report }: AccountImport): Promise<void> {
  // Removing an invoice may leave a credit note without its invoice.
  for (let found = true; found; ) {
    const removed = await removeWithoutInvoice(tx.sql, slug, account)
    for (const { line, kind } of removed) {
      const field = kind === 'payment' ? 'reference' : 'credited_invoice'
      report.reject(line, [{ pointer: `/data/${field}`, detail: 'the account has no such invoice' }])
    }
    found = removed.length > 0
  }
}
