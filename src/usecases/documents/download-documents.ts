import { invalid, Refusal } from '../../contract/refusals.js'
import type { DocumentFiles } from '../../documents/document-files.js'
import { plainFileName } from '../../domain/documents/file-name.js'
import { type DocumentFileRow, findDocumentFiles } from '../../store/documents.js'
import type { PortalHandler } from '../portal-context.js'
import { type PackedFile, pathsOf, zipOf } from './document-zip.js'

/** Several documents as one ZIP file. */
export const downloadDocuments: PortalHandler<'downloadDocuments'> = async ({ db, account, files }, { query }) => {
  const ids = idsOf(query.ids)
  const documents = await findDocumentFiles(db, account, ids)
  if (documents.length < ids.length) {
    const found = new Set(documents.map(({ id }) => id))
    const missing = ids.find((id) => !found.has(id))
    throw new Refusal('document_not_found', `The account has no document ${missing}, or it was withdrawn.`)
  }
  const content = zipOf(files, await withSizes(files, documents))
  return { name: zipNameOf(documents), mediaType: 'application/zip', content }
}

function idsOf(text: string): string[] {
  const ids = text.toLowerCase().split(',')
  const wrong = ids.find((id) => !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))
  if (wrong !== undefined)
    throw invalid([{ pointer: '/ids', detail: `must be identifiers of documents; ${wrong} is not` }])
  return [...new Set(ids)]
}

const concurrency = 10

/** Checks that all files exist before the response begins. */
async function withSizes(files: DocumentFiles, documents: DocumentFileRow[]): Promise<PackedFile[]> {
  const paths = pathsOf(documents)
  const packed: PackedFile[] = []
  for (let start = 0; start < documents.length; start += concurrency) {
    const batch = documents.slice(start, start + concurrency).map(async ({ id, content_hash }, index) => {
      const size = await files.sizeOf(content_hash)
      if (size === undefined) throw new Error(`the content of document ${id} is missing`)
      return { path: paths[start + index] as string, hash: content_hash, size }
    })
    packed.push(...(await Promise.all(batch)))
  }
  return packed
}

function zipNameOf(documents: DocumentFileRow[]): string {
  const shipments = new Set(documents.map(({ svc_shipment_id }) => svc_shipment_id))
  const [shipment] = shipments
  return shipments.size === 1 && shipment ? `${plainFileName(shipment)}.zip` : 'documents.zip'
}
