import type { Database } from '../../database/database.js'
import { findOutdatedAccounts } from '../../store/search/forwarder-shipments.js'
import { updateSearchIndex } from '../../store/search/search-state.js'

// New accounts are indexed for a while; what is not indexed by then is found later.
const longestWait = 2000
const accountsAtOnce = 20

/** Indexes what was committed before, of one account or of all, so that a search over accounts finds it. */
export async function indexChanges(db: Database, slug: string | undefined, signal: AbortSignal): Promise<void> {
  const until = performance.now() + longestWait
  for (;;) {
    const outdated = await findOutdatedAccounts(db, slug, accountsAtOnce)
    for (const account of outdated) {
      if (signal.aborted || performance.now() > until) return
      await updateSearchIndex(db, account)
    }
    if (outdated.length < accountsAtOnce) return
  }
}
