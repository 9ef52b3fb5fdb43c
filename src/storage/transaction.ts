import type { ResourceKind } from '../contract/operations.js'
import { resourceKinds } from '../contract/operations.js'
import { Refusal } from '../contract/refusals.js'
import { asJson, type Database, type TransactionSql } from './database.js'

export type AccountId = number

/** What the change log tells of a change. An assignment has no address in the interface, but a history. */
export type ChangeKind = ResourceKind | 'assignment'
export type Change = { kind: ChangeKind; id: string } & (
  | { what: 'created' | 'updated'; record: string }
  | { what: 'derived'; record?: undefined }
)

/**
 * One write to one account. It holds the account's lock, so that the writes of an account happen one after
 * another, and its next revision, which everything it stores is marked with.
 */
export type Transaction = {
  sql: TransactionSql
  revision: number
  author: string
  /** Appends to the account's change log. What is not recorded here did not happen. */
  record(changes: Change[]): Promise<void>
}

// How long a write waits for others to the same account, such as an import, before it is refused.
const patience = 5000

export async function transaction<Result>(
  db: Database,
  account: AccountId,
  author: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + patience
  return inTurn(db, account, async () => {
    const left = deadline - Date.now()
    if (left <= 0) throw new Refusal('service_unavailable', 'The account is being written to; try again.')
    const result = await db.begin(async (sql) => {
      // Sent at once, and answered together with what follows it.
      const limited = sql`select set_config('lock_timeout', ${String(left)}, true)`.execute()
      const [, written] = await Promise.all([limited, writeTo(sql, account, author, work)])
      return written
    })
    return result as Result
  })
}

// Those who wait for an account wait here, not with a connection each: a busy account takes one of this process,
// and the others are left to everybody else.
const turns = new WeakMap<Database, Map<AccountId, Promise<unknown>>>()

async function inTurn<Result>(db: Database, account: AccountId, work: () => Promise<Result>): Promise<Result> {
  const waiting = turns.get(db) ?? new Map<AccountId, Promise<unknown>>()
  turns.set(db, waiting)
  const turn = (waiting.get(account) ?? Promise.resolve()).then(work)
  const settled = turn.catch(() => {})
  waiting.set(account, settled)
  try {
    return await turn
  } finally {
    if (waiting.get(account) === settled) waiting.delete(account)
  }
}

/** The same inside a transaction that is already open, for writes that span accounts. */
export async function writeTo<Result>(
  sql: TransactionSql,
  account: AccountId,
  author: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const revision = await lockAccount(sql, account)
  const changed = new Set<ChangeKind>()
  const result = await work({
    sql,
    revision,
    author,
    async record(changes) {
      for (const { kind } of changes) changed.add(kind)
      await appendChanges(sql, account, revision, author, changes)
    },
  })
  if (changed.size > 0) await raiseRevision(sql, account, revision, changed)
  return result
}

async function lockAccount(sql: TransactionSql, account: AccountId): Promise<number> {
  const [row] = await sql<{ revision: number }[]>`
    select revision + 1 as revision from accounts where account_id = ${account} for no key update`
  if (!row) throw new Error(`there is no account ${account}`)
  return row.revision
}

async function appendChanges(
  sql: TransactionSql,
  account: AccountId,
  revision: number,
  author: string,
  changes: Change[],
): Promise<void> {
  if (changes.length === 0) return
  const given = asJson(changes)
  // Within one write a resource may be stored and derived anew, in either order: its record stands.
  await sql`
    insert into changes (account_id, kind, id, revision, author, what, record)
    select ${account}, kind, id, ${revision}, ${author}, what, record
    from jsonb_to_recordset(${given}::text::jsonb) as change (kind text, id text, what text, record text)
    on conflict (account_id, kind, id, revision) do update
    set what = excluded.what, record = excluded.record where excluded.record is not null`
}

async function raiseRevision(
  sql: TransactionSql,
  account: AccountId,
  revision: number,
  changed: Set<ChangeKind>,
): Promise<void> {
  const columns = resourceKinds.filter((kind) => changed.has(kind)).map((kind) => `${kind}_revision` as const)
  const row = Object.fromEntries(['revision', ...columns].map((column) => [column, revision]))
  await sql`update accounts set ${sql(row)} where account_id = ${account}`
}
