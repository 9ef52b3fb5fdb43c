import { type Static, Type } from 'typebox'
import { described, explained, named } from '../schema.js'
import { DocumentRecord } from './document.js'
import { ShipmentId } from './shared-types.js'

/** The documents that a shipment needs. */

export const requiredDocumentTypes = [
  'dangerous_goods_declaration',
  'commercial_invoice',
  'packing_list',
  'bill_of_lading',
  'air_waybill',
  'arrival_notice',
  'proof_of_delivery',
] as const
export type RequiredDocumentType = (typeof requiredDocumentTypes)[number]
export const RequiredDocumentType = explained(requiredDocumentTypes, 'Which document is needed.', {
  dangerous_goods_declaration: "The shipper's declaration of dangerous goods.",
  commercial_invoice: "The seller's invoice for the goods.",
  packing_list: 'What is packed in which package.',
  bill_of_lading: 'A bill of lading, of the carrier or the forwarder.',
  air_waybill: 'An air waybill, of the airline or the forwarder.',
  arrival_notice: "The carrier's notice that the goods arrive.",
  proof_of_delivery: 'That the consignee has received the goods.',
})

export const RequiredDocument = named(
  'RequiredDocument',
  {
    type: RequiredDocumentType,
    is_required: Type.Boolean({ description: 'Whether it has to be there now.' }),
    present: Type.Boolean({ description: 'Whether a document of the kind is stored with the shipment.' }),
    waived: Type.Boolean({ description: 'The forwarder has decided to do without it.' }),
  },
  {
    required_since: Type.String({
      format: 'date-time',
      description:
        'In the future if it is required later, or counts from a date that is only expected; absent while that date is unknown.',
    }),
    document_id: described(DocumentRecord.properties.id, 'The document that meets it. Absent while there is none.'),
  },
)
export type RequiredDocument = Static<typeof RequiredDocument>

export const Checklist = named('Checklist', {
  svc_shipment_id: ShipmentId,
  documents: Type.Array(RequiredDocument, { description: 'Those that the mode and the stage of the shipment need.' }),
})
export type Checklist = Static<typeof Checklist>
