import { type Static, Type } from 'typebox'
import { described, explained, named } from '../schema.js'
import { documentTypes } from './document-types.js'
import { dayOf, ShipmentId } from './shared-types.js'

/** Interface 2.7. */

export type DocumentType = (typeof documentTypes)[number]
export const DocumentType = explained(documentTypes, 'What kind of document it is.', {
  packing_list: 'What is packed in which package.',
  commercial_invoice: "The seller's invoice for the goods.",
  master_bill_of_lading: "The ocean carrier's bill of lading.",
  house_bill_of_lading: "The forwarder's bill of lading.",
  master_airway_bill: "The airline's air waybill.",
  house_airway_bill: "The forwarder's air waybill.",
  proof_of_delivery: 'That the consignee has received the goods.',
  dangerous_goods_declaration: "The shipper's declaration of dangerous goods.",
  material_safety_data_sheet: 'Hazards of a substance, and how to handle it.',
  exa: 'Export declaration (EXA).',
  cmr: 'Consignment note of international road transport.',
  ima: 'Import declaration (IMA).',
  power_of_attorney_customs_declaration: 'Permits the forwarder to declare goods to customs.',
  power_of_attorney_eur1: 'Permits the forwarder to apply for a EUR.1.',
  eur1: 'EUR.1 movement certificate: proof of preferential origin.',
  entry_summary: 'Entry summary declaration, before goods enter a customs territory.',
  t1: 'Transit of goods that are not cleared.',
  cargo_manifest: 'List of all goods on a vessel, aircraft or truck.',
  cargo_screening: 'That air freight passed the security check.',
  lithium_certificate: 'Test summary of lithium batteries.',
  carta_de_plastico: 'Letter on plastics in goods and packaging (carta de plástico).',
  levante: 'Release by customs (levante).',
  ddi: 'Declaration of the arrival of goods (DDI).',
  dde: 'Declaration of the exit of goods (DDE).',
  pickup_form: 'Order to collect the goods.',
})

const id = Type.String({ format: 'uuid', description: 'The identifier of the document, a UUID.' })
const name = Type.String({ minLength: 1, maxLength: 255, description: 'File name.' })
const type = Type.Union([Type.Null(), DocumentType], {
  description: 'What kind of document it is; `null` if none of the kinds fits.',
})

export const Document = named(
  'Document',
  {
    id,
    name,
    type,
    link: Type.String({
      format: 'uri',
      description: 'Download address. It needs no key and is valid for 15 to 30 minutes.',
    }),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  },
  {
    svc_shipment_id: described(
      ShipmentId,
      'The shipment that it belongs to. Absent if it is of the account as a whole.',
    ),
    uploaded_at: dayOf('When it was stored; lists are sorted by it.'),
  },
)
export type Document = Static<typeof Document>

/** A document as it is stored, without its content. */
export const DocumentRecord = named(
  'DocumentRecord',
  { id, name },
  {
    type,
    svc_shipment_id: described(
      ShipmentId,
      'The shipment that it belongs to. Absent if it is of the account as a whole.',
    ),
    uploaded_at: dayOf('When it was stored.'),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  },
)
export type DocumentRecord = Static<typeof DocumentRecord>
