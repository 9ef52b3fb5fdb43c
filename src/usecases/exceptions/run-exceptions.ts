import { setTimeout as sleep } from 'node:timers/promises'
import { businessTime } from '../../clock/clock.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { isCancelled, isDeadlock, isUnreachable } from '../../database/errors.js'
import { serviceAuthor } from '../../domain/exceptions/episodes.js'
import {
  type EvaluationState,
  getEvaluationState,
  listAccountsToEvaluate,
  listDueWatches,
  markAll,
  markChanged,
  saveEvaluationState,
  saveWatches,
  tryEvaluatorLock,
  type Watch,
  watchedKinds,
} from '../../store/exception-watches.js'
import { evaluateWatches } from './evaluate.js'

/**
 * Raises and clears exceptions when records change and when time passes. One process at a time does it, in steps of one
 * transaction each: what a process leaves undone, the next step does. Accounts take turns; those whose records changed come
 * before those that are due by the clock.
 */

type Options = {
  signal: AbortSignal
  onError(error: unknown): void
  /** Business time, unless it is simulated and others have to be done before. */
  readTime?: (() => number) | undefined
}

// Changes are gathered for as long (ms), and evaluated together: while much changes, for three times as long as the last round took. A step of
// an account takes some 25 statements, whether one of its shipments has changed or many.
const shortestPause = 1000
// A change is reflected within five seconds.
const longestPause = 3000
const pauseFactor = 3
const pauseAfterError = 5000
// After as long of what is due by the clock, changes of all accounts are looked for again (ms).
const clockSlice = 1000
// Subjects of one step, and the bytes of tracking in it: the account is locked for the end of it only.
const mostSubjects = 200
const mostBytes = 8 * 1024 * 1024
// Others wait for the account too (ms): one that is being written to is left for the next round.
const lockTimeout = 1000

/** Runs until the signal aborts. */
export async function runExceptions(
  db: Database,
  { signal, onError, readTime = businessTime }: Options,
): Promise<void> {
  const turn: Turn = { last: 0 }
  while (!signal.aborted) {
    const startedAt = performance.now()
    let pause: number
    try {
      const isMore = await evaluateRound(db, readTime(), signal, turn)
      pause = isMore
        ? 0
        : Math.max(shortestPause, Math.min(longestPause, pauseFactor * (performance.now() - startedAt)))
    } catch (error) {
      if (signal.aborted) return
      if (!isTemporary(error)) onError(error)
      pause = pauseAfterError
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}

type Progress = 'nothing to do' | 'done' | 'more to do'

/** The account that was evaluated last by the clock. */
type Turn = { last: AccountId }

/** A step for each account with changes, then one for each that is due, while the time lasts. Whether there is more to do at once. */
async function evaluateRound(db: Database, now: number, signal: AbortSignal, turn: Turn): Promise<boolean> {
  const progress = new Set<Progress>()
  let failure: unknown
  const step = async (account: AccountId, options: StepOptions = {}) => {
    try {
      progress.add(await evaluateStep(db, account, now, options))
    } catch (error) {
      // One account that fails or is locked does not hold up the others.
      failure = error
    }
  }
  const accounts = await listAccountsToEvaluate(db, now)
  for (const { account_id } of accounts.filter(({ has_changed }) => has_changed)) {
    if (signal.aborted) return false
    await step(account_id, { onlyChanges: true })
  }
  const due = accounts.filter(({ is_due }) => is_due).map(({ account_id }) => account_id)
  const until = performance.now() + clockSlice
  let isLeft = false
  for (const account of [...due.filter((each) => each > turn.last), ...due.filter((each) => each <= turn.last)]) {
    if (signal.aborted) return false
    isLeft = performance.now() > until
    if (isLeft) break
    await step(account)
    turn.last = account
  }
  if (failure !== undefined && !progress.has('done') && !progress.has('more to do')) throw failure
  return isLeft || progress.has('more to do')
}

/** Evaluates everything that has changed or is due, beside the processes that do so too. */
export async function evaluateDue(db: Database, now: number, signal: AbortSignal): Promise<void> {
  const turn: Turn = { last: 0 }
  while (!signal.aborted && (await listAccountsToEvaluate(db, now)).length > 0) {
    // Another one evaluates, or is done.
    if (!(await evaluateRound(db, now, signal, turn))) await sleep(10)
  }
}

/** Evaluates everything of an account that has changed or is due, for tools: no process may evaluate meanwhile. */
export async function evaluateAccount(db: Database, account: AccountId, now = businessTime()): Promise<void> {
  for (;;) if ((await evaluateStep(db, account, now, { isOnly: true })) === 'nothing to do') return
}

type StepOptions = {
  /** No other process evaluates. */
  isOnly?: boolean
  /** What is due by the clock comes later. */
  onlyChanges?: boolean
}

async function evaluateStep(
  db: Database,
  account: AccountId,
  now: number,
  { isOnly = false, onlyChanges = false }: StepOptions = {},
): Promise<Progress> {
  return db.begin(
    async (sql) => {
      if (!isOnly && !(await tryEvaluatorLock(sql))) return 'nothing to do'
      const state = await mark(sql, account, await getEvaluationState(sql, account, now), now)
      const due = await listDueWatches(sql, account, onlyChanges ? undefined : now, mostSubjects)
      const watches = limited(due)
      const { watched_since: watchedSince, newest } = state
      const { updates, revision } = await evaluateWatches(sql, account, watches, {
        watchedSince,
        revision: newest,
        now,
      })
      // Own changes need not be marked; if others came in between, they are looked through and left out.
      const isAlone = revision !== undefined && revision === state.revision + 1
      sql.send(
        saveEvaluationState(sql, account, { ...state, revision: isAlone ? revision : state.revision }),
        ...saveWatches(sql, account, updates),
      )
      const isMore = watches.length < due.length || due.length === mostSubjects
      if (isMore || state.kind !== null || state.revision < state.newest) return 'more to do'
      return due.length > 0 ? 'done' : 'nothing to do'
    },
    // Marking the changes of a large import takes long. Statistics are stale right after it: without pinned plans, an account that seems empty is scanned for each batch.
    { pinsPlans: true, statementTimeout: 0, ...(isOnly ? {} : { lockTimeout }) },
  )
}

/** Marks what has to be evaluated: what changed, and everything of a new account or after a change of rules. */
async function mark(
  sql: TransactionSql,
  account: AccountId,
  state: EvaluationState,
  now: number,
): Promise<EvaluationState> {
  const revision =
    state.newest > state.revision ? await markChanged(sql, account, state, serviceAuthor) : state.revision
  // While everything is marked for the first time, the rules are stored with this before them.
  const isHistory = state.rules === '' || state.rules.startsWith(firstPass)
  const isOutdated = state.rules !== (isHistory ? firstPass : '') + state.present_rules
  const kind = isOutdated ? (watchedKinds[0] ?? null) : state.kind
  const after = isOutdated ? null : state.id
  const marked = { ...state, revision, rules: state.present_rules }
  if (kind === null) return { ...marked, kind, id: after }
  const last = await markAll(sql, account, { kind, after, now, isHistory })
  const next = last === undefined ? (watchedKinds[watchedKinds.indexOf(kind) + 1] ?? null) : kind
  const isMore = isHistory && next !== null
  return { ...marked, kind: next, id: last ?? null, ...(isMore && { rules: firstPass + state.present_rules }) }
}

const firstPass = 'first: '

function limited(watches: Watch[]): Watch[] {
  let bytes = 0
  const most = watches.findIndex((watch) => {
    bytes += watch.bytes ?? 0
    return bytes > mostBytes
  })
  return most === -1 ? watches : watches.slice(0, Math.max(1, most))
}

function isTemporary(error: unknown): boolean {
  return isUnreachable(error) || isCancelled(error) || isDeadlock(error)
}
