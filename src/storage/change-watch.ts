import { listChanges, type NamedChange, type Revisions } from './changes.js'
import type { Database } from './database.js'
import { hashTextOfKey } from './key-hash.js'
import type { AccountId } from './transaction.js'

/** What changes in accounts that somebody looks at: one look a second for all of them, and none while there are none. */

/** Whose changes are watched, and by whom: it ends with their session. */
export type Watched = { account: AccountId; token: string; signal: AbortSignal }

/** How far an account has got. After a restore its revisions are others. */
export type Standing = { revision: number; epoch: string }

type News = Standing | 'nothing new' | 'over'

export type Watch = {
  /** Waits until the account stands elsewhere than that, until nothing was new for a while, or until it is over. */
  next(known: Standing): Promise<News>
  /** What some revisions have changed: those who want to know the same at once are told by one query. */
  changes(revisions: Revisions, mostOfEach: number): Promise<NamedChange[]>
  end(): void
}

type Watcher = {
  account: AccountId
  hash: string
  /** What whoever waits knows, and what was seen at the last look. */
  known: Standing | undefined
  seen: Standing | undefined
  isOver: boolean
  quietSince: number
  wake: ((news: News) => void) | undefined
}

const lookEvery = 1000
const longestQuiet = 20_000

const looks = new WeakMap<Database, Look>()

/** Joins the watch of a database: there is one for a process, however many watch. */
export function watchChanges(db: Database, { account, token, signal }: Watched): Watch {
  const look = looks.get(db) ?? new Look(db)
  looks.set(db, look)
  const watcher: Watcher = {
    account,
    hash: hashTextOfKey(token),
    known: undefined,
    seen: undefined,
    isOver: signal.aborted,
    quietSince: performance.now(),
    wake: undefined,
  }
  const end = () => {
    watcher.isOver = true
    look.remove(watcher)
    wakeWith(watcher)
  }
  if (!watcher.isOver) look.add(watcher)
  signal.addEventListener('abort', end, { once: true })
  return {
    next: (known) =>
      new Promise((resolve) => {
        watcher.known = known
        watcher.wake = resolve
        wakeWith(watcher)
      }),
    changes: (revisions, mostOfEach) => look.changes(account, revisions, mostOfEach),
    end() {
      signal.removeEventListener('abort', end)
      end()
    },
  }
}

/** Wakes whoever waits, if there is anything to tell. Whoever is busy finds it when they ask: nothing piles up. */
function wakeWith(watcher: Watcher): void {
  const { wake, known, seen, isOver } = watcher
  if (!wake || !known) return
  const isNew = seen && (seen.revision !== known.revision || seen.epoch !== known.epoch)
  const isQuiet = performance.now() - watcher.quietSince >= longestQuiet
  if (!isOver && !isNew && !isQuiet) return
  watcher.wake = undefined
  watcher.quietSince = performance.now()
  wake(isOver ? 'over' : isNew ? seen : 'nothing new')
}

class Look {
  readonly #db: Database
  readonly #watchers = new Set<Watcher>()
  readonly #read = new Map<string, Promise<NamedChange[]>>()
  #timer: NodeJS.Timeout | undefined
  #isUnderWay = false
  #isWanted = false

  constructor(db: Database) {
    this.#db = db
  }

  // Whoever has just come is told at once what is new.
  add(watcher: Watcher): void {
    this.#watchers.add(watcher)
    this.#timer ??= setInterval(() => void this.#lookAgain(), lookEvery)
    void this.#lookAgain()
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher)
    if (this.#watchers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#read.clear()
  }

  changes(account: AccountId, revisions: Revisions, mostOfEach: number): Promise<NamedChange[]> {
    const name = `${account} ${revisions.after} ${revisions.upTo} ${mostOfEach}`
    const known = this.#read.get(name)
    if (known) return known
    const read = listChanges(this.#db, account, revisions, mostOfEach)
    this.#read.set(name, read)
    return read
  }

  async #lookAgain(): Promise<void> {
    this.#isWanted = true
    if (this.#isUnderWay) return
    this.#isUnderWay = true
    while (this.#isWanted && this.#watchers.size > 0) {
      this.#isWanted = false
      await this.#look()
    }
    this.#isUnderWay = false
  }

  async #look(): Promise<void> {
    // What was read for the last news is of no use for the next.
    this.#read.clear()
    const watchers = [...this.#watchers]
    try {
      const standings = await findStandings(this.#db, watchers)
      for (const [index, watcher] of watchers.entries()) {
        watcher.seen = standings[index]
        watcher.isOver ||= standings[index] === undefined
      }
    } catch {
      // While the database is away there is no news. Requests tell of that, and the next look is soon.
    }
    for (const watcher of watchers) wakeWith(watcher)
  }
}

/** How far the account of each has got; undefined where the session has ended, or the account is suspended. */
async function findStandings(db: Database, watchers: Watcher[]): Promise<(Standing | undefined)[]> {
  const accounts = watchers.map(({ account }) => account)
  const hashes = watchers.map(({ hash }) => hash)
  const rows = await db<(Standing & { place: number })[]>`
    select place::integer, revision, epoch || '.' || 'accounts'::regclass::oid as epoch
    from unnest(${accounts}::integer[], ${hashes}::text[]) with ordinality as watched (account_id, hash, place)
    join sessions session on session.hash = decode(watched.hash, 'base64') and session.account_id = watched.account_id
    join people person on person.account_id = session.account_id and person.person_id = session.person_id
    join accounts account on account.account_id = watched.account_id
    cross join service
    where session.expires_at > now() and session.last_seen_at > now() - interval '7 days' and disabled_at is null
      and suspended_at is null`
  const found = new Map(rows.map(({ place, ...standing }) => [place, standing]))
  return watchers.map((_, index) => found.get(index + 1))
}
