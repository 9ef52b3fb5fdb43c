import type { ResourceKind } from '../contract/operations.js'
import { coalesced, isCloseBy } from './coalesced.js'
import type { Database } from './database.js'
import { afterWrite, findKeyHolders, type KeyHolder } from './keys.js'
import { ownWritesOf } from './own-writes.js'
import { readingLease } from './reading-lease.js'
import type { AccountId } from './transaction.js'

/** Whose key it is, what it may, and how far its account has got: as of now, whoever asks and wherever it changed. */
export type KeyLookup = {
  find(hash: string): KeyHolder | undefined | Promise<KeyHolder | undefined>
  /** What was last known of the key: it may be outdated. */
  lastKnown(hash: string): KeyHolder | undefined
  /** Learns from a write of its own: what was known just before it still holds, but for the kind that it changed. */
  learn(hash: string, kind: ResourceKind, revision: number): void
}

const mostRemembered = 20_000

/**
 * What is known of a key holds for as long as its account is at the revision at which it was read: whatever changes a
 * key or an account raises that. So a known key costs a look at its account's revision, shared with all who ask
 * meanwhile; and not even that while nobody has written anything at all since it was last looked at. Where the process, or
 * the crew that it belongs to, is alone with its database and has the lease to say so, it costs nothing until one of them
 * writes to the account, and nothing after a write of the key's own whose revision is known.
 */
export function keyLookup(db: Database, { remembers }: { remembers: boolean }): KeyLookup {
  const lease = readingLease(db)
  const writes = ownWritesOf(db)
  const remembered = new Map<string, Known>()
  let newestState = ''
  // Two at once: while the answers to one batch are sent, the next is on its way.
  const batching = { atOnce: 2, most: 500, staysAwake: isCloseBy(db) }
  const findHolder = coalesced<string, KeyHolder>((hashes) => findKeyHolders(db, hashes), batching)
  const confirm = coalesced<Known, KeyHolder>(async (asked) => {
    const terms = asked.map(({ holder }) => termAt(holder.account_id))
    const { state, outdated } = await findOutdated(db, asked, newestState)
    newestState = state
    return asked.map((known, index) => {
      if (outdated?.has(index + 1)) return findAnew(known.hash)
      known.state = state
      known.term = terms[index]
      return known.holder
    })
  }, batching)

  // Asked for before the database is: what is read afterwards holds for as long as it stays the same.
  function termAt(account: AccountId): Term | undefined {
    const lasting = lease.current()
    const ownWrites = writes.countOf(account)
    return lasting === undefined || ownWrites === undefined ? undefined : { lease: lasting, ownWrites }
  }

  function stillHolds({ term, holder }: Known): boolean {
    return term !== undefined && term.lease === lease.current() && term.ownWrites === writes.countOf(holder.account_id)
  }

  // Where that write is all that came since it was last seen to hold, nothing has to be looked at.
  function termAfterWrite({ term, holder }: Known): Term | undefined {
    const current = termAt(holder.account_id)
    const isOnlyOne =
      current !== undefined && term?.lease === current.lease && term?.ownWrites === current.ownWrites - 1
    return isOnlyOne ? current : undefined
  }

  async function findAnew(hash: string): Promise<KeyHolder | undefined> {
    const holder = await findHolder(hash)
    remembered.delete(hash)
    // When a key expires is for the database's clock to say.
    if (!holder || !remembers || holder.expires_at !== null) return holder
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value as string)
    remembered.set(hash, { hash, holder, state: '', term: undefined })
    return holder
  }

  return {
    lastKnown: (hash) => remembered.get(hash)?.holder,
    learn(hash, kind, revision) {
      const known = remembered.get(hash)
      if (known?.holder.revision !== revision - 1) return
      remembered.set(hash, { hash, holder: afterWrite(known.holder, kind), state: '', term: termAfterWrite(known) })
    },
    find(hash) {
      const known = remembered.get(hash)
      if (!known) return findAnew(hash)
      return stillHolds(known) ? known.holder : confirm(known)
    },
  }
}

type Known = {
  hash: string
  holder: KeyHolder
  /** That of the database at which it was last seen to hold. */
  state: string
  /** That in which it was last seen to hold. */
  term: Term | undefined
}

/** As long as neither changes, nobody has written to the account. */
type Term = { lease: number; ownWrites: number }

// The state of a database: what is visible in it, and since when its server runs, as another one may count its
// transactions anew. As long as it is the same, everything is, and no account needs to be looked at. As text, which the
// driver sends as it is: a template it would put together anew for each call. A look into the index for each, however
// few accounts there are; only what has changed is answered. What is unnested is selected first (see `rendered.ts`).
const asPrepared = { prepare: true }
const outdatedPlaces = `
  select state, case when state <> $4 then (
    select coalesce(string_agg(place::text, ','), '')
    from unnest((select $1::text::integer[]), (select $2::text::bigint[])) with ordinality as known (account_id, revision, place)
    where (select revision from accounts where account_id = known.account_id) is distinct from known.revision
      or (select epoch || '.' || 'accounts'::regclass::oid from service) <> $3
  ) end as outdated
  from (select pg_current_snapshot() || ' ' || pg_postmaster_start_time()) as current (state)`

/** At which places, counted from one, there is one whose account has gone on; none where nothing has. */
async function findOutdated(
  db: Database,
  asked: Known[],
  newestState: string,
): Promise<{ state: string; outdated: Set<number> | undefined }> {
  const epoch = asked[0]?.holder.secrets.epoch as string
  // Those that were seen to hold at different states have to be looked at.
  const state = asked.every((known) => known.state === newestState) ? newestState : ''
  const accounts = asked.map(({ holder }) => holder.account_id).join()
  // One that was known before a restore is behind any revision.
  const revisions = asked.map(({ holder }) => (holder.secrets.epoch === epoch ? holder.revision : -1)).join()
  const [row] = await db.unsafe<{ state: string; outdated: string | null }[]>(
    outdatedPlaces,
    [`{${accounts}}`, `{${revisions}}`, epoch, state],
    asPrepared,
  )
  if (!row) throw new Error('the database does not tell its state')
  const { outdated } = row
  return { state: row.state, outdated: outdated ? new Set(outdated.split(',').map(Number)) : undefined }
}
