import type { PortalQuery } from '../../../../src/contract/portal/operations.js'
import type { DocumentType } from '../../../../src/contract/public/document.js'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'

type Found = Omit<NonNullable<PortalQuery<'findDocuments'>>, 'after' | 'take'>

/** The first one is the default. */
export const groupings = ['shipment', 'type', 'list'] as const
export type Grouping = (typeof groupings)[number]

export type DocumentsSearch = Found & { by?: Exclude<Grouping, 'shipment'>; view?: string }

/** `types` are the known document types, in the order of the reader's language. */
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

/** Clears every parameter of the address. */
export const blankDocumentsSearch = {
  q: undefined,
  type: undefined,
  svc_shipment_id: undefined,
  by: undefined,
  view: undefined,
} satisfies { [Name in keyof Required<DocumentsSearch>]: undefined }
