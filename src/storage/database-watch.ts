import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.js'
import { controlOf, type PoolControl } from './lasting-pool.js'

/**
 * Notices a database that neither answers nor refuses, as when its machine hangs or the way to it is cut: nobody would hear
 * of that for minutes. What is under way is broken off then, and whatever is asked is refused at once, until it answers.
 */

export type WatchOptions = { signal: AbortSignal; onNews(isThere: boolean): void }

// Twice the one and the other are less than the two seconds within which a request is to be refused.
const lookEvery = 300
const patience = 900

export async function watchDatabase(db: Database, { signal, onNews }: WatchOptions): Promise<void> {
  const pool = controlOf(db)
  const isDoubtful = doubt(pool)
  let isThere = true
  while (!signal.aborted) {
    await sleep(lookEvery, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted || (isThere && !isDoubtful())) continue
    const isSilent = await pool.isSilentFor(patience)
    if (isThere !== isSilent || signal.aborted) continue
    isThere = !isSilent
    if (isThere) pool.accept()
    else pool.refuse()
    onNews(isThere)
  }
}

/** Whether somebody seems to wait, and nothing at all was answered since the last look: only then is it worth asking. */
function doubt(pool: PoolControl): () => boolean {
  let before = pool.traffic()
  let doesSomebodyWait: 'surely' | 'perhaps' | 'no' = 'no'
  return () => {
    const { asked, answered } = before
    before = pool.traffic()
    // To those who have asked meanwhile, or before.
    if (before.answered > answered) {
      doesSomebodyWait = 'perhaps'
      return false
    }
    if (before.asked > asked) doesSomebodyWait = 'surely'
    const isDoubtful = doesSomebodyWait !== 'no'
    if (doesSomebodyWait === 'perhaps') doesSomebodyWait = 'no'
    return isDoubtful
  }
}
