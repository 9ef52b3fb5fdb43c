import { type Static, Type } from 'typebox'
import { Document, DocumentRecord, DocumentType } from '../document.js'
import { Identifier, named } from '../schema.js'
import { SimpleDate } from '../shared-types.js'
import { Reason, versionOf } from './version.js'

/** Documents: what is said of them, and their bytes. */

const type = Type.Union([Type.Null(), DocumentType])

const details = {
  svc_shipment_id: Identifier,
  type: DocumentType,
  uploaded_at: Object.assign({ ...SimpleDate }, { description: 'Today in UTC, when it is not given.' }),
}
const file = Type.String({ contentMediaType: 'application/octet-stream', description: 'The bytes, 100 MiB at most.' })

/** The fields of a form; the file names itself. */
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

const KeptDocument = named('DocumentContentRecord', DocumentRecord.properties, {
  content_hash: Type.String({ description: 'SHA-256 of the bytes.' }),
})
export const DocumentVersion = versionOf('DocumentVersion', KeptDocument, Document)
export type DocumentVersion = Static<typeof DocumentVersion>
