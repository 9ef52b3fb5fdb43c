import type { ImportLine } from '../../contract/import-line.js'
import { formedNumbers } from '../../domain/invoices/invoice-number.js'
import { recordPurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { recordId } from '../../ledger/records.js'
import type { StagedLine } from '../../store/staging/import-staging.js'
import type { GivenDocument } from './given-document.js'

type Staged = Omit<StagedLine, 'line'>

/** A valid line as it is staged: its record, and what it belongs to. */
export function stageLine(line: Exclude<ImportLine, { kind: GivenDocument['kind'] }>): Staged {
  const { kind, account, stored_at } = line
  const record = JSON.stringify(line.kind === 'purchase_order' ? recordPurchaseOrder(line.data) : line.data)
  const staged = { kind, account, stored_at, record }
  switch (line.kind) {
    case 'account':
      return { ...staged, id: account }
    case 'location':
      return { ...staged, id: recordId.location(line.data) }
    case 'shipment':
      return { ...staged, id: line.data.svc_shipment_id }
    case 'tracking':
      return { ...staged, id: line.data.svc_shipment_id, shipment: line.data.svc_shipment_id }
    case 'tracking_event':
      return { ...staged, id: recordId.tracking_event(line.data), shipment: line.data.svc_shipment_id }
    case 'tracking_position':
      return { ...staged, id: recordId.tracking_position(line.data), shipment: line.data.svc_shipment_id }
    case 'invoice': {
      const { reference, svc_shipment_id, credited_invoice, number } = line.data
      const formed = formedNumbers(number, reference)
      const names = formed.length > 0 ? formed : undefined
      return { ...staged, id: reference, shipment: svc_shipment_id, invoice: credited_invoice, names }
    }
    case 'payment':
      return { ...staged, id: line.data.payment_id, invoice: line.data.reference }
    case 'purchase_order':
      return { ...staged, id: line.data.reference, reference: line.data.reference }
    case 'message': {
      const { message_id, svc_shipment_id, po_number } = line.data
      return { ...staged, id: message_id, shipment: svc_shipment_id, reference: po_number }
    }
    case 'exception':
      return { ...staged, id: line.data.exception_id, shipment: line.data.svc_shipment_id }
    case 'assignment': {
      const { reference, svc_shipment_id } = line.data
      return { ...staged, id: recordId.assignment(line.data), reference, shipment: svc_shipment_id }
    }
  }
}

/** The same for a record with a file, whose content is stored already. */
export function stageDocument(
  { kind, account, stored_at, data }: GivenDocument,
  content: { size: number; content_hash: string },
): Staged {
  const record = JSON.stringify({ ...data, ...content })
  const [id, shipment] = kind === 'message_file' ? [data.file_id, undefined] : [data.id, data.svc_shipment_id]
  return { kind, account, id, shipment, stored_at, record }
}
