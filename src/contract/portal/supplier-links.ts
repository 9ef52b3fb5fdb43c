import { type Static, Type } from 'typebox'
import { RequiredDocument, RequiredDocumentType } from '../public/checklist.js'
import { DocumentProposal } from '../public/proposal.js'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf, patterned } from '../schema.js'
import { Email, languages } from './people.js'

/** Links by which suppliers propose documents of one shipment, without an account. */

const supplier = patterned('\\S', 'must contain a letter or digit', {
  minLength: 1,
  maxLength: 200,
  description: 'The name of the supplier.',
})

/** What a shipment needs, under its name and route. */
export const ShipmentChecklist = named(
  'ShipmentChecklist',
  { svc_shipment_id: Identifier, documents: Type.Array(RequiredDocument) },
  { name: Type.String(), origin: Type.String(), destination: Type.String() },
)

export type ShipmentChecklist = Static<typeof ShipmentChecklist>

export const SupplierLinkCreate = named(
  'SupplierLinkCreate',
  { svc_shipment_id: Identifier, supplier },
  {
    email: Object.assign(
      { ...Email },
      { description: 'The link is mailed to this address, if the service has a mail server.' },
    ),
    language: oneOf(languages),
    days: Type.Integer({ minimum: 1, maximum: 90, default: 14, description: 'For how long it works.' }),
  },
)
export type SupplierLinkCreate = Static<typeof SupplierLinkCreate>

export const SupplierLink = named(
  'SupplierLink',
  {
    link_id: Identifier,
    svc_shipment_id: Identifier,
    supplier: Type.String(),
    created_at: DateWithTime,
    created_by: Type.String({ description: 'Who created it: `person:` or `operator:` and an identifier.' }),
    expires_at: DateWithTime,
    uploads: Type.Integer({ minimum: 0, description: 'How many documents came by it.' }),
  },
  {
    email: Type.String(),
    created_by_name: Type.String(),
    revoked_at: DateWithTime,
    last_opened_at: DateWithTime,
  },
)
export type SupplierLink = Static<typeof SupplierLink>

export const CreatedSupplierLink = named('CreatedSupplierLink', {
  link: SupplierLink,
  url: Type.String({ format: 'uri', description: 'The address for the supplier. It is shown only now.' }),
  mailed: Type.Boolean({ description: 'Whether a mail server has taken the mail to the supplier.' }),
})

/** What a supplier sees: nothing but the shipment's name and route, and what they sent. */
export const SupplierUpload = named(
  'SupplierUpload',
  {
    forwarder: Type.String(),
    supplier: Type.String(),
    expires_at: DateWithTime,
    wanted: Type.Array(RequiredDocumentType, { description: 'What the shipment lacks.' }),
    uploads: Type.Array(
      closed(
        {
          id: DocumentProposal.properties.id,
          name: DocumentProposal.properties.name,
          type: DocumentProposal.properties.type,
          state: DocumentProposal.properties.state,
          proposed_at: DateWithTime,
        },
        { reason: Type.String() },
      ),
    ),
  },
  { shipment_name: Type.String(), origin: Type.String(), destination: Type.String() },
)
export type SupplierUpload = Static<typeof SupplierUpload>
