import { useSyncExternalStore } from 'react'

/** Whether the service was reached by the last attempt. */

let isThere = true
const listeners = new Set<() => void>()

export function noteConnection(reached: boolean): void {
  if (reached === isThere) return
  isThere = reached
  for (const listener of listeners) listener()
}

window.addEventListener('offline', () => noteConnection(false))
window.addEventListener('online', () => noteConnection(true))

export function useConnection(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isThere,
  )
}
