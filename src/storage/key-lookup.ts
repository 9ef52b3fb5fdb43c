import { coalesced } from './coalesced.js'
import type { Database } from './database.js'
import { findKeyHolders, type KeyHolder } from './keys.js'

/** Whose key it is, what it may, and how far its account has got: as of now, whoever asks and wherever it changed. */
export type KeyLookup = {
  find(hash: string): Promise<KeyHolder | undefined>
  /** What was last known of the key: it may be outdated. */
  lastKnown(hash: string): KeyHolder | undefined
}

const mostRemembered = 20_000
// Two: while the answers to one batch are sent, the next is on its way.
const batching = { atOnce: 2, most: 500 }

/**
 * What is known of a key holds for as long as its account is at the revision at which it was read: whatever changes a
 * key or an account raises that. So a known key costs a look at its account's revision, shared with all who ask
 * meanwhile.
 */
export function keyLookup(db: Database, { remembers }: { remembers: boolean }): KeyLookup {
  const remembered = new Map<string, KeyHolder>()
  const findHolder = coalesced<string, KeyHolder>((hashes) => findKeyHolders(db, hashes), batching)
  const findWhetherOutdated = coalesced<KeyHolder, boolean>((holders) => findOutdated(db, holders), batching)

  function remember(hash: string, holder: KeyHolder | undefined): KeyHolder | undefined {
    remembered.delete(hash)
    // When a key expires is for the database's clock to say.
    if (!holder || !remembers || holder.expires_at !== null) return holder
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value as string)
    remembered.set(hash, holder)
    return holder
  }

  return {
    lastKnown: (hash) => remembered.get(hash),
    async find(hash) {
      const known = remembered.get(hash)
      if (known && !(await findWhetherOutdated(known))) return known
      return remember(hash, await findHolder(hash))
    },
  }
}

async function findOutdated(db: Database, holders: KeyHolder[]): Promise<boolean[]> {
  const { epoch } = (holders[0] as KeyHolder).secrets
  const accounts = holders.map(({ account_id }) => account_id)
  const revisions = holders.map(({ revision }) => revision)
  // A look into the index for each, however few accounts there are; only what has changed is answered.
  const rows = await db<{ place: number }[]>`
    select place::integer
    from unnest(${accounts}::integer[], ${revisions}::bigint[]) with ordinality as known (account_id, revision, place)
    where (select revision from accounts where account_id = known.account_id) is distinct from known.revision
      or (select epoch || '.' || 'accounts'::regclass::oid from service) <> ${epoch}`
  const outdated = new Set(rows.map(({ place }) => place))
  return holders.map(({ secrets }, index) => outdated.has(index + 1) || secrets.epoch !== epoch)
}
