import { Refusal } from '../contract/refusals.js'
import type { AccountId } from '../database/account-id.js'
import type { Database } from '../database/database.js'
import { isFromServer, isLockTimeout, isUnreachable } from '../database/errors.js'

// How long (ms) a write waits for other writes to the account, such as an import, before it is refused.
const maxWait = 5000

// The first of the writes that share a transaction is answered with the last: so many, and so many bytes of requests, at most.
const maxShared = 16
const maxSharedBytes = 256 * 1024

/** Lets a write share a transaction with others that wait for the same account: it may be run again if that fails. */
export type Sharing = {
  /** Of the request. */
  bytes: number
  /** Two writes with one key are not in one transaction: each reads first what is stored under its key. */
  key: string | undefined
}

type Waiting<Write> = {
  write: Write
  sharing: Sharing | undefined
  resolve(result: unknown): void
  reject(reason: unknown): void
  deadline: number
  /** Refuses a write that waits too long. */
  timer: NodeJS.Timeout | undefined
}

/**
 * Runs writes in one transaction, and returns their results in order. Calls `onProgress` with the number of writes that are done,
 * first when the account is locked.
 */
type RunTogether<Write> = (
  writes: Write[],
  options: { lockTimeout: number; onProgress(done: number): void },
) => Promise<unknown[]>

// Writers of one account queue here, so that a busy account holds one connection of this process, not all.
const queues = new WeakMap<Database, Map<AccountId, unknown[]>>()

/**
 * Runs the writes of one account in the order they came. Those that come while a transaction is open share the next one: the
 * account is locked, statements are sent, and the database waits for its disk, once for all of them.
 */
export function inTurn<Write, Result>(
  db: Database,
  account: AccountId,
  write: Write,
  { sharing, run }: { sharing: Sharing | undefined; run: RunTogether<Write> },
): Promise<Result> {
  const accounts = queues.get(db) ?? new Map<AccountId, unknown[]>()
  queues.set(db, accounts)
  return new Promise((resolve, reject) => {
    const deadline = performance.now() + maxWait
    const waiting: Waiting<Write> = { write, sharing, resolve, reject, deadline, timer: undefined }
    const queue = accounts.get(account) as Waiting<Write>[] | undefined
    if (queue) {
      waiting.timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(busy())
      }, maxWait)
      queue.push(waiting)
      return
    }
    const own = [waiting]
    accounts.set(account, own)
    void runAll(own, run, () => accounts.delete(account))
  })
}

async function runAll<Write>(queue: Waiting<Write>[], run: RunTogether<Write>, onEmpty: () => void): Promise<void> {
  while (queue.length > 0) {
    const next = queue.splice(0, lengthOfTurn(queue))
    for (const { timer } of next) clearTimeout(timer)
    await runTogether(next, run)
  }
  onEmpty()
}

/** How many of the first writes share a transaction. */
function lengthOfTurn(queue: Waiting<unknown>[]): number {
  const keys = new Set<string>()
  let bytes = 0
  const end = queue.findIndex(({ sharing }, index) => {
    if (!sharing) return true
    const { key } = sharing
    bytes += sharing.bytes
    const isOver = index === maxShared || bytes > maxSharedBytes || (key !== undefined && keys.has(key))
    if (key !== undefined) keys.add(key)
    return isOver
  })
  return Math.max(1, end === -1 ? queue.length : end)
}

/**
 * The writes settle when their transaction has ended. If one of them fails, nothing was written: those before it run again, and
 * it is refused only in a transaction that it begins.
 */
async function runTogether<Write>(writes: Waiting<Write>[], run: RunTogether<Write>): Promise<void> {
  let done = -1
  const [first, ...others] = writes as [Waiting<Write>, ...Waiting<Write>[]]
  try {
    const lockTimeout = Math.ceil(first.deadline - performance.now())
    if (lockTimeout <= 0) throw busy()
    const onProgress = (count: number) => {
      done = count
    }
    const results = await run(
      writes.map(({ write }) => write),
      { lockTimeout, onProgress },
    )
    for (const [index, { resolve }] of writes.entries()) resolve(results[index])
  } catch (error) {
    const isLost = isUnreachable(error) && !isLockTimeout(error)
    const isRolledBack = done < writes.length || error instanceof Refusal || isFromServer(error)
    if (others.length === 0 || isLost || !isRolledBack) {
      // Where the connection was lost the transaction may have been committed: none is run again.
      for (const { reject } of writes) reject(error)
    } else if (done === writes.length) {
      // A statement that nobody waited for has failed: whose is not known.
      for (const write of writes) await runTogether([write], run)
    } else if (done <= 0) {
      // The others may have more time left.
      first.reject(error)
      await runTogether(others, run)
    } else {
      await runTogether(writes.slice(0, done), run)
      await runTogether(writes.slice(done), run)
    }
  }
}

function busy(): Refusal {
  return new Refusal('service_unavailable', 'The account is being written to; try again.')
}
