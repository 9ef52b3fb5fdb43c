import { useSyncExternalStore } from 'react'

/** What has happened, for those who do not see it: one place that screen readers listen to. */

let text = ''
const listeners = new Set<() => void>()

export function announce(told: string): void {
  // The same words again are news, too: a screen reader only hears a change.
  text = told === text ? `${told}\u00a0` : told
  for (const listener of listeners) listener()
}

export function Announcer() {
  const told = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => text,
  )
  return (
    <div className="visually-hidden" role="status">
      {told}
    </div>
  )
}
