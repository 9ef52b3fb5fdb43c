import { useSyncExternalStore } from 'react'

/** Whether the last request reached the server. */

let isOnline = true
const listeners = new Set<() => void>()

export function noteConnection(reached: boolean): void {
  if (reached === isOnline) return
  isOnline = reached
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
    () => isOnline,
  )
}
