import { type Static, Type } from 'typebox'
import { closed, described, explained, named } from '../schema.js'
import { Document, DocumentRecord, DocumentType } from './document.js'
import { ShipmentId, timeOf } from './shared-types.js'

/** Documents that the account or its suppliers propose. The forwarder accepts them as documents, or returns them. */

export const proposalStates = ['proposed', 'accepted', 'returned'] as const
export type ProposalState = (typeof proposalStates)[number]
export const ProposalState = explained(proposalStates, 'What became of it.', {
  proposed: 'The forwarder has not decided.',
  accepted: 'It has become a document.',
  returned: 'The forwarder does not accept it; `reason` says why.',
})

const note = Type.String({ minLength: 1, maxLength: 1000, description: 'A note for the forwarder.' })

export const DocumentProposal = named(
  'DocumentProposal',
  {
    id: described(DocumentRecord.properties.id, 'The identifier of the proposal, a UUID.'),
    name: Document.properties.name,
    type: Document.properties.type,
    size: Document.properties.size,
    state: ProposalState,
    proposed_at: timeOf('When it was received.'),
    origin: explained(['account', 'supplier'], 'Who proposed it.', {
      account: 'The account, by a key or in the portal.',
      supplier: 'A supplier, by a link that the account made.',
    }),
  },
  {
    svc_shipment_id: described(ShipmentId, 'The shipment that it is for. Absent if it is for none in particular.'),
    supplier: Type.String({ description: 'The name of the supplier, as the link has it.' }),
    note,
    reason: Type.String({ description: 'Why it was returned.' }),
    decided_at: timeOf('When the forwarder accepted or returned it. Absent until then.'),
    document_id: described(DocumentRecord.properties.id, 'The document that it became.'),
  },
)
export type DocumentProposal = Static<typeof DocumentProposal>

/** A proposal as it is stored. */
export type DocumentProposalRecord = DocumentProposal & {
  content_hash: string
  /** The author, as in the change log. */
  proposed_by: string
  link_id?: string
}

/** The fields of the form. The name is that of the file. */
export const ProposalFields = closed(
  {},
  {
    id: described(
      DocumentRecord.properties.id,
      'A UUID of your choice for the proposal; one that exists is refused. The service chooses one if it is omitted.',
    ),
    svc_shipment_id: described(ShipmentId, 'The shipment that it is for.'),
    type: DocumentType,
    note,
  },
)
export type ProposalFields = Static<typeof ProposalFields>

const file = Type.String({ contentMediaType: 'application/octet-stream', description: 'The content, at most 25 MiB.' })
export const ProposalForm = named('ProposalForm', { file }, ProposalFields.properties)

/** The fields of the form of a supplier: the link names the shipment. */
export const SupplierFields = closed({}, { type: DocumentType, note })
export const SupplierForm = named('SupplierForm', { file }, SupplierFields.properties)
