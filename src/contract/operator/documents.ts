import { type Static, Type } from 'typebox'
import { Document, DocumentRecord, DocumentType } from '../public/document.js'
import { SimpleDate } from '../public/shared-types.js'
import { Identifier, named } from '../schema.js'
import { Reason, versionOf } from './version.js'

/** Documents and their content. */

const type = Type.Union([Type.Null(), DocumentType])

const details = {
  svc_shipment_id: Identifier,
  type: DocumentType,
  uploaded_at: Object.assign({ ...SimpleDate }, { description: 'Default: today in UTC.' }),
}
const file = Type.String({ contentMediaType: 'application/octet-stream', description: 'The content, at most 100 MiB.' })

/** The fields of a form. The name is that of the file. */
export const DocumentUpload = named('DocumentUpload', {}, { id: DocumentRecord.properties.id, ...details })
export const DocumentUploadForm = named('DocumentUploadForm', { file }, DocumentUpload.properties)
export const DocumentContentForm = named('DocumentContentForm', { file }, { reason: Reason })
export const DocumentContent = named('DocumentContent', {}, { reason: Reason })

export const DocumentUpdate = named(
  'DocumentUpdate',
  {},
  {
    name: DocumentRecord.properties.name,
    type,
    svc_shipment_id: Type.Union([Type.Null(), Identifier]),
    reason: Reason,
  },
)

const StoredDocument = named('DocumentContentRecord', DocumentRecord.properties, {
  content_hash: Type.String({ description: 'SHA-256 of the content.' }),
})
export const DocumentVersion = versionOf('DocumentVersion', StoredDocument, Document)
export type DocumentVersion = Static<typeof DocumentVersion>
