import { type Static, Type } from 'typebox'
import { Identifier, named, oneOf } from '../schema.js'
import { DocumentRecord } from './document.js'

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
export const RequiredDocumentType = oneOf(requiredDocumentTypes)

export const RequiredDocument = named(
  'RequiredDocument',
  {
    type: RequiredDocumentType,
    is_required: Type.Boolean({ description: 'Whether it has to be there now.' }),
    present: Type.Boolean(),
    waived: Type.Boolean({ description: 'The forwarder has decided to do without it.' }),
  },
  {
    required_since: Type.String({
      format: 'date-time',
      description:
        'In the future if it is required later, or counts from a date that is only expected; absent while that date is unknown.',
    }),
    document_id: DocumentRecord.properties.id,
  },
)
export type RequiredDocument = Static<typeof RequiredDocument>

export const Checklist = named('Checklist', { svc_shipment_id: Identifier, documents: Type.Array(RequiredDocument) })
export type Checklist = Static<typeof Checklist>
