import type { Example } from '../openapi.js'
import type { documentSuggestionOperations } from './document-suggestions.js'
import type { proposalOperations } from './proposal-operations.js'

const account = 'nordlicht'
const svc_shipment_id = 'SHP-MYXAAF'
const shipment = { account, svc_shipment_id }
const proposal = { account, id: '5d1f0a3c-7f0e-4a64-8a53-0b6c1d2e3f51' }

/** Examples of the operations on suggested, proposed and required documents. */
export const proposalExamples = {
  suggestDocument: {
    query: { name: 'Packing list TGHU7599330.txt' },
    body: 'Packing list\nContainer TGHU 759933-0\n',
  },
  listDocumentProposals: { query: { state: 'proposed', account } },
  findNeededDocuments: { query: { account, days: 14 } },
  getProposalContent: { params: proposal },
  acceptProposal: { params: proposal, body: { type: 'commercial_invoice' } },
  returnProposal: {
    params: { account, id: '5d1f0a3c-7f0e-4a64-8a53-0b6c1d2e3f52' },
    body: { reason: 'The second page is missing' },
  },
  createSupplierLink: {
    params: { account },
    body: { svc_shipment_id, supplier: 'Ningbo Lantern Works', language: 'en', days: 30 },
  },
  listSupplierLinks: { params: { account }, query: { svc_shipment_id } },
  revokeSupplierLink: { params: { account, link_id: 'sup_5f0c9a7e31d2b846' } },
  getChecklist: { params: shipment },
  waiveDocument: { params: shipment, body: { type: 'arrival_notice', reason: 'The carrier sends none on this route' } },
  requireDocument: { params: { ...shipment, type: 'arrival_notice' } },
} satisfies Record<keyof typeof proposalOperations | keyof typeof documentSuggestionOperations, Example>
