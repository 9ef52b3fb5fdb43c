import type { ReferenceKind } from '../../contract/operator/messages.js'

/** The shipments that a file may belong to, the likeliest first. */

export type FoundNumber = { kind: ReferenceKind; reference: string; found_in: 'name' | 'content'; page?: number }

type Referenced = {
  account: string
  svc_shipment_id: string
  kind: ReferenceKind
  reference: string
  begins_at: number
}
type Place = Pick<FoundNumber, 'found_in' | 'page'>

// How surely a number says which shipment it is. An order may be on several shipments, and on other documents.
const weights: Record<ReferenceKind, number> = {
  shipment: 6,
  house_bill: 5,
  container: 4,
  booking: 4,
  master_bill: 4,
  purchase_order: 2,
}

/** `places`: where each reference was found. Of shipments that are as likely, the newest comes first. */
export function rankShipments<Row extends Referenced>(
  rows: Row[],
  places: ReadonlyMap<string, Place>,
): (Row & { found: FoundNumber[] })[] {
  const sharing = new Map<string, Set<string>>()
  for (const row of rows) sharing.set(row.reference, (sharing.get(row.reference) ?? new Set()).add(keyOf(row)))
  const ranked = new Map<string, { row: Row; found: FoundNumber[]; weight: number }>()
  for (const row of rows) {
    const place = places.get(row.reference)
    if (!place) continue
    const entry = ranked.get(keyOf(row)) ?? { row, found: [], weight: 0 }
    ranked.set(keyOf(row), entry)
    entry.found.push({ kind: row.kind, reference: row.reference, ...place })
    const inName = place.found_in === 'name' ? 2 : 1
    entry.weight += (weights[row.kind] * inName) / (sharing.get(row.reference)?.size ?? 1)
  }
  return [...ranked.values()]
    .toSorted((one, other) => other.weight - one.weight || newest(other.row) - newest(one.row))
    .map(({ row, found }) => ({ ...row, found }))
}

function keyOf({ account, svc_shipment_id }: Referenced): string {
  return `${account} ${svc_shipment_id}`
}

function newest({ begins_at }: Referenced): number {
  return Number.isFinite(begins_at) ? begins_at : 0
}
