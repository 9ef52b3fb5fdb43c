import type { AccountId } from '../database/account-id.js'
import type { Database } from '../database/database.js'
import { listChanges, type NamedChange, type Revisions } from '../ledger/changes.js'
import { hashTextOfKey } from '../store/key-hash.js'

/**
 * Watches the revisions of accounts for live streams and for requests that wait for changes: one query per second for all
 * of them, and none without any.
 */

/** The account to watch, whose session or key it depends on, and the signal that ends the subscription. */
export type ChangeSubscription = { account: AccountId; signal: AbortSignal } & ({ token: string } | { key_id: string })

/** The revision of an account. The epoch changes when a backup is restored, which changes the meaning of revisions. */
export type RevisionMark = { revision: number; epoch: string }

type Update = RevisionMark | 'timeout' | 'ended'

export type ChangeWatch = {
  /** Waits until the account is at another revision, until the keep-alive timeout, or until the subscription ends. */
  next(known: RevisionMark): Promise<Update>
  /** The changes of some revisions; concurrent identical calls share one query. */
  changes(revisions: Revisions, mostOfEach: number): Promise<NamedChange[]>
  end(): void
}

type Watcher = {
  account: AccountId
  /** Of the session; undefined for a key. */
  hash: string | undefined
  key_id: string
  /** The revision that the caller of `next` knows, and the one that the last poll returned. */
  known: RevisionMark | undefined
  seen: RevisionMark | undefined
  hasEnded: boolean
  lastUpdate: number
  resolve: ((update: Update) => void) | undefined
}

const pollInterval = 1000
const keepAliveTimeout = 20_000

const pollers = new WeakMap<Database, Poller>()

/** Subscribes to the changes of an account. All subscriptions of a process to a database share one poller. */
export function watchChanges(db: Database, subscription: ChangeSubscription): ChangeWatch {
  const { account, signal } = subscription
  const poller = pollers.get(db) ?? new Poller(db)
  pollers.set(db, poller)
  const watcher: Watcher = {
    account,
    hash: 'token' in subscription ? hashTextOfKey(subscription.token) : undefined,
    key_id: 'key_id' in subscription ? subscription.key_id : '',
    known: undefined,
    seen: undefined,
    hasEnded: signal.aborted,
    lastUpdate: performance.now(),
    resolve: undefined,
  }
  const end = () => {
    watcher.hasEnded = true
    poller.remove(watcher)
    notify(watcher)
  }
  if (!watcher.hasEnded) poller.add(watcher)
  signal.addEventListener('abort', end, { once: true })
  return {
    next: (known) =>
      new Promise((resolve) => {
        watcher.known = known
        watcher.resolve = resolve
        notify(watcher)
      }),
    changes: (revisions, mostOfEach) => poller.changes(account, revisions, mostOfEach),
    end() {
      signal.removeEventListener('abort', end)
      end()
    },
  }
}

/** Resolves a pending `next` if there is an update. Updates do not queue up: a busy caller finds the newest revision later. */
function notify(watcher: Watcher): void {
  const { resolve, known, seen, hasEnded } = watcher
  if (!resolve || !known) return
  const isNew = seen && (seen.revision !== known.revision || seen.epoch !== known.epoch)
  const isTimeout = performance.now() - watcher.lastUpdate >= keepAliveTimeout
  if (!hasEnded && !isNew && !isTimeout) return
  watcher.resolve = undefined
  watcher.lastUpdate = performance.now()
  resolve(hasEnded ? 'ended' : isNew ? seen : 'timeout')
}

class Poller {
  readonly #db: Database
  readonly #watchers = new Set<Watcher>()
  readonly #changes = new Map<string, Promise<NamedChange[]>>()
  #timer: NodeJS.Timeout | undefined
  #isPolling = false
  #isRequested = false

  constructor(db: Database) {
    this.#db = db
  }

  // Polls at once, so that a new subscription does not wait for the interval.
  add(watcher: Watcher): void {
    this.#watchers.add(watcher)
    this.#timer ??= setInterval(() => void this.#requestPoll(), pollInterval)
    void this.#requestPoll()
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher)
    if (this.#watchers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#changes.clear()
  }

  changes(account: AccountId, revisions: Revisions, mostOfEach: number): Promise<NamedChange[]> {
    const key = `${account} ${revisions.after} ${revisions.upTo} ${mostOfEach}`
    const cached = this.#changes.get(key)
    if (cached) return cached
    const changes = listChanges(this.#db, account, revisions, mostOfEach)
    this.#changes.set(key, changes)
    return changes
  }

  async #requestPoll(): Promise<void> {
    this.#isRequested = true
    if (this.#isPolling) return
    this.#isPolling = true
    while (this.#isRequested && this.#watchers.size > 0) {
      this.#isRequested = false
      await this.#poll()
    }
    this.#isPolling = false
  }

  async #poll(): Promise<void> {
    // The cached changes served the previous update.
    this.#changes.clear()
    const watchers = [...this.#watchers]
    try {
      const revisions = await findRevisions(this.#db, watchers)
      for (const [index, watcher] of watchers.entries()) {
        watcher.seen = revisions[index]
        watcher.hasEnded ||= revisions[index] === undefined
      }
    } catch {
      // The database is unavailable: requests report that, and the next poll follows in a second.
    }
    for (const watcher of watchers) notify(watcher)
  }
}

/** The revision of each watcher's account; undefined if the session or key has ended, or the account is suspended. */
async function findRevisions(db: Database, watchers: Watcher[]): Promise<(RevisionMark | undefined)[]> {
  const ofSessions = watchers.filter(({ hash }) => hash !== undefined)
  const ofKeys = watchers.filter(({ hash }) => hash === undefined)
  const [sessions, keys] = await Promise.all([
    ofSessions.length > 0 ? findRevisionsOfSessions(db, ofSessions) : [],
    ofKeys.length > 0 ? findRevisionsOfKeys(db, ofKeys) : [],
  ])
  const found = new Map<Watcher, RevisionMark>()
  for (const { place, ...mark } of sessions) found.set(ofSessions[place - 1] as Watcher, mark)
  for (const { place, ...mark } of keys) found.set(ofKeys[place - 1] as Watcher, mark)
  return watchers.map((watcher) => found.get(watcher))
}

type PlacedMark = RevisionMark & { place: number }

async function findRevisionsOfSessions(db: Database, watchers: Watcher[]): Promise<PlacedMark[]> {
  const accounts = watchers.map(({ account }) => account)
  const hashes = watchers.map(({ hash }) => hash ?? '')
  return db<PlacedMark[]>`
    select place::integer, revision, epoch || '.' || 'accounts'::regclass::oid as epoch
    from unnest(${accounts}::integer[], ${hashes}::text[]) with ordinality as watched (account_id, hash, place)
    join sessions session on session.hash = decode(watched.hash, 'base64') and session.account_id = watched.account_id
    join people person on person.account_id = session.account_id and person.person_id = session.person_id
    join accounts account on account.account_id = watched.account_id
    cross join service
    where session.expires_at > now() and session.last_seen_at > now() - interval '7 days' and disabled_at is null
      and suspended_at is null`
}

// Requests of people and of the sandbox have names in place of keys.
async function findRevisionsOfKeys(db: Database, watchers: Watcher[]): Promise<PlacedMark[]> {
  const accounts = watchers.map(({ account }) => account)
  const keys = watchers.map(({ key_id }) => key_id)
  return db<PlacedMark[]>`
    select place::integer, revision, epoch || '.' || 'accounts'::regclass::oid as epoch
    from unnest(${accounts}::integer[], ${keys}::text[]) with ordinality as watched (account_id, key_id, place)
    join accounts account on account.account_id = watched.account_id
    cross join service
    where suspended_at is null and (watched.key_id = 'sandbox'
      or exists (
        select from keys key
        where key.account_id = watched.account_id and key.key_id = watched.key_id and revoked_at is null
          and (expires_at is null or expires_at > now()))
      or exists (
        select from people person
        where person.account_id = watched.account_id and person.person_id = substr(watched.key_id, length('person:') + 1)
          and watched.key_id like 'person:%' and disabled_at is null))`
}
