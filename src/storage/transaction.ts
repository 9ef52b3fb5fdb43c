import type { ResourceKind } from '../contract/operations.js'
import { resourceKinds } from '../contract/operations.js'
import type { Database, TransactionSql } from './database.js'

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

export async function transaction<Result>(
  db: Database,
  account: AccountId,
  author: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.begin((sql) => writeTo(sql, account, author, work)) as Promise<Result>
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
  // Within one write a resource may be stored and then derived anew: its record stands.
  await sql`
    insert into changes (account_id, kind, id, revision, author, what, record)
    select ${account}, kind, id, ${revision}, ${author}, what, record
    from unnest(
      ${changes.map((change) => change.kind)}::text[],
      ${changes.map((change) => change.id)}::text[],
      ${changes.map((change) => change.what)}::text[],
      ${changes.map((change) => change.record ?? null)}::text[]
    ) as change (kind, id, what, record)
    on conflict do nothing`
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
