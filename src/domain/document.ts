import type { Document, DocumentRecord } from '../contract/document.js'

/** A document as it is kept: its size is that of its bytes, which are found by their hash. */
export type DocumentContentRecord = DocumentRecord & { size: number; content_hash: string }

/** A document without its link, as JSON that is still open at the end: the link is signed when it is read. */
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

/** Closes what `renderDocument` left open. */
export function documentLink(link: string): string {
  return `,"link":${JSON.stringify(link)}}`
}
