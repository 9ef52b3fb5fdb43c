import { Type } from 'typebox'
import { skip, take } from '../operation.js'
import { closed, described } from '../schema.js'
import { Document, DocumentType } from './document.js'
import { DocumentProposal, ProposalFields, ProposalState } from './proposal.js'
import { ShipmentId } from './shared-types.js'

/** Documents, and those that the account proposes. */
export const documentOperations = {
  listDocuments: {
    method: 'GET',
    path: '/v1/documents',
    kind: 'document',
    list: true,
    summary: 'List documents of the account or of one shipment, newest first',
    query: closed(
      {},
      {
        svc_shipment_id: described(ShipmentId, 'Only those of this shipment.'),
        type: described(DocumentType, 'Only those of this kind.'),
        skip,
        take: take(100),
      },
    ),
    success: { status: 200, body: Type.Array(Document) },
    refusals: [],
  },
  proposeDocument: {
    method: 'POST',
    path: '/v1/documentProposals',
    kind: 'document',
    accepts: 'form',
    summary: 'Propose a document to the forwarder: an extension of the interface',
    body: ProposalFields,
    success: { status: 201, body: DocumentProposal },
    refusals: ['file_not_accepted', 'proposal_exists', 'too_many_proposals'],
  },
  listDocumentProposals: {
    method: 'GET',
    path: '/v1/documentProposals',
    kind: 'document',
    list: true,
    summary: 'List proposed documents and what became of them, newest first: an extension of the interface',
    query: closed(
      {},
      {
        svc_shipment_id: described(ShipmentId, 'Only those of this shipment.'),
        state: described(ProposalState, 'Only those with this outcome.'),
        skip,
        take: take(100, { default: 20 }),
      },
    ),
    success: { status: 200, body: Type.Array(DocumentProposal) },
    refusals: [],
  },
} as const
