import { Type } from 'typebox'
import { skip, take } from '../operation.js'
import { DocumentType } from '../public/document.js'
import { asOf } from '../public/shared-types.js'
import { closed, Identifier } from '../schema.js'
import { DocumentContent, DocumentUpdate, DocumentUpload, DocumentVersion } from './documents.js'
import type { OperatorOperation } from './operation.js'
import { Removed } from './shipments.js'
import { accountParam, inAccount, Reason } from './version.js'

const document = closed({ ...accountParam, id: Identifier })

/** Documents and their content. */
export const documentOperations = {
  listDocuments: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/documents',
    tag: 'Documents',
    right: 'read',
    summary: 'List documents of an account or of one shipment, newest first',
    params: inAccount,
    query: closed(
      {},
      { svc_shipment_id: Identifier, type: DocumentType, skip, take: take(100, { default: 20 }), ...asOf },
    ),
    success: { status: 200, body: Type.Array(DocumentVersion) },
    refusals: [],
  },
  uploadDocument: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/documents',
    tag: 'Documents',
    right: 'operate',
    summary: 'Upload a document: a form with one `file` of at most 100 MiB, and fields, in any order',
    params: inAccount,
    accepts: 'form',
    body: DocumentUpload,
    success: { status: 201, body: DocumentVersion, location: '/ops/v1/accounts/{account}/documents/{id}' },
    refusals: ['file_not_accepted', 'document_exists'],
  },
  getDocument: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/documents/{id}',
    tag: 'Documents',
    right: 'read',
    summary: 'Get a document; its link leads to the current content',
    params: document,
    query: closed({}, asOf),
    success: { status: 200, body: DocumentVersion },
    refusals: ['document_not_found', 'version_not_found'],
  },
  getDocumentContent: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/documents/{id}/content',
    tag: 'Documents',
    right: 'read',
    summary: 'Download a document, also as of an earlier time',
    params: document,
    query: closed({}, asOf),
    returns: 'file',
    success: {
      status: 200,
      body: Type.Unsafe<Uint8Array>({ type: 'string', description: 'The content, with its own media type.' }),
    },
    refusals: ['document_not_found', 'version_not_found'],
  },
  updateDocument: {
    method: 'PATCH',
    path: '/ops/v1/accounts/{account}/documents/{id}',
    tag: 'Documents',
    right: 'operate',
    summary: 'Change the name, type or shipment of a document; the extension must match its content',
    params: document,
    body: DocumentUpdate,
    success: { status: 200, body: DocumentVersion },
    refusals: ['document_not_found', 'file_not_accepted'],
  },
  replaceDocument: {
    method: 'PUT',
    path: '/ops/v1/accounts/{account}/documents/{id}/content',
    tag: 'Documents',
    right: 'operate',
    summary: 'Replace the content of a document: a form with one `file`, which also gives the name',
    params: document,
    accepts: 'form',
    body: DocumentContent,
    success: { status: 200, body: DocumentVersion },
    refusals: ['document_not_found', 'file_not_accepted'],
  },
  withdrawDocument: {
    method: 'DELETE',
    path: '/ops/v1/accounts/{account}/documents/{id}',
    tag: 'Documents',
    right: 'operate',
    summary: 'Withdraw a document: the account no longer sees it, its history is kept',
    params: document,
    query: closed({}, { reason: Reason }),
    success: { status: 200, body: Removed },
    refusals: ['document_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
