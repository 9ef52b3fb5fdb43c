import { Type } from 'typebox'
import { SupplierFields } from '../public/proposal.js'
import { closed, Identifier, patterned } from '../schema.js'
import type { PortalOperation } from './operation.js'
import {
  CreatedSupplierLink,
  ShipmentChecklist,
  SupplierLink,
  SupplierLinkCreate,
  SupplierUpload,
} from './supplier-links.js'

/** Invited suppliers, and what shipments lack. */
export const supplierOperations = {
  findChecklists: {
    method: 'GET',
    path: '/portal/v1/documents/checklists',
    tag: 'Documents',
    access: 'read',
    summary: 'List the documents that shipments need, by their mode and stage',
    query: closed({
      shipments: patterned('^.{1,25600}$', 'must be at most 100 identifiers of shipments, as JSON', {
        description: 'At most 100 identifiers of shipments, as a JSON array.',
      }),
    }),
    success: { status: 200, body: Type.Array(ShipmentChecklist) },
    refusals: [],
  },
  listSupplierLinks: {
    method: 'GET',
    path: '/portal/v1/supplier-links',
    tag: 'Documents',
    access: 'read',
    summary: 'List the links for suppliers of a shipment, newest first',
    query: closed({ svc_shipment_id: Identifier }),
    success: { status: 200, body: Type.Array(SupplierLink) },
    refusals: [],
  },
  createSupplierLink: {
    method: 'POST',
    path: '/portal/v1/supplier-links',
    tag: 'Documents',
    access: 'write',
    summary: 'Invite a supplier: creates a link by which documents of one shipment can be proposed',
    body: SupplierLinkCreate,
    success: { status: 201, body: CreatedSupplierLink },
    refusals: ['too_many_supplier_links'],
  },
  revokeSupplierLink: {
    method: 'DELETE',
    path: '/portal/v1/supplier-links/{link_id}',
    tag: 'Documents',
    access: 'write',
    summary: 'Revoke a link for a supplier: it stops working immediately',
    params: closed({ link_id: Identifier }),
    success: { status: 200, body: SupplierLink },
    refusals: ['supplier_link_not_found'],
  },
  getSupplierUpload: {
    method: 'GET',
    path: '/portal/v1/supplier-upload',
    tag: 'Documents',
    access: 'anyone',
    byLink: 'supplier',
    summary: 'Get what a supplier sees who has a link',
    success: { status: 200, body: SupplierUpload },
    refusals: [],
  },
  uploadAsSupplier: {
    method: 'POST',
    path: '/portal/v1/supplier-upload',
    tag: 'Documents',
    access: 'anyone',
    byLink: 'supplier',
    summary: 'Propose a document by a link for a supplier',
    accepts: 'file',
    body: SupplierFields,
    success: { status: 201, body: SupplierUpload },
    refusals: ['file_not_accepted', 'too_many_proposals', 'quota_exceeded'],
  },
} as const satisfies Record<string, PortalOperation>
