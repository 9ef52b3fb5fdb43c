import type { ImportLine } from '../../contract/import-line.js'
import type { DocumentContentRecord } from '../../domain/documents/document.js'
import { ourNumbers } from '../../domain/invoices/invoice-number.js'
import { recordPurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { recordId } from '../../ledger/records.js'
import type { StagedLine } from '../../store/staging/import-staging.js'

type Staged = Omit<StagedLine, 'line'>

/** A valid line as it is staged: its record, and what it belongs to. */
export function stageLine(line: Exclude<ImportLine, { kind: 'document' }>): Staged {
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
      const ours = ourNumbers(number, reference)
      const names = ours.length > 0 ? ours : undefined
      return { ...staged, id: reference, shipment: svc_shipment_id, invoice: credited_invoice, names }
    }
    case 'payment':
      return { ...staged, id: line.data.payment_id, invoice: line.data.reference }
    case 'purchase_order':
      return { ...staged, id: line.data.reference, reference: line.data.reference }
    case 'assignment': {
      const { reference, svc_shipment_id } = line.data
      return { ...staged, id: recordId.assignment(line.data), reference, shipment: svc_shipment_id }
    }
  }
}

/** The same for a document whose content is stored already. */
export function stageDocument(
  { account, stored_at }: Pick<ImportLine, 'account' | 'stored_at'>,
  data: DocumentContentRecord,
): Staged {
  const { id, svc_shipment_id } = data
  return { kind: 'document', account, id, shipment: svc_shipment_id, stored_at, record: JSON.stringify(data) }
}
