import type { ImportLine } from '../../contract/import-line.js'
import { type DocumentContentRecord, renderDocument } from '../../domain/document.js'
import { renderInvoice } from '../../domain/invoice.js'
import { ourNumbers } from '../../domain/invoice-number.js'
import { renderLocation } from '../../domain/location.js'
import { recordPurchaseOrder } from '../../domain/purchase-order.js'
import { renderTracking } from '../../domain/tracking.js'
import { mainTrackingDates } from '../../domain/tracking-dates.js'
import { assignmentId } from '../../storage/assignments.js'
import type { StagedLine } from '../../storage/import-staging.js'
import { newestFirst } from '../../storage/list-order.js'
import { entryChangeId } from '../../storage/tracking-entries.js'

type Staged = Omit<StagedLine, 'line'>

/**
 * A good line as it is set down: what it belongs to, its record, and all that follows from it alone. What an order or
 * a shipment shows of others is found when those are known.
 */
export function stageLine(line: Exclude<ImportLine, { kind: 'document' }>): Staged {
  const { kind, account, stored_at } = line
  const record = JSON.stringify(line.kind === 'purchase_order' ? recordPurchaseOrder(line.data) : line.data)
  switch (line.kind) {
    case 'account':
      return { kind, account, id: account, record }
    case 'location': {
      const { retired = false, ...location } = line.data
      const fields = { location_id: location.id, retired }
      return { kind, account, id: String(location.id), ...shown(record, fields, renderLocation(location)) }
    }
    case 'shipment': {
      const { svc_shipment_id, status } = line.data
      return { kind, account, id: svc_shipment_id, status, stored_at, record }
    }
    case 'tracking': {
      const id = line.data.svc_shipment_id
      // As far as it goes without the containers of the shipment, which may come later in the file.
      const rendered = shown(record, mainTrackingDates(line.data, []), renderTracking(line.data, []))
      return { kind, account, id, shipment: id, ...rendered }
    }
    case 'tracking_event':
      return stageEntry(line, line.data.event_id, record)
    case 'tracking_position':
      return stageEntry(line, line.data.position_id, record)
    case 'invoice': {
      const { reference, svc_shipment_id, credited_invoice, number, type, status, sent_date, draft = false } = line.data
      const places = { newest_first: newestFirst(sent_date), first_stored: newestFirst(stored_at) }
      const rendered = shown(record, { number, type, status, draft, ...places }, renderInvoice(line.data))
      const ours = ourNumbers(number, reference)
      const names = ours.length > 0 ? ours : undefined
      return { kind, account, id: reference, shipment: svc_shipment_id, invoice: credited_invoice, names, ...rendered }
    }
    case 'payment':
      return { kind, account, id: line.data.payment_id, invoice: line.data.reference, record }
    case 'purchase_order': {
      const { reference } = line.data
      return { kind, account, id: reference, reference, stored_at, record }
    }
    case 'assignment': {
      const { reference, svc_shipment_id, line: of, assigned_quantity, shipped_order_lines = [] } = line.data
      const fields = { line: of, assigned_quantity, shipped_order_lines: JSON.stringify(shipped_order_lines) }
      const id = assignmentId(line.data)
      return { kind, account, id, reference, shipment: svc_shipment_id, record, fields: JSON.stringify(fields) }
    }
  }
}

function stageEntry(
  { kind, account, data }: Extract<ImportLine, { kind: 'tracking_event' | 'tracking_position' }>,
  entry_id: string,
  record: string,
): Staged {
  const { svc_shipment_id, sequence } = data
  const id = entryChangeId({ svc_shipment_id, entry_id })
  return { kind, account, id, shipment: svc_shipment_id, record, fields: JSON.stringify({ entry_id, sequence }) }
}

/** The same for a document whose bytes have been taken in. */
export function stageDocument(
  { kind, account, stored_at }: Extract<ImportLine, { kind: 'document' }>,
  data: DocumentContentRecord,
): Staged {
  const { id, svc_shipment_id, type, name, content_hash, uploaded_at } = data
  const places = { newest_first: newestFirst(uploaded_at), first_stored: newestFirst(stored_at) }
  return {
    kind,
    account,
    id,
    shipment: svc_shipment_id,
    record: JSON.stringify(data),
    fields: JSON.stringify({ type, name, content_hash, ...places }),
    body: renderDocument(data),
  }
}

function shown(record: string, fields: object, body: object): Pick<Staged, 'record' | 'fields' | 'body'> {
  const text = JSON.stringify(body)
  return { record, fields: JSON.stringify(fields), body: text === record ? undefined : text }
}
