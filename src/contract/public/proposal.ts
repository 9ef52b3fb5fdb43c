import { type Static, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { Document, DocumentRecord, DocumentType } from './document.js'
import { DateWithTime } from './shared-types.js'

/** Documents that the account or its suppliers propose. The forwarder accepts them as documents, or returns them. */

export const proposalStates = ['proposed', 'accepted', 'returned'] as const
export type ProposalState = (typeof proposalStates)[number]

const note = Type.String({ minLength: 1, maxLength: 1000, description: 'A note for the forwarder.' })

export const DocumentProposal = named(
  'DocumentProposal',
  {
    id: DocumentRecord.properties.id,
    name: Document.properties.name,
    type: Document.properties.type,
    size: Document.properties.size,
    state: oneOf(proposalStates),
    proposed_at: DateWithTime,
    origin: oneOf(['account', 'supplier'], { description: 'Who proposed it: the account, or a supplier by a link.' }),
  },
  {
    svc_shipment_id: Identifier,
    supplier: Type.String({ description: 'The name of the supplier, as the link has it.' }),
    note,
    reason: Type.String({ description: 'Why it was returned.' }),
    decided_at: DateWithTime,
    document_id: Object.assign({ ...DocumentRecord.properties.id }, { description: 'The document that it became.' }),
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
  { id: DocumentRecord.properties.id, svc_shipment_id: Identifier, type: DocumentType, note },
)
export type ProposalFields = Static<typeof ProposalFields>

const file = Type.String({ contentMediaType: 'application/octet-stream', description: 'The content, at most 25 MiB.' })
export const ProposalForm = named('ProposalForm', { file }, ProposalFields.properties)

/** The fields of the form of a supplier: the link names the shipment. */
export const SupplierFields = closed({}, { type: DocumentType, note })
export const SupplierForm = named('SupplierForm', { file }, SupplierFields.properties)
