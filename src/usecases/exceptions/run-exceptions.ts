import { setTimeout as sleep } from 'node:timers/promises'
import { businessTime } from '../../clock/clock.js'
import type { AccountId } from '../../database/account-id.js'
import { allEnded } from '../../database/all-ended.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { isCancelled, isDeadlock, isUnreachable } from '../../database/errors.js'
import { type EffectiveRules, effectiveRules } from '../../domain/exceptions/thresholds.js'
import type { FreeTimeRules } from '../../domain/free-time/free-time-rules.js'
import { lockIfFree } from '../../ledger/commit.js'
import { readFreeTimeRules } from '../../ledger/free-time-rules.js'
import { markAll, markChanged } from '../../store/exception-marks.js'
import { findExceptionRules } from '../../store/exception-rules.js'
import {
  type EvaluationState,
  getEvaluationState,
  listAccountsToEvaluate,
  listDueWatches,
  saveEvaluationState,
  saveWatches,
  tryEvaluatorLock,
  type Watch,
  watchedKinds,
} from '../../store/exception-watches.js'
import { evaluateWatches, type Outcome, storeExceptions } from './evaluate.js'

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

// Accounts with changes share the statements of a step.
const accountsPerStep = 10

/** Steps of the accounts with changes, then one for each that is due, while the time lasts. Whether there is more to do at once. */
async function evaluateRound(db: Database, now: number, signal: AbortSignal, turn: Turn): Promise<boolean> {
  const progress = new Set<Progress>()
  let failure: unknown
  const step = async (accounts: AccountId[], options: StepOptions = {}) => {
    let left: AccountId[] = []
    try {
      const done = await evaluateStep(db, accounts, now, options)
      progress.add(done.progress)
      left = done.left
    } catch (error) {
      // One account that fails or is locked does not hold up the others.
      failure = error
      if (accounts.length > 1) left = accounts
    }
    for (const account of left) if (!signal.aborted) await step([account], options)
  }
  const found = await listAccountsToEvaluate(db, now)
  const changed = found.filter(({ has_changed }) => has_changed).map(({ account_id }) => account_id)
  for (let from = 0; from < changed.length; from += accountsPerStep) {
    if (signal.aborted) return false
    await step(changed.slice(from, from + accountsPerStep), { onlyChanges: true })
  }
  const due = found.filter(({ is_due }) => is_due).map(({ account_id }) => account_id)
  const until = performance.now() + clockSlice
  let isLeft = false
  for (const account of [...due.filter((each) => each > turn.last), ...due.filter((each) => each <= turn.last)]) {
    if (signal.aborted) return false
    isLeft = performance.now() > until
    if (isLeft) break
    await step([account])
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
  for (;;) if ((await evaluateStep(db, [account], now, { isOnly: true })).progress === 'nothing to do') return
}

type StepOptions = {
  /** No other process evaluates. */
  isOnly?: boolean
  /** What is due by the clock comes later. */
  onlyChanges?: boolean
}

/** Returns the accounts that are left since others have locked them: only a step of one account waits for its lock. */
async function evaluateStep(
  db: Database,
  accounts: AccountId[],
  now: number,
  { isOnly = false, onlyChanges = false }: StepOptions = {},
): Promise<{ progress: Progress; left: AccountId[] }> {
  return db.begin(
    async (sql) => {
      const [freeTime, isEvaluator] = await Promise.all([readFreeTimeRules(sql), isOnly || tryEvaluatorLock(sql)])
      if (!isEvaluator) return { progress: 'nothing to do', left: [] }
      const limits = { until: onlyChanges ? undefined : now, share: 1 / accounts.length }
      const steps = await allEnded(accounts.map((account) => evaluateOne(sql, account, { now, freeTime, ...limits })))
      const writing = steps.flatMap(({ account, changed }) => (changed.length > 0 ? account : []))
      const free = accounts.length > 1 ? await lockIfFree(sql, writing) : new Set(writing)
      const left = writing.filter((account) => !free.has(account))
      const progress = await allEnded(
        steps.filter(({ account }) => !left.includes(account)).map((step) => storeStep(sql, step)),
      )
      const furthest = (['more to do', 'done'] as const).find((each) => progress.includes(each))
      return { progress: furthest ?? 'nothing to do', left }
    },
    // Marking the changes of a large import takes long. Statistics are stale right after it: without pinned plans, an account that seems empty is scanned for each batch.
    { pinsPlans: true, statementTimeout: 0, ...(isOnly ? {} : { lockTimeout }) },
  )
}

/** What was evaluated of an account. */
type Step = {
  account: AccountId
  state: EvaluationState
  rules: EffectiveRules
  outcomes: Outcome[]
  changed: Outcome[]
  isMore: boolean
}

async function evaluateOne(
  sql: TransactionSql,
  account: AccountId,
  { until, share, now, freeTime }: { until: number | undefined; share: number; now: number; freeTime: FreeTimeRules },
): Promise<Step> {
  const state = await mark(sql, account, await getEvaluationState(sql, account, now), now)
  const most = Math.ceil(mostSubjects * share)
  const [due, settings] = await Promise.all([
    listDueWatches(sql, account, until, most),
    findExceptionRules(sql, account),
  ])
  const watches = limited(due, mostBytes * share)
  const rules = effectiveRules(settings.forwarder, settings.account)
  const { slug, watched_since: watchedSince } = state
  const outcomes = await evaluateWatches(sql, account, watches, { rules, slug, freeTime, watchedSince, now })
  const changed = outcomes.filter(({ versions }) => versions.length > 0)
  return { account, state, rules, outcomes, changed, isMore: watches.length < due.length || due.length === most }
}

async function storeStep(
  sql: TransactionSql,
  { account, state, rules, outcomes, changed, isMore }: Step,
): Promise<Progress> {
  const revision = await storeExceptions(sql, account, changed, { rules, before: state.newest })
  // Own changes need not be marked; if others came in between, they are looked through and left out.
  const isAlone = revision !== undefined && revision === state.revision + 1
  saveEvaluationState(sql, account, { ...state, revision: isAlone ? revision : state.revision })
  saveWatches(
    sql,
    account,
    outcomes.map(({ update }) => update),
  )
  if (isMore || state.kind !== null || state.revision < state.newest) return 'more to do'
  return outcomes.length > 0 ? 'done' : 'nothing to do'
}

/** Marks what has to be evaluated: what changed, and everything of a new account or after a change of rules. */
async function mark(
  sql: TransactionSql,
  account: AccountId,
  state: EvaluationState,
  now: number,
): Promise<EvaluationState> {
  const revision = state.newest > state.revision ? await markChanged(sql, account, state) : state.revision
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

function limited(watches: Watch[], limit: number): Watch[] {
  let bytes = 0
  const most = watches.findIndex((watch) => {
    bytes += watch.bytes ?? 0
    return bytes > limit
  })
  return most === -1 ? watches : watches.slice(0, Math.max(1, most))
}

function isTemporary(error: unknown): boolean {
  return isUnreachable(error) || isCancelled(error) || isDeadlock(error)
}
