import type { EventKind } from '../../contract/public/event.js'
import { PurchaseOrder } from '../../contract/public/purchase-order.js'
import { Shipment } from '../../contract/public/shipment.js'
import { Tracking } from '../../contract/public/tracking.js'
import { renderPurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { recordChanges } from '../../domain/records/record-changes.js'
import type { OrderedChange, RecordVersions } from '../../ledger/changes.js'

/**
 * Which top-level fields of a resource a change concerns: those in which two versions of its record differ, and those that are derived from
 * other records which the same write changed. The latter may be the same as before, such as dates after an event that does not move them.
 */

type Derived = { kind: string; fields: string[] }

const derivedFields: { [Kind in EventKind]?: Derived[] } = {
  shipment: [
    { kind: 'assignment', fields: ['purchase_order_references'] },
    { kind: 'invoice', fields: ['invoice_status', 'invoice_references'] },
    { kind: 'tracking', fields: ['main_tracking_dates'] },
    { kind: 'tracking_event', fields: ['main_tracking_dates'] },
  ],
  tracking: [
    { kind: 'location', fields: ['tracking_steps'] },
    { kind: 'tracking_event', fields: ['status', 'tracking_steps'] },
    { kind: 'tracking_position', fields: ['ocean_coordinates'] },
  ],
  purchase_order: [
    { kind: 'assignment', fields: ['purchase_order_lines'] },
    { kind: 'shipment', fields: ['purchase_order_lines'] },
  ],
}

/** Kinds of records that fields are derived from: whether a revision changed some is looked up. */
export const sourceKinds = [
  ...new Set(
    Object.values(derivedFields)
      .flat()
      .map(({ kind }) => kind),
  ),
]

// What an account sees of its records, by their names in responses.
const shown: { [Kind in EventKind]?: { names: Set<string>; view?: (record: object) => object } } = {
  shipment: { names: new Set(Object.keys(Shipment.properties)) },
  tracking: { names: new Set(Object.keys(Tracking.properties)) },
  purchase_order: {
    names: new Set(Object.keys(PurchaseOrder.properties)),
    view: (record) => renderPurchaseOrder(record as Parameters<typeof renderPurchaseOrder>[0], []),
  },
}

/** Whether the fields of this change are found by comparing records, which the event itself does not need. */
export function comparesFields({ kind, what }: OrderedChange): boolean {
  return (what === 'updated' || what === 'corrected') && kind in shown
}

export function hasDerivedFields({ kind, what }: OrderedChange): boolean {
  return what !== 'created' && what !== 'removed' && kind in derivedFields
}

export function changedFields(
  { kind }: OrderedChange,
  versions: RecordVersions | undefined,
  sources: ReadonlySet<string>,
): string[] {
  const { names, view = (record: object) => record } = shown[kind as EventKind] ?? {}
  const found = new Set<string>()
  if (names && versions && versions.now !== null && versions.before !== null) {
    const [before, now] = [versions.before, versions.now].map((text) => view(JSON.parse(text) as object))
    for (const name of topLevelNames(before, now)) if (names.has(name)) found.add(name)
  }
  for (const { kind: source, fields } of derivedFields[kind as EventKind] ?? [])
    if (sources.has(source)) for (const field of fields) found.add(field)
  return [...found].toSorted()
}

export function topLevelNames(before: unknown, now: unknown): string[] {
  return [...new Set(recordChanges(before, now).map(({ pointer }) => pointer.split('/')[1] ?? ''))]
}
