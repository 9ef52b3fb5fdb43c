import { coalesced } from './coalesced.js'
import { type Database, openDatabase, type Reader } from './database.js'
import { inTime } from './in-time.js'
import type { KeyHolder } from './keys.js'
import type { AccountId } from './transaction.js'

/** Puts a question to whoever may answer it: a second time to somebody else, where the first does not. */
export type Ask<Db extends Reader = Database> = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

/** How far somebody's account has got: what a replica must have reached to be read for them. */
export type Standing = Pick<KeyHolder, 'account_id' | 'revision'> & { secrets: Pick<KeyHolder['secrets'], 'epoch'> }

/** Where reads are answered from: a replica that has what the reader must see, or else the primary. */
export type Readers = {
  read<Result>(standing: Standing, work: (db: Database) => Promise<Result>): Promise<Result>
  /** How many reads the primary and each replica have answered, and whether they are read from. */
  tally(): ReadTally[]
}

export type ReadTally = { name: string; answered: number; isRead: boolean }

/** One server that follows the primary. */
export type Replica = {
  /** Where it is, without a password. */
  name: string
  db: Database
  /** How many connections to it were made: the latest may be to a server that has started anew. */
  connectionsMade(): number
}

/** What becomes of a replica: it is read from, or was left alone for a reason. */
export type ReplicaNews = { name: string; isRead: boolean; reason?: string }

export function openReplica(url: string, { connections }: { connections: number }): Replica {
  let made = 0
  const onConnection = () => {
    made += 1
  }
  const { host, searchParams } = new URL(url)
  return {
    name: searchParams.get('host') ?? host,
    db: openDatabase({ url }, { connections, onConnection }),
    connectionsMade: () => made,
  }
}

export function readersOf(
  primary: Database,
  replicas: Replica[],
  onNews: (news: ReplicaNews) => void = () => {},
): Readers {
  const followers = replicas.map((replica) => followerOf(replica, onNews))
  let answered = 0
  let turn = 0

  function nextFollower(): Follower | undefined {
    for (let tried = 0; tried < followers.length; tried += 1) {
      turn = (turn + 1) % followers.length
      if (followers[turn]?.isThere()) return followers[turn]
    }
    return undefined
  }

  function readPrimary<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    answered += 1
    return work(primary)
  }

  async function readSomewhere<Result>(standing: Standing, work: (db: Database) => Promise<Result>): Promise<Result> {
    const answer = await nextFollower()?.tryToRead(standing, work)
    return answer ? answer.result : readPrimary(work)
  }

  return {
    read: replicas.length === 0 ? (_standing, work) => readPrimary(work) : readSomewhere,
    tally: () => [{ name: 'primary', answered, isRead: true }, ...followers.map((follower) => follower.tally())],
  }
}

type Follower = {
  /** One that is away is looked for meanwhile: no reader waits for that. */
  isThere(): boolean
  /** Undefined where the primary is to be asked. */
  tryToRead<Result>(
    standing: Standing,
    work: (db: Database) => Promise<Result>,
  ): Promise<{ result: Result } | undefined>
  tally(): ReadTally
}

// Between two looks for one that is away.
const pause = 2000
// One that has stopped answering holds up no reader for longer.
const patience = 2000
const mostRemembered = 20_000

function followerOf({ name, db, connectionsMade }: Replica, onNews: (news: ReplicaNews) => void): Follower {
  let state: 'unknown' | 'away' | 'there' = 'unknown'
  let isSought = false
  let nextLook = 0
  let answered = 0
  const reached = new Map<string, number>()
  let reachedSince = 0
  const findStanding = coalesced<AccountId, Reached>((accounts) => findStandings(db, accounts), {
    atOnce: 2,
    most: 500,
  })

  async function look(): Promise<void> {
    isSought = true
    try {
      await findStandings(db, [])
      state = 'there'
      onNews({ name, isRead: true })
    } catch (error) {
      leave(error)
    }
    isSought = false
  }

  function leave(error: unknown): void {
    nextLook = performance.now() + pause
    if (state !== 'away') onNews({ name, isRead: false, reason: reasonOf(error) })
    state = 'away'
  }

  // A server that runs only goes forward. One that has started anew may begin a little before where it was: what was
  // known before a connection was made says nothing about who answers on it.
  async function hasReached({ account_id, revision, secrets }: Standing): Promise<boolean> {
    const made = connectionsMade()
    if (reachedSince !== made) reached.clear()
    reachedSince = made
    const place = `${account_id} ${secrets.epoch}`
    if ((reached.get(place) ?? -1) >= revision) return true
    const found = await findStanding(account_id)
    if (found?.epoch !== secrets.epoch || connectionsMade() !== made) return false
    if (reached.size >= mostRemembered) reached.clear()
    reached.set(place, found.revision)
    return found.revision >= revision
  }

  async function read<Result>(standing: Standing, work: (db: Database) => Promise<Result>) {
    const made = connectionsMade()
    if (!(await hasReached(standing))) return undefined
    const result = await work(db)
    if (connectionsMade() !== made) return undefined
    answered += 1
    return { result }
  }

  return {
    tally: () => ({ name, answered, isRead: state !== 'away' }),
    isThere() {
      if (state === 'there') return true
      if (!isSought && performance.now() >= nextLook) void look()
      return false
    },
    async tryToRead(standing, work) {
      try {
        return await inTime(read(standing, work), patience)
      } catch (error) {
        // Whatever it is, the primary tells if it is wrong with the read. One query that stood in the way of what the
        // replica had to catch up on says nothing about the next.
        if (!isConflict(error)) leave(error)
        return undefined
      }
    },
  }
}

type Reached = { revision: number; epoch: string }

// One that was promoted follows nobody: it is no longer known what it has.
async function findStandings(db: Database, accounts: AccountId[]): Promise<(Reached | undefined)[]> {
  const rows = await db<(Reached & { account_id: AccountId })[]>`
    select account_id, revision, epoch || '.' || 'accounts'::regclass::oid as epoch
    from accounts cross join service where account_id = any(${accounts}::integer[]) and pg_is_in_recovery()`
  const found = new Map(rows.map((row) => [row.account_id, row]))
  return accounts.map((account) => found.get(account))
}

function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '40001'
}

// Where several addresses were tried in vain, the error has a code only.
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || String(error)
}
