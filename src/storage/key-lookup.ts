import type { ResourceKind } from '../contract/operations.js'
import { coalesced, isCloseBy } from './coalesced.js'
import type { Database } from './database.js'
import { afterWrite, findKeyHolders, type KeyHolder } from './keys.js'

/** Whose key it is, what it may, and how far its account has got: as of now, whoever asks and wherever it changed. */
export type KeyLookup = {
  find(hash: string): Promise<KeyHolder | undefined>
  /** What was last known of the key: it may be outdated. */
  lastKnown(hash: string): KeyHolder | undefined
  /** Learns from a write of its own: what was known just before it still holds, but for the kind that it changed. */
  learn(hash: string, kind: ResourceKind, revision: number): void
}

const mostRemembered = 20_000

/**
 * What is known of a key holds for as long as its account is at the revision at which it was read: whatever changes a
 * key or an account raises that. So a known key costs a look at its account's revision, shared with all who ask
 * meanwhile.
 */
export function keyLookup(db: Database, { remembers }: { remembers: boolean }): KeyLookup {
  const remembered = new Map<string, KeyHolder>()
  // Two at once: while the answers to one batch are sent, the next is on its way.
  const batching = { atOnce: 2, most: 500, staysAwake: isCloseBy(db) }
  const findHolder = coalesced<string, KeyHolder>((hashes) => findKeyHolders(db, hashes), batching)
  const confirm = coalesced<Known, KeyHolder>(async (known) => {
    const outdated = await findOutdated(db, known)
    return known.map(({ hash, holder }, index) => (outdated.has(index + 1) ? findAnew(hash) : holder))
  }, batching)

  async function findAnew(hash: string): Promise<KeyHolder | undefined> {
    const holder = await findHolder(hash)
    remembered.delete(hash)
    // When a key expires is for the database's clock to say.
    if (!holder || !remembers || holder.expires_at !== null) return holder
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value as string)
    remembered.set(hash, holder)
    return holder
  }

  return {
    lastKnown: (hash) => remembered.get(hash),
    learn(hash, kind, revision) {
      const holder = remembered.get(hash)
      if (holder?.revision === revision - 1) remembered.set(hash, afterWrite(holder, kind))
    },
    find(hash) {
      const holder = remembered.get(hash)
      return holder ? confirm({ hash, holder }) : findAnew(hash)
    },
  }
}

type Known = { hash: string; holder: KeyHolder }

// As text, which the driver sends as it is: a template it would put together anew for each call. A look into the index
// for each, however few accounts there are; only what has changed is answered.
const asPrepared = { prepare: true }
const outdatedPlaces = `
  select place::integer
  from unnest($1::text::integer[], $2::text::bigint[]) with ordinality as known (account_id, revision, place)
  where (select revision from accounts where account_id = known.account_id) is distinct from known.revision
    or (select epoch || '.' || 'accounts'::regclass::oid from service) <> $3`

/** At which places, counted from one, there is one whose account has gone on. */
async function findOutdated(db: Database, known: Known[]): Promise<Set<number>> {
  const epoch = known[0]?.holder.secrets.epoch as string
  const accounts = known.map(({ holder }) => holder.account_id).join()
  // One that was known before a restore is behind any revision.
  const revisions = known.map(({ holder }) => (holder.secrets.epoch === epoch ? holder.revision : -1)).join()
  const rows = await db.unsafe<{ place: number }[]>(
    outdatedPlaces,
    [`{${accounts}}`, `{${revisions}}`, epoch],
    asPrepared,
  )
  return new Set(rows.map(({ place }) => place))
}
