import type { AccountId } from './account-id.js'
import { batcher } from './batcher.js'
import { type Database, openDatabase, type Reader } from './database.js'
import { isUnreachable } from './errors.js'
import { withTimeout } from './timeout.js'

/** Runs a read on a replica or the primary. The work may run twice: on the primary again if the replica fails. */
export type RunRead<Db extends Reader = Database> = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

/**
 * The revision of an account that a replica must have reached to serve its reads, with the time of its last change. After a failover a
 * replica may have a revision that the new primary never had, and that has another content there: its time differs.
 */
export type AccountPosition = { account_id: AccountId; revision: number; changedAt: number; secrets: { epoch: string } }

/** Routes reads to a replica that has reached the reader's position, or else to the primary. */
export type ReadRouter = {
  read<Result>(position: AccountPosition, work: (db: Database) => Promise<Result>): Promise<Result>
  /** Reads served by the primary and each replica, and whether they are in use. */
  counts(): ReadCounts[]
}

export type ReadCounts = { name: string; served: number; isAvailable: boolean }

/** A server that replicates the primary. */
export type Replica = {
  /** Host and port, without credentials. */
  name: string
  db: Database
  /** Connections opened so far: a new one may lead to a server that has restarted. */
  connectionsMade(): number
}

/** A change of a replica's availability, with the reason if it became unavailable. */
export type ReplicaStatus = { name: string; isAvailable: boolean; reason?: string }

export function openReplica(
  url: string,
  { connections, statementTimeout }: { connections: number; statementTimeout?: number | undefined },
): Replica {
  let made = 0
  const onConnection = () => {
    made += 1
  }
  const { host, searchParams } = new URL(url)
  return {
    name: searchParams.get('host') ?? host,
    db: openDatabase({ url }, { connections, onConnection, statementTimeout }),
    connectionsMade: () => made,
  }
}

export function readRouter(
  primary: Database,
  replicas: Replica[],
  onStatus: (status: ReplicaStatus) => void = () => {},
): ReadRouter {
  const followers = replicas.map((replica) => followerOf(replica, onStatus))
  let served = 0
  let turn = 0

  function nextFollower(): Follower | undefined {
    for (let tried = 0; tried < followers.length; tried += 1) {
      turn = (turn + 1) % followers.length
      if (followers[turn]?.isAvailable()) return followers[turn]
    }
    return undefined
  }

  function readPrimary<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    served += 1
    return work(primary)
  }

  async function readAnywhere<Result>(
    position: AccountPosition,
    work: (db: Database) => Promise<Result>,
  ): Promise<Result> {
    const outcome = await nextFollower()?.tryToRead(position, work)
    if (outcome) return outcome.result
    try {
      return await readPrimary(work)
    } catch (error) {
      // The follower may have been the primary itself, which has failed.
      const other = isUnreachable(error) ? await nextFollower()?.tryToRead(position, work) : undefined
      if (!other) throw error
      return other.result
    }
  }

  return {
    read: replicas.length === 0 ? (_position, work) => readPrimary(work) : readAnywhere,
    counts: () => [{ name: 'primary', served, isAvailable: true }, ...followers.map((follower) => follower.counts())],
  }
}

type Follower = {
  /** Starts a background probe if the replica is unavailable: no read waits for it. */
  isAvailable(): boolean
  /** Returns undefined if the read must go to the primary. */
  tryToRead<Result>(
    position: AccountPosition,
    work: (db: Database) => Promise<Result>,
  ): Promise<{ result: Result } | undefined>
  counts(): ReadCounts
}

// Time between probes of an unavailable replica.
const probeInterval = 2000
// A replica that hangs delays a read by this much at most.
const readTimeout = 2000
const maxCachedPositions = 20_000

function followerOf({ name, db, connectionsMade }: Replica, onStatus: (status: ReplicaStatus) => void): Follower {
  let state: 'unknown' | 'unavailable' | 'available' = 'unknown'
  let isProbing = false
  let nextProbe = 0
  let served = 0
  const reached = new Map<string, Change>()
  let reachedSince = 0
  const findPosition = batcher<AccountId, Reached>((accounts) => findPositions(db, accounts), {
    concurrency: 2,
    size: 500,
  })

  async function probe(): Promise<void> {
    isProbing = true
    try {
      await findPositions(db, [])
      state = 'available'
      onStatus({ name, isAvailable: true })
    } catch (error) {
      markUnavailable(error)
    }
    isProbing = false
  }

  function markUnavailable(error: unknown): void {
    nextProbe = performance.now() + probeInterval
    if (state !== 'unavailable') onStatus({ name, isAvailable: false, reason: reasonOf(error) })
    state = 'unavailable'
  }

  // A running server only moves forward, but after a restart it may be a little behind its earlier position. So positions
  // read before a new connection was opened are discarded.
  async function hasReached(position: AccountPosition): Promise<boolean> {
    const { account_id, secrets } = position
    const made = connectionsMade()
    if (reachedSince !== made) reached.clear()
    reachedSince = made
    const key = `${account_id} ${secrets.epoch}`
    if (includes(reached.get(key), position)) return true
    const found = await findPosition(account_id)
    if (found?.epoch !== secrets.epoch || connectionsMade() !== made) return false
    // A later change may be one that the primary does not have.
    if (found.revision !== position.revision || !includes(found, position)) return false
    if (reached.size >= maxCachedPositions) reached.clear()
    reached.set(key, found)
    return true
  }

  async function read<Result>(position: AccountPosition, work: (db: Database) => Promise<Result>) {
    const made = connectionsMade()
    if (!(await hasReached(position))) return undefined
    const result = await work(db)
    if (connectionsMade() !== made) return undefined
    served += 1
    return { result }
  }

  return {
    counts: () => ({ name, served, isAvailable: state !== 'unavailable' }),
    isAvailable() {
      if (state === 'available') return true
      if (!isProbing && performance.now() >= nextProbe) void probe()
      return false
    },
    async tryToRead(position, work) {
      try {
        return await withTimeout(read(position, work), readTimeout)
      } catch (error) {
        // If the read itself is at fault, the primary reports it. A conflict with recovery concerns one query only.
        if (!isConflict(error)) markUnavailable(error)
        return undefined
      }
    },
  }
}

/** The last change of an account. */
type Change = { revision: number; changedAt: number }
type Reached = Change & { epoch: string }

/** Whether a server at this change has that of the position. Both are known to be of one history if the later one was the primary's. */
function includes(change: Change | undefined, { revision, changedAt }: Change): boolean {
  if (!change || change.revision < revision) return false
  return change.revision > revision || change.changedAt === changedAt
}

// A promoted server no longer follows the primary, so its positions do not count.
async function findPositions(db: Database, accounts: AccountId[]): Promise<(Reached | undefined)[]> {
  const rows = await db<(Reached & { account_id: AccountId })[]>`
    select account_id, revision, (extract(epoch from changed_at) * 1e6)::float8 as "changedAt", epoch || '.' || 'accounts'::regclass::oid as epoch
    from accounts cross join service where account_id = any(${accounts}::integer[]) and pg_is_in_recovery()`
  const found = new Map(rows.map((row) => [row.account_id, row]))
  return accounts.map((account) => found.get(account))
}

function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '40001'
}

// If several addresses were tried, the error has only a code.
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || String(error)
}
