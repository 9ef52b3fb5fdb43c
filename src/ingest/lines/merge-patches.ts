import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { Fault } from '../../contract/refusals.js'
import { recordChanges } from '../../domain/records/record-changes.js'
import { withComputedTotals } from '../../domain/shipments/shipment-cargo.js'
import { shipmentWarnings } from '../../domain/shipments/shipment-warnings.js'
import { readRecords } from '../../ledger/records.js'
import type { StagedLine } from '../../store/staging/import-staging.js'
import { readStaged, restage, type StagedRecord } from '../../store/staging/staged-records.js'
import { isKnownPlace } from '../../usecases/shipments/known-place.js'
import { type AccountImport, rejectStaged, removeRejected } from './account-import.js'
import { readRecord } from './read-line.js'
import { listRules, type Merged, mergeRecord, type RecordPatch } from './record-patch.js'

/** The kinds of records that come as patches: those of tables. */
export const patchedKinds = ['shipment', 'location', 'invoice', 'purchase_order'] as const
type PatchedKind = (typeof patchedKinds)[number]

/**
 * Turns staged patches into the records that they lead to, under the lock of the account: no other write comes between reading
 * the stored record and storing the merged one.
 */
export async function mergePatches(work: AccountImport, kind: PatchedKind): Promise<void> {
  const { tx, account, slug } = work
  for await (const batch of readStaged(tx.sql, slug, kind)) {
    const ids = batch.map(({ id }) => id)
    const stored: Map<string, object> = await readRecords(tx.sql, account, kind, ids)
    const merged = batch.flatMap((patch) => mergeOne(work, kind, patch, stored.get(patch.id)))
    await restage(tx.sql, slug, kind, merged)
    await removeRejected(work)
  }
}

function mergeOne(
  work: AccountImport,
  kind: PatchedKind,
  { line, id, record }: StagedRecord,
  stored: object | undefined,
): StagedLine[] {
  const patch = JSON.parse(record) as RecordPatch
  const unsettled = work.settle?.(patch, line) ?? []
  const merged = mergeRecord(stored, patch)
  const data = kind === 'shipment' ? withFollowingTotals(merged.data, patch) : merged.data
  const reading = readRecord({ kind, account: work.slug, data } as Parameters<typeof readRecord>[0])
  const faults = [...unsettled, ...inData(merged.faults), ...('faults' in reading ? reading.faults : [])]
  if (faults.length > 0 || !('staged' in reading)) {
    for (const fault of faults) rejectStaged(work, { kind, id, line }, placed(fault, merged, patch))
    return []
  }
  if (work.onChange && stored !== undefined) {
    for (const change of recordChanges(stored, JSON.parse(reading.staged.record)))
      work.onChange({ line, id, ...change })
  }
  const before = warningsOf(kind, stored)
  const warnings = (reading.warnings ?? []).filter(({ pointer, detail }) => !before.has(`${pointer} ${detail}`))
  work.report.warn(
    line,
    warnings.map((warning) => placed(warning, merged, patch)),
  )
  return [{ line, ...reading.staged }]
}

/** What looked wrong before is not reported again. */
function warningsOf(kind: PatchedKind, stored: object | undefined): Set<string> {
  if (kind !== 'shipment' || stored === undefined) return new Set()
  const warnings = shipmentWarnings(stored, isKnownPlace)
  return new Set(warnings.map(({ pointer, detail }) => `/data${pointer} ${detail}`))
}

/** Totals that were computed from the loads follow them; those that the table gives do not. */
function withFollowingTotals(data: Record<string, unknown>, patch: RecordPatch): object {
  const { computed_totals = [] } = data as ShipmentRecord
  if (computed_totals.length === 0) return data
  const given = Object.keys(patch.data.cargo ?? {})
  const left = computed_totals.filter((name) => !given.includes(name))
  return withComputedTotals({ ...(data as ShipmentRecord), computed_totals: left })
}

function inData(faults: Fault[]): Fault[] {
  return faults.map(({ pointer, detail }) => ({ pointer: `/data${pointer}`, detail }))
}

/** A fault of an entry is reported for the line that the entry comes from. */
function placed(fault: Fault, { origins }: Merged, { entryLines }: RecordPatch): Fault & { line?: number } {
  const steps = fault.pointer.split('/').slice(2)
  const path = Object.keys(listRules).find((each) => each === steps.slice(0, each.split('.').length).join('.'))
  if (path === undefined) return fault
  const index = steps[path.split('.').length]
  const entry = index === undefined ? undefined : origins.get(path)?.[Number(index)]
  const line = entry === undefined ? undefined : entryLines[path]?.[entry]
  return line === undefined ? fault : { ...fault, line }
}
