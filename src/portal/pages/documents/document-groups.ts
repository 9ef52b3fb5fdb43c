import type { Document } from '../../../contract/document.js'
import { groupedBy } from '../../../domain/grouping.js'

export type DocumentGroup = { key: string; documents: Document[] }

/** In the order in which their first documents come: the newest first. Those of no shipment come last. */
export function groupByShipment(documents: Document[]): DocumentGroup[] {
  const groups = groupsOf(documents, ({ svc_shipment_id }) => svc_shipment_id ?? '')
  return [...groups.filter(({ key }) => key !== ''), ...groups.filter(({ key }) => key === '')]
}

/** By the names of the types. */
export function groupByType(documents: Document[], nameOf: (type: Document['type']) => string, locale: string) {
  const groups = groupsOf(documents, ({ type }) => nameOf(type))
  return groups.toSorted((one, other) => one.key.localeCompare(other.key, locale))
}

function groupsOf(documents: Document[], keyOf: (document: Document) => string): DocumentGroup[] {
  return [...groupedBy(documents, keyOf)].map(([key, grouped]) => ({ key, documents: grouped }))
}
