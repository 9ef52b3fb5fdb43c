import { type Static, type TSchema, Type } from 'typebox'
import { DocumentRecord } from './document.js'
import { InvoiceRecord, PaymentRecord } from './invoice.js'
import { OwnLocationRecord } from './location.js'
import { PurchaseOrderCreate, Quantity, ShippedLine } from './purchase-order.js'
import { closed, Identifier, oneOf } from './schema.js'
import { DateWithTime } from './shared-types.js'
import { ShipmentRecord } from './shipment.js'
import { TrackingEventRecord, TrackingPositionRecord, TrackingRecord } from './tracking.js'

/** The lines of `waybill import`: one JSON object a line, in the interface's own shapes. */

export const Slug = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  description: 'Short name of an account: lower-case letters, digits and inner hyphens, at most 63 characters.',
})
export type Slug = Static<typeof Slug>

export const AccountData = closed(
  { name: Type.String({ minLength: 1, maxLength: 255 }) },
  { suspended: Type.Boolean({ description: 'Whether its keys are refused. Not said: as it is.' }) },
)
export type AccountData = Static<typeof AccountData>

export const AssignmentData = closed(
  { reference: Identifier, line: Identifier, svc_shipment_id: Identifier, assigned_quantity: Quantity },
  { shipped_order_lines: Type.Array(ShippedLine) },
)
export type AssignmentData = Static<typeof AssignmentData>

export const DocumentData = closed(DocumentRecord.properties, {
  content_base64: Type.String({ description: 'The bytes of the document.' }),
  file: Type.String({ minLength: 1, description: 'Where its bytes are: a path relative to the import file.' }),
})
export type DocumentData = Static<typeof DocumentData>

// In the order in which they can be stored: what a kind refers to comes before it.
export const importData = {
  account: AccountData,
  location: OwnLocationRecord,
  shipment: ShipmentRecord,
  tracking: TrackingRecord,
  tracking_event: TrackingEventRecord,
  tracking_position: TrackingPositionRecord,
  invoice: InvoiceRecord,
  payment: PaymentRecord,
  document: DocumentData,
  purchase_order: PurchaseOrderCreate,
  assignment: AssignmentData,
} satisfies Record<string, TSchema>

export type ImportKind = keyof typeof importData
export const importKinds = Object.keys(importData) as ImportKind[]

export const ImportEnvelope = closed(
  { kind: oneOf(importKinds), account: Slug, data: Type.Unknown() },
  // An export tells it, so that what has no date of its own keeps its place in lists.
  { stored_at: DateWithTime },
)

export type ImportLine = {
  [Kind in ImportKind]: { kind: Kind; account: Slug; data: Static<(typeof importData)[Kind]>; stored_at?: DateWithTime }
}[ImportKind]
