import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, PoolControl } from './database.js'

/**
 * Detects a database that neither responds nor refuses connections, as when its host hangs or the network is cut: TCP alone
 * would take minutes. The watchdog then closes all connections and rejects queries until the database responds again.
 */

export type WatchdogOptions = { signal: AbortSignal; onChange(isAvailable: boolean): void }

// Twice the sum is below the two seconds within which a request must fail.
const interval = 300
const probeTimeout = 900

export async function watchDatabase(db: Database, { signal, onChange }: WatchdogOptions): Promise<void> {
  const { pool } = db
  const isSuspect = suspicion(pool)
  let isAvailable = true
  while (!signal.aborted) {
    await sleep(interval, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted || (isAvailable && !isSuspect())) continue
    const isUnresponsive = await pool.isUnresponsiveFor(probeTimeout)
    if (isAvailable !== isUnresponsive || signal.aborted) continue
    isAvailable = !isUnresponsive
    if (isAvailable) pool.accept()
    else pool.refuse()
    onChange(isAvailable)
  }
}

/** Whether queries seem to be pending and nothing was received since the last check: only then is a probe worth its cost. */
function suspicion(pool: PoolControl): () => boolean {
  let before = pool.traffic()
  let pending: 'yes' | 'maybe' | 'no' = 'no'
  return () => {
    const { sent, received } = before
    before = pool.traffic()
    // The bytes may belong to queries of this interval or of an earlier one.
    if (before.received > received) {
      pending = 'maybe'
      return false
    }
    if (before.sent > sent) pending = 'yes'
    const isSuspect = pending !== 'no'
    if (pending === 'maybe') pending = 'no'
    return isSuspect
  }
}
