import { useCallback, useEffect, useState } from 'react'
import { readDraft, storeDraft } from '../../../ui/use-draft.js'
import type { Edits } from './edits.js'

/** The edits of the grid with undo and redo. They are kept in the browser tab, so that a reload loses nothing. */

const name = 'grid'
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
  return (readDraft<Edits>(name) ?? {}) as Edits
}

function store(edits: Edits): void {
  storeDraft(name, Object.keys(edits).length === 0 ? undefined : edits)
}
