import { useCallback, useState } from 'react'

/** State of a form that survives a reload, in this tab, until it is dropped. */
export function useDraft<Draft extends object>(
  name: string,
  initial: Draft,
): [draft: Draft, change: (change: Partial<Draft>) => void, drop: () => void] {
  const place = `office-draft ${name}`
  const [draft, setDraft] = useState<Draft>(() => ({ ...initial, ...stored<Draft>(place) }))
  const change = useCallback(
    (changed: Partial<Draft>) =>
      setDraft((current) => {
        const next = { ...current, ...changed }
        store(place, next)
        return next
      }),
    [place],
  )
  const drop = useCallback(() => store(place, undefined), [place])
  return [draft, change, drop]
}

export function hasDraft(name: string): boolean {
  return stored(`office-draft ${name}`) !== undefined
}

function stored<Draft>(place: string): Partial<Draft> | undefined {
  try {
    const text = sessionStorage.getItem(place)
    return text === null ? undefined : (JSON.parse(text) as Partial<Draft>)
  } catch {
    // Without storage the form still works.
    return undefined
  }
}

function store(place: string, draft: object | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(draft))
  } catch {
    // Storage is full or blocked.
  }
}
