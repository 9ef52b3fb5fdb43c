import type { Document, DocumentRecord } from '../../contract/public/document.js'

/** A document as it is stored: with the size and the hash of its content. */
export type DocumentContentRecord = DocumentRecord & { size: number; content_hash: string }

/** A document as JSON without its link and closing brace: the link is signed when it is read. */
export function renderDocument(record: DocumentContentRecord): string {
  const document: Omit<Document, 'link'> = {
    id: record.id,
    name: record.name,
    type: record.type ?? null,
    svc_shipment_id: record.svc_shipment_id,
    size: record.size,
    uploaded_at: record.uploaded_at,
  }
  return JSON.stringify(document).slice(0, -1)
}

/** The end of the JSON that `renderDocument` begins. */
export function documentLink(link: string): string {
  return `,"link":${JSON.stringify(link)}}`
}
