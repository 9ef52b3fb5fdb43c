import type { ShipmentOutcome } from '../../../../src/contract/operator/shipment-changes.js'
import { ops } from '../../api/ops.js'
import { patchOf, type Values, valuesOf } from '../shipment/shipment-fields.js'
import { type Edit, type Edits, keyOf } from './edits.js'

/** Edits as requests, as many at once as one takes. */

const most = 100

export type Outcomes = ReadonlyMap<string, ShipmentOutcome>

async function send(edits: Edit[], check: 'true' | 'false'): Promise<Outcomes> {
  const outcomes = new Map<string, ShipmentOutcome>()
  for (let from = 0; from < edits.length; from += most) {
    const changes = edits.slice(from, from + most).map(({ account, svc_shipment_id, revision, base, values }) => ({
      account,
      svc_shipment_id,
      revision,
      patch: patchOf(base, values),
    }))
    const answer = await ops.changeShipments({ query: { check }, body: { changes } })
    for (const outcome of answer.outcomes) outcomes.set(keyOf(outcome), outcome)
  }
  return outcomes
}

export const checkEdits = (edits: Edit[]) => send(edits, 'true')
export const writeEdits = (edits: Edit[]) => send(edits, 'false')

/** What restores the values from before a write. */
export function reversed(edits: Edit[], outcomes: Outcomes): Edit[] {
  return edits.flatMap((edit) => {
    const outcome = outcomes.get(keyOf(edit))
    if (outcome?.outcome !== 'changed' || outcome.revision === undefined) return []
    return { ...edit, revision: outcome.revision, base: edit.values, values: edit.base }
  })
}

/** The edits that were not stored stay in the grid. */
export function withoutStored(edits: Edits, outcomes: Outcomes): Edits {
  return Object.fromEntries(
    Object.entries(edits).filter(([key]) => {
      const outcome = outcomes.get(key)?.outcome
      return outcome !== 'changed' && outcome !== 'unchanged'
    }),
  )
}

export function isConflict(outcome: ShipmentOutcome | undefined): boolean {
  return outcome?.code === 'shipment_changed'
}

/** An edit on top of what somebody else has stored: of the fields that both changed, the chosen ones. */
export function rebased(edit: Edit, { record, revision }: ShipmentOutcome, mine: ReadonlySet<string>): Edit {
  const theirs = valuesOf(record as Parameters<typeof valuesOf>[0])
  const values = Object.fromEntries(
    Object.entries(theirs).map(([name, value]) => {
      const field = name as keyof Values
      const isEdited = edit.values[field] !== edit.base[field]
      const isContested = value !== edit.base[field]
      return [field, isEdited && (!isContested || mine.has(field)) ? edit.values[field] : value]
    }),
  ) as Values
  return { ...edit, revision: revision ?? edit.revision, base: theirs, values }
}
