import { type Static, type TSchema, Type } from 'typebox'
import { ExceptionRecord } from './operator/exceptions.js'
import { DocumentRecord } from './public/document.js'
import { InvoiceRecord, PaymentRecord } from './public/invoice.js'
import { OwnLocationRecord } from './public/location.js'
import { Message, UploadedFile } from './public/message.js'
import { DocumentProposal } from './public/proposal.js'
import { OrderCancellation, orderFields, PurchaseOrderCreate, Quantity, ShippedLine } from './public/purchase-order.js'
import { DateWithTime } from './public/shared-types.js'
import { ShipmentRecord } from './public/shipment.js'
import { TrackingEventRecord, TrackingPositionRecord, TrackingRecord } from './public/tracking.js'
import { closed, Identifier, oneOf, patterned } from './schema.js'

/** The lines of `waybill import`: one JSON object per line, in the shapes of the interface. */

export const Slug = patterned(
  '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  'must have 1 to 63 lower-case letters, digits and hyphens, and no hyphen at either end',
  { description: 'Short name of an account: lower-case letters, digits and inner hyphens, at most 63 characters.' },
)
export type Slug = Static<typeof Slug>

export const AccountData = closed(
  { name: Type.String({ minLength: 1, maxLength: 255 }) },
  { suspended: Type.Boolean({ description: 'Whether its keys are refused. Omitted: unchanged.' }) },
)
export type AccountData = Static<typeof AccountData>

export const AssignmentData = closed(
  { reference: Identifier, line: Identifier, svc_shipment_id: Identifier, assigned_quantity: Quantity },
  {
    shipped_order_lines: Type.Array(ShippedLine),
    over_shipment_reason: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Why more is assigned than the order and the tolerance of the account allow.',
    }),
  },
)
export type AssignmentData = Static<typeof AssignmentData>

/** As it was created, and its cancellation. */
const PurchaseOrderData = closed(
  { reference: PurchaseOrderCreate.properties.reference, product_lines: PurchaseOrderCreate.properties.product_lines },
  { ...orderFields, cancellation: OrderCancellation },
)

// Of records with a file, one of the two.
const content = {
  content_base64: Type.String({ description: 'The content of the document.' }),
  file: Type.String({ minLength: 1, description: 'Path of its content, relative to the import file.' }),
}

export const DocumentData = closed(DocumentRecord.properties, content)
export type DocumentData = Static<typeof DocumentData>

const { size, ...proposal } = DocumentProposal.properties
const author = Type.String({ minLength: 1, maxLength: 255, description: 'The author, as in the change log.' })
export const DocumentProposalData = closed(
  { ...proposal, proposed_by: author },
  { size, link_id: Type.String({ minLength: 1, maxLength: 255 }), ...content },
)

export const MessageData = closed(
  { ...Message.properties, files: Type.Array(UploadedFile) },
  {
    mail_hash: patterned(
      '^[\\w+/=-]{1,255}$',
      'must be a hash: up to 255 letters, digits and the characters + / = - _',
      {
        description: 'The hash of the mail that it was.',
      },
    ),
  },
)

const { file_id, name } = UploadedFile.properties
export const MessageFileData = closed(
  { file_id, name, author, uploaded_at: DateWithTime, message_id: Message.properties.message_id },
  { size, ...content },
)

// In the order in which they can be stored: kinds come after those they refer to.
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
  purchase_order: PurchaseOrderData,
  assignment: AssignmentData,
  document_proposal: DocumentProposalData,
  message: MessageData,
  message_file: MessageFileData,
  exception: ExceptionRecord,
} satisfies Record<string, TSchema>

export type ImportKind = keyof typeof importData
export const importKinds = Object.keys(importData) as ImportKind[]

export const ImportEnvelope = closed(
  { kind: oneOf(importKinds), account: Slug, data: Type.Unknown() },
  // Written by an export, so that records without a date keep their position in lists.
  { stored_at: DateWithTime },
)

export type ImportLine = {
  [Kind in ImportKind]: { kind: Kind; account: Slug; data: Static<(typeof importData)[Kind]>; stored_at?: DateWithTime }
}[ImportKind]
