import { invalid, Refusal } from '../contract/refusals.js'
import { documentLink } from '../domain/document.js'
import { plainFileName } from '../domain/file-name.js'
import type { DocumentFiles } from '../storage/document-files.js'
import { type DocumentFileRow, findDocumentFiles } from '../storage/documents.js'
import { findDocumentPage } from '../storage/search/document-pages.js'
import { type PackedFile, pathsOf, zipOf } from './document-zip.js'
import type { PortalHandlers } from './handlers.js'
import { writtenPage } from './written-page.js'

export const documentHandlers: PortalHandlers<'findDocuments' | 'downloadDocuments'> = {
  async findDocuments({ db, account, signLink }, { query }) {
    const page = await findDocumentPage(db, account, query)
    const links = page.ids.map((id) => documentLink(signLink({ account, id })))
    return writtenPage('documents', { ...page, bodies: page.bodies.map((body, index) => body + links[index]) })
  },

  async downloadDocuments({ db, account, files }, { query }) {
    const ids = idsOf(query.ids)
    const documents = await findDocumentFiles(db, account, ids)
    if (documents.length < ids.length) {
      const found = new Set(documents.map(({ id }) => id))
      const missing = ids.find((id) => !found.has(id))
      throw new Refusal('document_not_found', `The account has no document ${missing}, or it was withdrawn.`)
    }
    const content = zipOf(files, await measured(files, documents))
    return { name: zipNameOf(documents), mediaType: 'application/zip', content }
  },
}

function idsOf(text: string): string[] {
  const ids = text.toLowerCase().split(',')
  const wrong = ids.find((id) => !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))
  if (wrong !== undefined)
    throw invalid([{ pointer: '/ids', detail: `must be identifiers of documents; ${wrong} is none` }])
  return [...new Set(ids)]
}

const measuredAtOnce = 10

/** All bytes are there: what begins to be sent should come to its end. */
async function measured(files: DocumentFiles, documents: DocumentFileRow[]): Promise<PackedFile[]> {
  const paths = pathsOf(documents)
  const packed: PackedFile[] = []
  for (let start = 0; start < documents.length; start += measuredAtOnce) {
    const some = documents.slice(start, start + measuredAtOnce).map(async ({ id, content_hash }, index) => {
      const size = await files.sizeOf(content_hash)
      if (size === undefined) throw new Error(`the bytes of document ${id} are missing`)
      return { path: paths[start + index] as string, hash: content_hash, size }
    })
    packed.push(...(await Promise.all(some)))
  }
  return packed
}

function zipNameOf(documents: DocumentFileRow[]): string {
  const shipments = new Set(documents.map(({ svc_shipment_id }) => svc_shipment_id))
  const [shipment] = shipments
  return shipments.size === 1 && shipment ? `${plainFileName(shipment)}.zip` : 'documents.zip'
}
