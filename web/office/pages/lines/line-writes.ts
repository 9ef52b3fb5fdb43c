import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Assigned,
  type LineDifference,
  lineDifferences,
  type PackingPlace,
  withChosen,
  withMoved,
} from '../../../../src/domain/purchase-orders/packing.js'
import { refusalCodeOf } from '../../../portal/api/client.js'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { assignedLinesQuery, type ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { assignedOf, lineKey, type Piece } from './pieces.js'

type Line = { reference: string; line: string }
/** What becomes of an order line, from the version that it is based on. Revision 0: the shipment has nothing of it. */
type Change = Line & { revision: number; before: Assigned | undefined; after: Assigned | undefined }

export type LineConflict = {
  change: Change
  theirs: Assigned | undefined
  revision: number
  differences: LineDifference[]
}

export type Part = { piece: Piece; quantity: number }

/** Every write names the revision that it is based on; what somebody else has changed meanwhile is shown, not overwritten. */
export function useLineWrites(params: ShipmentParams) {
  const { lines: m } = useOfficeMessages()
  const client = useQueryClient()
  const { run, isBusy } = useActions()
  const [conflicts, setConflicts] = useState<LineConflict[]>([])

  /** Returns the revision, 0 if nothing is left. */
  const put = async ({ reference, line }: Line, revision: number, record: Assigned | undefined): Promise<number> => {
    const named = { ...params, reference, line }
    if (record) return (await ops.assign({ params: named, query: { revision }, body: record })).revision
    await ops.unassign({ params: named, query: { revision } })
    return 0
  }

  const conflictOf = async (change: Change): Promise<LineConflict> => {
    const lines = await client.fetchQuery({ ...assignedLinesQuery(params), staleTime: 0 })
    const current = lines.find(({ record }) => lineKey(record) === lineKey(change))
    const theirs = current && assignedOf(current)
    return {
      change,
      theirs,
      revision: current?.revision ?? 0,
      differences: lineDifferences(change.before, change.after, theirs),
    }
  }

  const write = (changes: Change[], textOf: (count: number) => string) =>
    run(async () => {
      const done: (Change & { written: number })[] = []
      const met: LineConflict[] = []
      try {
        for (const change of changes) {
          try {
            done.push({ ...change, written: await put(change, change.revision, change.after) })
          } catch (error) {
            const code = refusalCodeOf(error)
            if (code !== 'assignment_changed' && code !== 'assignment_not_found') throw error
            met.push(await conflictOf(change))
          }
        }
      } catch (error) {
        // What was written before the refusal stays, and can be taken back.
        if (done.length === 0) throw error
        return { text: m.partly(done.length, changes.length, detailOf(error)), undo: undoOf(done) }
      }
      const open = met.filter(({ differences }) => differences.length > 0)
      setConflicts(open)
      if (done.length === 0 && open.length > 0) return { text: m.notWritten }
      return { text: textOf(done.length), undo: undoOf(done) }
    })

  const undoOf = (done: (Change & { written: number })[]) => async () => {
    for (const change of done.toReversed()) await put(change, change.written, change.before)
  }

  const move = (parts: Part[], to: PackingPlace, over_shipment_reason?: string) => {
    const changes = new Map<string, Change>()
    for (const { piece, quantity } of parts) {
      const { reference, line, assigned, place } = piece
      if (place === to) continue
      const before = assigned && assignedOf(assigned)
      const change = changes.get(lineKey(piece)) ?? {
        reference,
        line,
        revision: assigned?.revision ?? 0,
        before,
        after: before,
      }
      const moved = withMoved(change.after, place, to, quantity)
      const after = moved && over_shipment_reason !== undefined ? { ...moved, over_shipment_reason } : moved
      changes.set(lineKey(piece), { ...change, after })
    }
    if (changes.size === 0) return Promise.resolve(true)
    return write([...changes.values()], (count) =>
      m.done[to === 'open' ? 'off' : to === 'loose' ? 'loose' : 'unit'](count),
    )
  }

  const decide = ({ change, theirs, revision }: LineConflict, chosen: Set<LineDifference['place']>) => {
    setConflicts((open) => open.filter((each) => each.change !== change))
    const after = withChosen(change.after, theirs, chosen)
    if (JSON.stringify(after) === JSON.stringify(theirs)) return Promise.resolve(true)
    return write([{ ...change, revision, before: theirs, after }], m.done.chosen)
  }

  return { move, decide, conflict: conflicts[0], isBusy }
}

export type LineWrites = ReturnType<typeof useLineWrites>

function detailOf(error: unknown): string {
  return error instanceof Error ? ((error as { detail?: string }).detail ?? error.message) : String(error)
}
