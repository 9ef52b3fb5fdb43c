import type { DocumentType } from '../../../contract/document.js'
import type { PortalQuery } from '../../../contract/portal/operations.js'
import { readerOf, withoutBlanks } from '../list-search.js'

type Found = Omit<NonNullable<PortalQuery<'findDocuments'>>, 'after' | 'take'>

/** How they are laid out: by shipment where nothing is said. */
export const layouts = ['shipment', 'type', 'list'] as const
export type Layout = (typeof layouts)[number]

export type DocumentsSearch = Found & { by?: Exclude<Layout, 'shipment'>; view?: string }

/** `types` are those that the reader's language has a word for: all of them. */
export function documentsSearchReader(types: readonly DocumentType[]) {
  return (raw: Record<string, string>): DocumentsSearch => {
    const { text, oneOf } = readerOf(raw)
    return withoutBlanks<DocumentsSearch>({
      q: text('q'),
      type: oneOf('type', types),
      svc_shipment_id: text('svc_shipment_id', 255),
      by: oneOf('by', ['type', 'list']),
      view: text('view'),
    })
  }
}

/** Nothing of any other search. */
export const blankDocumentsSearch = {
  q: undefined,
  type: undefined,
  svc_shipment_id: undefined,
  by: undefined,
  view: undefined,
} satisfies { [Name in keyof Required<DocumentsSearch>]: undefined }
