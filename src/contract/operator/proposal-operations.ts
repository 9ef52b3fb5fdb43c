import { Type } from 'typebox'
import { take } from '../operation.js'
import { CreatedSupplierLink, SupplierLink, SupplierLinkCreate } from '../portal/supplier-links.js'
import { Checklist } from '../public/checklist.js'
import { proposalStates } from '../public/proposal.js'
import { closed, Identifier, oneOf } from '../schema.js'
import type { OperatorOperation } from './operation.js'
import {
  DocumentWaiver,
  inProposal,
  NeededDocumentSearch,
  NeededDocuments,
  OperatorProposal,
  OperatorProposals,
  ProposalAcceptance,
  ProposalReturn,
} from './proposals.js'
import { inAccount } from './version.js'
import { handledFilter } from './work-filter.js'

const shipment = closed({ account: Identifier, svc_shipment_id: Identifier })

/** Documents that customers and suppliers propose, and documents that are required. */
export const proposalOperations = {
  listDocumentProposals: {
    method: 'GET',
    path: '/ops/v1/documentProposals',
    covers: 'own_accounts',
    tag: 'Documents',
    right: 'read',
    summary: 'List proposed documents of all accounts, newest first',
    query: closed(
      {},
      {
        state: oneOf(proposalStates),
        account: Identifier,
        svc_shipment_id: Identifier,
        ...handledFilter,
        after: Type.String({ maxLength: 200, description: 'Cursor: `next` of the previous page.' }),
        take: take(200, { default: 50 }),
      },
    ),
    success: { status: 200, body: OperatorProposals },
    refusals: ['account_not_found'],
  },
  findNeededDocuments: {
    method: 'GET',
    path: '/ops/v1/requiredDocuments',
    covers: 'own_accounts',
    tag: 'Documents',
    right: 'read',
    summary: 'List documents that shipments of all accounts will need within some days and do not have yet',
    query: NeededDocumentSearch,
    // It waits until the changes of the accounts are indexed.
    isFeed: true,
    success: { status: 200, body: NeededDocuments },
    refusals: ['account_not_found'],
  },
  getProposalContent: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/documentProposals/{id}/content',
    tag: 'Documents',
    right: 'read',
    summary: 'Download a proposed document',
    params: inProposal,
    returns: 'file',
    success: {
      status: 200,
      body: Type.Unsafe<Uint8Array>({ type: 'string', description: 'The content, with its own media type.' }),
    },
    refusals: ['proposal_not_found'],
  },
  acceptProposal: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/documentProposals/{id}/acceptance',
    tag: 'Documents',
    right: 'operate',
    summary: 'Accept a proposed document: it becomes a document, with corrected details where given',
    params: inProposal,
    body: ProposalAcceptance,
    success: { status: 200, body: OperatorProposal },
    refusals: ['proposal_not_found', 'proposal_decided'],
  },
  returnProposal: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/documentProposals/{id}/return',
    tag: 'Documents',
    right: 'operate',
    summary: 'Return a proposed document, with a reason that its sender sees',
    params: inProposal,
    body: ProposalReturn,
    success: { status: 200, body: OperatorProposal },
    refusals: ['proposal_not_found', 'proposal_decided'],
  },
  listSupplierLinks: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/supplierLinks',
    tag: 'Documents',
    right: 'read',
    summary: 'List the links for suppliers of a shipment, newest first',
    params: inAccount,
    query: closed({ svc_shipment_id: Identifier }),
    success: { status: 200, body: Type.Array(SupplierLink) },
    refusals: [],
  },
  createSupplierLink: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/supplierLinks',
    tag: 'Documents',
    right: 'operate',
    summary: 'Invite a supplier: creates a link by which documents of one shipment can be proposed',
    params: inAccount,
    body: SupplierLinkCreate,
    recordsAudit: true,
    containsSecret: true,
    success: { status: 201, body: CreatedSupplierLink },
    refusals: ['too_many_supplier_links'],
  },
  revokeSupplierLink: {
    method: 'DELETE',
    path: '/ops/v1/accounts/{account}/supplierLinks/{link_id}',
    tag: 'Documents',
    right: 'operate',
    summary: 'Revoke a link for a supplier: it stops working immediately',
    params: closed({ account: Identifier, link_id: Identifier }),
    recordsAudit: true,
    success: { status: 200, body: SupplierLink },
    refusals: ['supplier_link_not_found'],
  },
  getChecklist: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/checklist',
    tag: 'Documents',
    right: 'read',
    summary: 'List the documents that a shipment needs, by its mode and stage',
    params: shipment,
    success: { status: 200, body: Checklist },
    refusals: ['shipment_not_found'],
  },
  waiveDocument: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/checklist/waivers',
    tag: 'Documents',
    right: 'operate',
    summary: 'Do without a document that a shipment needs, with a reason',
    params: shipment,
    body: DocumentWaiver,
    success: { status: 200, body: Checklist },
    refusals: ['shipment_not_found'],
  },
  requireDocument: {
    method: 'DELETE',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/checklist/waivers/{type}',
    tag: 'Documents',
    right: 'operate',
    summary: 'Require a document again that was waived',
    params: closed({ account: Identifier, svc_shipment_id: Identifier, type: Identifier }),
    success: { status: 200, body: Checklist },
    refusals: ['shipment_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
