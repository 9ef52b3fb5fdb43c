import { type Static, Type } from 'typebox'
import { Identifier, named, oneOf } from '../schema.js'
import { documentTypes } from './document-types.js'
import { SimpleDate } from './shared-types.js'

/** Interface 2.7. */

export type DocumentType = (typeof documentTypes)[number]
export const DocumentType = oneOf(documentTypes)

const id = Type.String({ format: 'uuid' })
const name = Type.String({ minLength: 1, maxLength: 255, description: 'File name.' })
const type = Type.Union([Type.Null(), DocumentType])

export const Document = named(
  'Document',
  {
    id,
    name,
    type,
    link: Type.String({
      format: 'uri',
      description: 'Download address. It needs no key and is valid for 15 to 30 minutes.',
    }),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  },
  { svc_shipment_id: Identifier, uploaded_at: SimpleDate },
)
export type Document = Static<typeof Document>

/** A document as it is stored, without its content. */
export const DocumentRecord = named(
  'DocumentRecord',
  { id, name },
  { type, svc_shipment_id: Identifier, uploaded_at: SimpleDate, size: Type.Integer({ minimum: 0 }) },
)
export type DocumentRecord = Static<typeof DocumentRecord>
