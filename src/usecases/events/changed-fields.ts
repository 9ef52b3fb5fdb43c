import type { EventKind } from '../../contract/public/event.js'
import { PurchaseOrder } from '../../contract/public/purchase-order.js'
import { Shipment } from '../../contract/public/shipment.js'
import { Tracking } from '../../contract/public/tracking.js'
import { shownFieldNames } from '../../domain/purchase-orders/purchase-order.js'
import { isUnchanged } from '../../domain/records/record-changes.js'
import type { takeTurns } from '../../jobs/in-slices.js'
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

// What an account sees of its records, by their names in responses. `renamed`: those that differ in the record.
const shown: { [Kind in EventKind]?: { names: Set<string>; renamed?: ReadonlyMap<string, string> } } = {
  shipment: { names: new Set(Object.keys(Shipment.properties)) },
  tracking: { names: new Set(Object.keys(Tracking.properties)) },
  purchase_order: {
    // A cancellation is no field of an order, whose shape is fixed: it is shown with the arrivals.
    names: new Set([...Object.keys(PurchaseOrder.properties), 'cancellation']),
    renamed: shownFieldNames,
  },
}

/** Whether the fields of this change are found by comparing records, which the event itself does not need. */
export function comparesFields({ kind, what }: OrderedChange): boolean {
  return (what === 'updated' || what === 'corrected') && kind in shown
}

export function hasDerivedFields({ kind, what }: OrderedChange): boolean {
  return what !== 'created' && what !== 'removed' && kind in derivedFields
}

export async function changedFields(
  { kind }: OrderedChange,
  versions: RecordVersions | undefined,
  sources: ReadonlySet<string>,
  others: ReturnType<typeof takeTurns>,
): Promise<string[]> {
  const { names, renamed } = shown[kind as EventKind] ?? {}
  const found = new Set<string>()
  if (names && versions && versions.now !== null && versions.before !== null) {
    // Without rendering what the account sees, which takes longer than comparing: an order may have 4 MB.
    const { before, now } = await viewsOf(versions, (record) => record as object, others)
    for (const stored of topLevelNames(before ?? {}, now ?? {})) {
      const name = renamed?.get(stored) ?? stored
      if (names.has(name)) found.add(name)
    }
  }
  for (const { kind: source, fields } of derivedFields[kind as EventKind] ?? [])
    if (sources.has(source)) for (const field of fields) found.add(field)
  return [...found].toSorted()
}

type Views = { now: object | undefined; before: object | undefined }

/** What the account sees of the two versions. Records can be large: others have their turn in between. */
export async function viewsOf(
  versions: RecordVersions,
  view: (record: unknown) => object | undefined,
  others: ReturnType<typeof takeTurns>,
): Promise<Views> {
  const before = versions.before === null ? undefined : view(JSON.parse(versions.before))
  await others()
  const now = versions.now === null ? undefined : view(JSON.parse(versions.now))
  await others()
  return { now, before }
}

export function topLevelNames(before: object, now: object): string[] {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(now))]
  return [...new Set([...old.keys(), ...current.keys()])].filter(
    (name) => !isUnchanged(old.get(name), current.get(name)),
  )
}
