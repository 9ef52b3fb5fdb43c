import { useCallback, useEffect, useRef, useState } from 'react'

type Change<Draft> = Partial<Draft> | ((before: Draft) => Partial<Draft>)

/** State of a form that survives a reload, in this tab, until it is dropped. */
export function useDraft<Draft extends object>(
  name: string,
  initial: Draft,
): [draft: Draft, change: (change: Change<Draft>) => void, drop: () => void] {
  const [draft, setDraft] = useState<Draft>(() => ({ ...initial, ...readDraft<Draft>(name) }))
  const latest = useRef(draft)
  // Stored at once: React may run an updater later, when the draft was dropped.
  const change = useCallback(
    (changed: Change<Draft>) => {
      const given = typeof changed === 'function' ? changed(latest.current) : changed
      latest.current = { ...latest.current, ...given }
      storeDraft(name, latest.current)
      setDraft(latest.current)
    },
    [name],
  )
  const drop = useCallback(() => storeDraft(name, undefined), [name])
  return [draft, change, drop]
}

/** Which row of a list is open in a dialog, by its key: after a reload it is still open, on another page it is not. */
export function useOpened(list: string): [key: string | undefined, open: (key: string | undefined) => void] {
  const name = `open ${list}`
  const [key, setKey] = useState(() => readDraft<{ key: string }>(name)?.key)
  const open = (next: string | undefined) => {
    storeDraft(name, next === undefined ? undefined : { key: next })
    setKey(next)
  }
  // A reload ends the page without this.
  useEffect(() => () => storeDraft(name, undefined), [name])
  return [key, open]
}

/** Of everybody: whoever signs in next in this tab is somebody else. */
export function dropDrafts(): void {
  for (const name of draftNames('')) storeDraft(name, undefined)
}

/** The names of stored drafts that begin so, in their order. */
export function draftNames(prefix: string): string[] {
  try {
    const places = Object.keys(sessionStorage).filter((place) => place.startsWith(`draft ${prefix}`))
    return places.map((place) => place.slice('draft '.length)).toSorted()
  } catch {
    return []
  }
}

export function hasDraft(name: string): boolean {
  return readDraft(name) !== undefined
}

export function readDraft<Draft>(name: string): Partial<Draft> | undefined {
  try {
    const text = sessionStorage.getItem(`draft ${name}`)
    return text === null ? undefined : (JSON.parse(text) as Partial<Draft>)
  } catch {
    // Without storage the form still works.
    return undefined
  }
}

export function storeDraft(name: string, draft: object | undefined): void {
  const place = `draft ${name}`
  try {
    if (draft === undefined) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(draft))
  } catch {
    // Storage is full or blocked.
  }
}
