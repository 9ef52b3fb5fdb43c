import type { Document } from '../../../../src/contract/public/document.js'
import { groupedBy } from '../../../../src/domain/records/grouping.js'

export type DocumentGroup = { key: string; documents: Document[] }

/** By the newest document; those without a shipment come last. */
export function groupByShipment(documents: Document[]): DocumentGroup[] {
  const groups = groupsOf(documents, ({ svc_shipment_id }) => svc_shipment_id ?? '')
  return [...groups.filter(({ key }) => key !== ''), ...groups.filter(({ key }) => key === '')]
}

export function groupByType(documents: Document[], nameOf: (type: Document['type']) => string, locale: string) {
  const groups = groupsOf(documents, ({ type }) => nameOf(type))
  return groups.toSorted((one, other) => one.key.localeCompare(other.key, locale))
}

function groupsOf(documents: Document[], keyOf: (document: Document) => string): DocumentGroup[] {
  return [...groupedBy(documents, keyOf)].map(([key, grouped]) => ({ key, documents: grouped }))
}
