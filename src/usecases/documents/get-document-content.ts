import type { DocumentContentRecord } from '../../domain/documents/document.js'
import { mediaTypeOf } from '../../domain/documents/media-type.js'
import { getVersion } from '../history/versions.js'
import type { OperatorHandler } from '../operator-context.js'
import { openContent } from './document-content.js'

export const getDocumentContent: OperatorHandler<'getDocumentContent'> = async (
  { db, account, files },
  { params: { id }, query: { as_of } },
) => {
  const { version } = await getVersion(db, account, 'document', id.toLowerCase(), {
    asOf: as_of,
    missing: 'document_not_found',
  })
  const { name, content_hash } = JSON.parse(version.record) as DocumentContentRecord
  return async () => {
    const { size, stream } = await openContent(files, content_hash)
    return { name, mediaType: mediaTypeOf(name), size, content: stream }
  }
}
