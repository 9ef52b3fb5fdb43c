import { useSyncExternalStore } from 'react'

/** Messages for screen readers, in one live region. */

let text = ''
const listeners = new Set<() => void>()

export function announce(message: string): void {
  // Screen readers only announce changes: a repeated message gets a trailing space.
  text = message === text ? `${message}\u00a0` : message
  for (const listener of listeners) listener()
}

export function Announcer() {
  const message = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => text,
  )
  return (
    <div className="visually-hidden" role="status">
      {message}
    </div>
  )
}
