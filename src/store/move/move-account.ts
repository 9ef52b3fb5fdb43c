import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '../../database/account-id.js'
import { useSettings } from '../../database/backup/backup.js'
import { advanceIdentities, analyzeTables } from '../../database/catalog.js'
import type { CopySql, Database, Reader, TransactionSql } from '../../database/database.js'
import { findSchemaVersion } from '../../database/migrate.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { findOwnSeries, findSharedNumbers, raiseSeriesOver } from '../number-series.js'
import { reencryptTotp } from '../totp.js'
import { reencryptWebhookSecrets } from '../webhook-secrets.js'
import { copyAll, copyChanged, setIdentifiers } from './account-copy.js'
import { type AccountTable, isAppendOnly, listAccountTables } from './account-tables.js'

/** Why an account cannot be moved. */
export class CannotMove extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CannotMove'
  }
}

export type MoveReport = {
  /** Rows copied by each pass. The account was closed during the last one. */
  passes: number[]
  /** Milliseconds that the account was closed. */
  closed_ms: number
}

// The account is closed once a pass has found no more rows than that, or after some passes: a busy account has always more.
const fewRows = 1000
const mostPasses = 6
// Requests that were admitted before the account was closed may still begin a transaction.
const admittedRequests = 1000
const runningTransactions = 10_000

/**
 * Moves an account to another database of the same schema version, while it is used: copies its rows, then what has changed
 * since, until little is left; closes it here; copies the rest; commits there; removes its rows here.
 *
 * At no time is it open in both. Everything there is one transaction, so that a failure before its commit leaves nothing there.
 * If the process ends after it closed the account, the same call finishes the move, and `cancelMove` opens the account again.
 */
export async function moveAccount(source: Database, target: Database, slug: string): Promise<MoveReport> {
  const [from, to] = [await findSchemaVersion(source), await findSchemaVersion(target)]
  if (from !== to) throw new CannotMove(`the databases have schema versions ${from} and ${to}: migrate both first`)
  await refuseSameDatabase(source, target)
  const account = await findMovable(source, slug)
  const there = await findRow(target, slug)
  if (there && !there.moved) {
    if (!account.moved) throw new CannotMove(`the other database has an account ${slug} already`)
    await removeRows(source, account.account_id)
    return { passes: [], closed_ms: 0 }
  }
  const report: MoveReport = { passes: [], closed_ms: 0 }
  let isCommitting = false
  let closedAt: number | undefined
  try {
    await target.beginCopy(async (sql) => {
      await useSettings(sql)
      const account_there = there ? there.account_id : await insertRow(sql, slug)
      if (there) await removeRowsWithin(sql, account_there)
      const tables = (await listAccountTables(sql)).filter(({ isUnlogged }) => !isUnlogged)
      const pass = async (since?: string): Promise<string> => {
        const [position, rows] = await copyPass(source, sql, tables, { here: account.account_id, account_there, since })
        report.passes.push(rows)
        return position
      }
      let since = await pass()
      while ((report.passes.at(-1) ?? 0) > fewRows && report.passes.length < mostPasses) since = await pass(since)
      closedAt = performance.now()
      await closeAccount(source, account.account_id)
      await pass(since)
      await keepNumbersUnique(source, sql, account_there)
      await finishThere(source, sql, account.account_id, account_there)
      isCommitting = true
    })
  } catch (error) {
    // Whether a commit that failed has happened is unknown: the account stays closed until the move is repeated.
    if (!isCommitting) await openAccount(source, account.account_id)
    throw isDuplicate(error) ? new CannotMove(`the other database has a row of ${error.table}: ${error.detail}`) : error
  }
  report.closed_ms = Math.round(performance.now() - (closedAt ?? 0))
  await removeRows(source, account.account_id)
  return report
}

/** Opens an account again that was closed by a move which did not finish. */
export async function cancelMove(source: Database, target: Database, slug: string): Promise<void> {
  const there = await findRow(target, slug)
  if (there && !there.moved) throw new CannotMove(`the account ${slug} is in the other database already`)
  await openAccount(source, (await findMovable(source, slug)).account_id)
}

/** Every database has a secret of its own. Within one database, a move would remove what it has copied. */
async function refuseSameDatabase(source: Database, target: Database): Promise<void> {
  const [here, there] = [await readServiceSecrets(source), await readServiceSecrets(target)]
  if (here.link_secret === there.link_secret) throw new CannotMove('--to leads to the database that the account is in')
}

async function openAccount(source: Database, account: AccountId): Promise<void> {
  await source`update accounts set moved_at = null where account_id = ${account}`
}

/** Such as the address of a person who is in another account there. */
function isDuplicate(error: unknown): error is { table: string; detail: string } {
  return (error as { code?: unknown }).code === '23505'
}

type AccountState = { account_id: AccountId; moved: boolean }

async function findRow(db: Reader, slug: string): Promise<AccountState | undefined> {
  const [row] = await db<AccountState[]>`
    select account_id, moved_at is not null as moved from accounts where slug = ${slug} and slug <> ''`
  return row
}

async function findMovable(source: Database, slug: string): Promise<AccountState> {
  const row = await findRow(source, slug)
  if (!row) throw new CannotMove(`there is no account ${slug}`)
  return row
}

async function insertRow(sql: TransactionSql, slug: string): Promise<AccountId> {
  const [row] = await sql<{ account_id: AccountId }[]>`
    insert into accounts (slug, name) values (${slug}, '') returning account_id`
  return (row as { account_id: AccountId }).account_id
}

type Pass = { here: AccountId; account_there: AccountId; since: string | undefined }

/** Copies the rows of one moment. Returns the first transaction that the next pass has to consider, and the number of rows. */
async function copyPass(
  source: Database,
  target: CopySql,
  tables: AccountTable[],
  { here, account_there, since }: Pass,
): Promise<[string, number]> {
  const options = { mode: 'isolation level repeatable read read only' } as const
  return source.beginCopy(async (sql) => {
    await useSettings(sql)
    const [row] = await sql<{ position: string }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::xid::text as position`
    await setIdentifiers(sql, here, account_there, since)
    await setIdentifiers(target, here, account_there)
    let rows = 0
    for (const table of tables) rows += await (since === undefined ? copyAll : copyChanged)(sql, target, table)
    return [row?.position ?? '3', rows]
  }, options)
}

/** Waits for the running writes of the account; later ones are refused. */
async function closeAccount(source: Database, account: AccountId): Promise<void> {
  await source`update accounts set moved_at = coalesce(moved_at, now()) where account_id = ${account}`
  await sleep(admittedRequests)
  const [row] = await source<{ next: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::xid::text as next`
  // What is not written under the lock of the account, such as settings of a person.
  const deadline = performance.now() + runningTransactions
  for (;;) {
    const earlier = await source`
      select from pg_stat_activity
      where datname = current_database() and age(backend_xid) > age(${row?.next ?? '3'}::text::xid) limit 1`
    if (earlier.length === 0) return
    // A long transaction, such as an import, of another account: those of this one have waited for its lock.
    if (performance.now() > deadline) return
    await sleep(50)
  }
}

/** Refuses numbers that another account there has; later numbers there follow those of the account. */
async function keepNumbersUnique(source: Database, sql: CopySql, there: AccountId): Promise<void> {
  const series = [...new Set([...(await findOwnSeries(source)), ...(await findOwnSeries(sql))])]
  // First, since this locks the series: an invoice that is issued there meanwhile has its number before or after.
  await raiseSeriesOver(sql, series, there)
  const [taken] = await findSharedNumbers(sql, there, series)
  if (taken !== undefined) {
    throw new CannotMove(
      `another account of the other database has an invoice ${taken} too: give the installations prefixes of their own before they issue invoices`,
    )
  }
}

/** The row of the account itself, and what depends on the database. */
async function finishThere(source: Database, sql: CopySql, here: AccountId, there: AccountId): Promise<void> {
  const [row] = await source<{ account: string }[]>`
    select (to_jsonb(accounts) - 'account_id' - 'moved_at')::text as account from accounts where account_id = ${here}`
  const columns = await sql<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = 'accounts'::regclass and attnum > 0 and not attisdropped and attname not in ('account_id', 'moved_at')`
  const names = sql(columns.map(({ name }) => name))
  await sql`
    update accounts set moved_at = null, (${names}) = (
      select ${names} from jsonb_populate_record(null::accounts, ${row?.account ?? '{}'}::text::jsonb))
    where account_id = ${there}`
  const [before, after] = [await readServiceSecrets(source), await readServiceSecrets(sql)]
  await reencryptTotp(sql, before.link_secret, after.link_secret, there)
  await reencryptWebhookSecrets(sql, before.link_secret, after.link_secret, there)
  await advanceIdentities(sql)
  await analyzeTables(sql)
}

/** The row of the account and its keys stay, so that requests here are asked to try again; and the audit log. */
async function removeRows(source: Database, account: AccountId): Promise<void> {
  await source.beginLong((sql) => removeRowsWithin(sql, account, new Set(['keys'])))
}

async function removeRowsWithin(sql: TransactionSql, account: AccountId, kept = new Set<string>()): Promise<void> {
  for (const table of (await listAccountTables(sql)).toReversed()) {
    const { name } = table
    if (!kept.has(name) && !isAppendOnly(table)) await sql`delete from ${sql(name)} where account_id = ${account}`
  }
}
