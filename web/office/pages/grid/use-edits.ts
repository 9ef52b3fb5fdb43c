import { useCallback, useEffect, useRef, useState } from 'react'
import { draftNames, readDraft, storeDraft } from '../../../ui/use-draft.js'
import type { Edit, Edits } from './edits.js'

/** The edits of the grid with undo and redo. They are kept in the browser tab, so that a reload loses nothing. */

// Each row by itself: with all in one, a keystroke beside 5,000 edited rows took 340 ms (`npm run bench:office`).
const prefix = 'grid row '
const mostSteps = 100

type History = { past: Edits[]; present: Edits; future: Edits[] }

export function useEdits() {
  const [history, setHistory] = useState<History>(() => ({ past: [], present: stored(), future: [] }))
  const { past, present, future } = history
  const kept = useRef(present)
  useEffect(() => {
    for (const key of new Set([...Object.keys(kept.current), ...Object.keys(present)]))
      if (kept.current[key] !== present[key]) storeDraft(prefix + key, present[key])
    kept.current = present
  }, [present])

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
  return Object.fromEntries(
    draftNames(prefix).flatMap((name) => {
      const edit = readDraft<Edit>(name)
      return edit ? [[name.slice(prefix.length), edit as Edit]] : []
    }),
  )
}
