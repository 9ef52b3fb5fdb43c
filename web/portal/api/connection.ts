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

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConnection(): boolean {
  return useSyncExternalStore(listen, () => isOnline)
}

let offlineStates = 0

/** To be called while a page says that the server cannot be reached: nothing else has to say it then. */
export function showOfflineState(): () => void {
  const count = (change: number) => {
    offlineStates += change
    for (const listener of listeners) listener()
  }
  count(1)
  return () => count(-1)
}

export function useOfflineState(): boolean {
  return useSyncExternalStore(listen, () => offlineStates > 0)
}
