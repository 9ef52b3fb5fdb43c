import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 47.99em)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the window is too narrow for tables, by the breakpoint of the style sheets. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
