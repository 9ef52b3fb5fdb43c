import { resourceKinds } from '../contract/operations.js'
import type { HistoryKind } from '../contract/ops/history.js'
import { Refusal } from '../contract/refusals.js'
import { asJson, type Database, type TransactionSql } from './database.js'
import { asOwnWrite } from './own-writes.js'

export type AccountId = number

/** What the change log is about. */
export type ChangeKind = HistoryKind

export type Change = { kind: ChangeKind; id: string; reason?: string | undefined } & (
  | { what: 'created' | 'updated' | 'corrected'; record: string }
  | { what: 'removed' | 'derived'; record?: undefined }
)

/**
 * One write to one account. It holds the account's lock, so that the writes of an account happen one after
 * another, and its next revision, which everything it stores is marked with.
 */
export type Transaction = {
  sql: TransactionSql
  revision: number
  /** When it happens: later than every write before it, however long it waited for them. */
  at: string
  author: string
  /** Appends to the account's change log. What is not recorded here did not happen. */
  record(changes: Change[]): Promise<void>
  /** Tells of changes that a statement of its own has appended. */
  recorded(kind: ChangeKind): void
}

// How long a write waits for others to the same account, such as an import, before it is refused.
const patience = 5000

export async function transaction<Result>(
  db: Database,
  account: AccountId,
  author: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTurn(db, account, async (timeLeft) => {
    const result = await db.begin(async (sql) => {
      // Sent at once, and answered together with what follows it.
      const limited = sql`select set_config('lock_timeout', ${timeLeft}, true)`.execute()
      const [, written] = await Promise.all([limited, writeTo(sql, account, author, work)])
      return written
    })
    return result as Result
  })
}

// Those who wait for an account wait here, not with a connection each: a busy account takes one of this process,
// and the others are left to everybody else.
const turns = new WeakMap<Database, Map<AccountId, Promise<unknown>>>()

/** Writes to an account when it is this process's turn. The work is told how many milliseconds it may wait for others. */
export async function inTurn<Result>(
  db: Database,
  account: AccountId,
  work: (timeLeft: string) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + patience
  const waiting = turns.get(db) ?? new Map<AccountId, Promise<unknown>>()
  turns.set(db, waiting)
  const before = waiting.get(account)
  const turn = isTurn(before).then((isOurs) => {
    const left = Math.ceil(deadline - performance.now())
    if (isOurs && left > 0) return asOwnWrite(db, [account], () => work(String(left)))
    throw new Refusal('service_unavailable', 'The account is being written to; try again.')
  })
  // Who gives up lets nobody in before those whom they waited for are done.
  const settled = Promise.allSettled([before, turn])
  waiting.set(account, settled)
  void settled.then(() => {
    if (waiting.get(account) === settled) waiting.delete(account)
  })
  return turn
}

/** Waits for those before, but not for ever: whatever they wait for may never come. */
async function isTurn(before: Promise<unknown> | undefined): Promise<boolean> {
  if (!before) return true
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patience, false)
  })
  const isOurs = await Promise.race([before.then(() => true), late])
  clearTimeout(timer)
  return isOurs
}

/** The same inside a transaction that is already open, for writes that span accounts: one that is told as our own. */
export async function writeTo<Result>(
  sql: TransactionSql,
  account: AccountId,
  author: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { revision, at } = await lockAccount(sql, account)
  const changed = new Set<ChangeKind>()
  const result = await work({
    sql,
    revision,
    at,
    author,
    async record(changes) {
      for (const { kind } of changes) changed.add(kind)
      await appendChanges(sql, account, { revision, at, author }, changes)
    },
    recorded(kind) {
      changed.add(kind)
    },
  })
  if (changed.size > 0) await raiseRevision(sql, account, { revision, at }, changed)
  return result
}

// The time is told after the lock was got: computed anew for a row that somebody else has changed meanwhile.
async function lockAccount(sql: TransactionSql, account: AccountId): Promise<{ revision: number; at: string }> {
  const [row] = await sql<{ revision: number; at: string }[]>`
    select revision + 1 as revision, greatest(clock_timestamp(), changed_at + interval '1 microsecond')::text as at
    from accounts where account_id = ${account} for no key update`
  if (!row) throw new Error(`there is no account ${account}`)
  return row
}

async function appendChanges(
  sql: TransactionSql,
  account: AccountId,
  { revision, at, author }: Pick<Transaction, 'revision' | 'at' | 'author'>,
  changes: Change[],
): Promise<void> {
  if (changes.length === 0) return
  const given = asJson(changes)
  // Within one write a resource may be stored and derived anew, in either order: its record stands.
  await sql`
    insert into changes (account_id, kind, id, revision, at, author, what, record, reason)
    select ${account}, kind, id, ${revision}, ${at}::text::timestamptz, ${author}, what, record, reason
    from jsonb_to_recordset(${given}::text::jsonb) as change (kind text, id text, what text, record text, reason text)
    on conflict (account_id, kind, id, revision) do update
    set what = excluded.what, record = excluded.record, reason = excluded.reason where excluded.what <> 'derived'`
}

async function raiseRevision(
  sql: TransactionSql,
  account: AccountId,
  { revision, at }: Pick<Transaction, 'revision' | 'at'>,
  changed: Set<ChangeKind>,
): Promise<void> {
  const columns = resourceKinds.filter((kind) => changed.has(kind)).map((kind) => `${kind}_revision` as const)
  const row = Object.fromEntries(['revision', ...columns].map((column) => [column, revision]))
  await sql`update accounts set ${sql(row)}, changed_at = ${at}::text::timestamptz where account_id = ${account}`
}
