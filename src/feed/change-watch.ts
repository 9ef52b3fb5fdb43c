import type { AccountId } from '../database/account-id.js'
import type { Database } from '../database/database.js'
import { listChanges, type NamedChange, type Revisions } from '../ledger/changes.js'
import { hashTextOfKey } from '../store/key-hash.js'

/** Watches the revisions of accounts for live streams: one query per second for all of them, and none without streams. */

/** The account to watch, and the session token and signal that end the subscription. */
export type Subscription = { account: AccountId; token: string; signal: AbortSignal }

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
  hash: string
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
export function watchChanges(db: Database, { account, token, signal }: Subscription): ChangeWatch {
  const poller = pollers.get(db) ?? new Poller(db)
  pollers.set(db, poller)
  const watcher: Watcher = {
    account,
    hash: hashTextOfKey(token),
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

/** The revision of each watcher's account; undefined if the session has ended, or the account is suspended. */
async function findRevisions(db: Database, watchers: Watcher[]): Promise<(RevisionMark | undefined)[]> {
  const accounts = watchers.map(({ account }) => account)
  const hashes = watchers.map(({ hash }) => hash)
  const rows = await db<(RevisionMark & { place: number })[]>`
    select place::integer, revision, epoch || '.' || 'accounts'::regclass::oid as epoch
    from unnest(${accounts}::integer[], ${hashes}::text[]) with ordinality as watched (account_id, hash, place)
    join sessions session on session.hash = decode(watched.hash, 'base64') and session.account_id = watched.account_id
    join people person on person.account_id = session.account_id and person.person_id = session.person_id
    join accounts account on account.account_id = watched.account_id
    cross join service
    where session.expires_at > now() and session.last_seen_at > now() - interval '7 days' and disabled_at is null
      and suspended_at is null`
  const found = new Map(rows.map(({ place, ...mark }) => [place, mark]))
  return watchers.map((_, index) => found.get(index + 1))
}
