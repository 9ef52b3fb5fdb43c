import { useCallback, useEffect, useState } from 'react'
import type { Edits } from './edits.js'

/** The edits of the grid with undo and redo. They are kept in the browser tab, so that a reload loses nothing. */

const place = 'waybill.office.grid'
const mostSteps = 100

type History = { past: Edits[]; present: Edits; future: Edits[] }

export function useEdits() {
  const [history, setHistory] = useState<History>(() => ({ past: [], present: stored(), future: [] }))
  const { past, present, future } = history
  useEffect(() => store(present), [present])

  const change = useCallback((next: (edits: Edits) => Edits) => {
    setHistory((old) => {
      const changed = next(old.present)
      return changed === old.present
        ? old
        : { past: [...old.past, old.present].slice(-mostSteps), present: changed, future: [] }
    })
  }, [])
  const undo = useCallback(() => {
    setHistory((old) => {
      const before = old.past.at(-1)
      return before ? { past: old.past.slice(0, -1), present: before, future: [old.present, ...old.future] } : old
    })
  }, [])
  const redo = useCallback(() => {
    setHistory((old) => {
      const [after, ...rest] = old.future
      return after ? { past: [...old.past, old.present], present: after, future: rest } : old
    })
  }, [])
  /** After a write: what was stored can be undone by another write only. */
  const reset = useCallback((edits: Edits) => setHistory({ past: [], present: edits, future: [] }), [])
  return { edits: present, change, undo, redo, reset, canUndo: past.length > 0, canRedo: future.length > 0 }
}

function stored(): Edits {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '{}') as Edits
  } catch {
    // Without storage the grid still works.
    return {}
  }
}

function store(edits: Edits): void {
  try {
    if (Object.keys(edits).length === 0) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(edits))
  } catch {
    // Storage is full or blocked: the edits stay on the page.
  }
}
