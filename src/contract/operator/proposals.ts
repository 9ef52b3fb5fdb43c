import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { RequiredDocument, RequiredDocumentType } from '../public/checklist.js'
import { DocumentRecord, DocumentType } from '../public/document.js'
import { DocumentProposal } from '../public/proposal.js'
import { closed, Identifier, named } from '../schema.js'
import { Reason } from './version.js'
import { handledFilter } from './work-filter.js'

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

export const NeededDocumentSearch = closed(
  {},
  {
    account: Identifier,
    svc_shipment_id: Identifier,
    days: Type.Integer({ minimum: 1, maximum: 60, default: 7, description: 'Within how many days they are needed.' }),
    ...handledFilter,
    after: Type.String({ maxLength: 5000, description: 'Cursor: `next` of the previous page.' }),
    take: take(100, { default: 50 }),
  },
)
export type NeededDocumentSearch = Static<typeof NeededDocumentSearch>

const ShipmentNeedingDocuments = named(
  'ShipmentNeedingDocuments',
  {
    account: Identifier,
    account_name: Type.String(),
    svc_shipment_id: Identifier,
    documents: Type.Array(RequiredDocument, { description: 'Those that are needed first come first.' }),
  },
  { name: Type.String({ description: 'By which people know the shipment.' }) },
)

export const NeededDocuments = named(
  'NeededDocuments',
  {
    shipments: Type.Array(ShipmentNeedingDocuments, {
      description: 'By the next day on which a document may be needed; a page may hold fewer than `take`.',
    }),
  },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)
export type NeededDocuments = Static<typeof NeededDocuments>

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
