import { type Static, Type } from 'typebox'
import { RequiredDocumentType } from '../public/checklist.js'
import { DocumentRecord, DocumentType } from '../public/document.js'
import { DocumentProposal } from '../public/proposal.js'
import { closed, Identifier, named } from '../schema.js'
import { Reason } from './version.js'

/** Proposed documents as operators see them. */

export const OperatorProposal = named('OperatorProposal', {
  account: Identifier,
  account_name: Type.String(),
  proposed_by: Type.String({ description: 'The author: a person, a key, or a link of a supplier.' }),
  proposal: DocumentProposal,
})
export type OperatorProposal = Static<typeof OperatorProposal>

export const OperatorProposals = named(
  'OperatorProposals',
  { proposals: Type.Array(OperatorProposal) },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)

const optionalType = Type.Union([Type.Null(), DocumentType])

export const ProposalAcceptance = named(
  'ProposalAcceptance',
  {},
  {
    name: Object.assign(
      { ...DocumentRecord.properties.name },
      { description: 'A better file name, with the same extension.' },
    ),
    type: optionalType,
    svc_shipment_id: Type.Union([Type.Null(), Identifier]),
  },
)

export const ProposalReturn = named('ProposalReturn', { reason: Reason })

export const DocumentWaiver = named('DocumentWaiver', { type: RequiredDocumentType, reason: Reason })
export const inProposal = closed({ account: Identifier, id: Identifier })
