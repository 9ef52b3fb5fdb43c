import type { AccountId } from '../database/account-id.js'
import { asJson, type Reader, type TransactionSql } from '../database/database.js'
import { numberForm, prefixesOf } from '../domain/invoices/invoice-number.js'
import { findBilling } from './billing.js'

/** Numbers without gaps: a rollback returns the number, and the next waiting transaction gets it. */

/** Locks the series until the transaction ends. To avoid deadlocks, nothing may be locked after it. */
export async function takeNumber(
  sql: TransactionSql,
  { series, year }: { series: string; year: number },
  date: string,
): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    insert into number_series (series, year, last, last_date) values (${series}, ${year}, 1, ${date})
    on conflict (series, year) do update set last = number_series.last + 1, last_date = excluded.last_date
    returning last`
  if (!row) throw new Error(`no number in the series ${series} ${year}`)
  return row.last
}

/** The date of the last number, with the lock that taking a number takes. */
export async function lockSeries(
  sql: TransactionSql,
  { series, year }: { series: string; year: number },
): Promise<string | undefined> {
  const [row] = await sql<{ last_date: string | null }[]>`
    select last_date from number_series where series = ${series} and year = ${year} for update`
  return row?.last_date ?? undefined
}

export async function listSeries(
  db: Reader,
  series: string[],
): Promise<{ series: string; year: number; last: number; last_date: string | null }[]> {
  return db`
    select series, year, last, last_date from number_series
    where series = any(${series}) order by year desc, series limit 50`
}

/** The series of the installation: those of its settings, and those of which it has given numbers. */
export async function findOwnSeries(db: Reader): Promise<string[]> {
  const { forwarder } = await findBilling(db)
  const rows = await db<{ series: string }[]>`
    select distinct series from number_series where last_date is not null`
  return [
    ...new Set([
      ...Object.values(prefixesOf()),
      ...Object.values(prefixesOf(forwarder.number_prefixes)),
      ...rows.map(({ series }) => series),
    ]),
  ]
}

/** Moves series past imported numbers. Ordered, so that concurrent imports do not deadlock. */
export async function raiseSeries(
  sql: TransactionSql,
  places: { series: string; year: number; last: number }[],
): Promise<void> {
  if (places.length === 0) return
  await sql`
    insert into number_series (series, year, last)
    select series, year, max(last)
    from jsonb_to_recordset(${asJson(places)}::text::jsonb) as place (series text, year integer, last integer)
    group by series, year order by series collate "C", year
    on conflict (series, year) do update set last = greatest(number_series.last, excluded.last)`
}

/** Numbers of the series that an invoice of the account and one of another account have. */
export async function findSharedNumbers(sql: TransactionSql, account: AccountId, series: string[]): Promise<string[]> {
  const rows = await sql<{ number: string }[]>`
    select own.number from invoices own
    join invoices others on others.number = own.number and others.account_id <> own.account_id
    where own.account_id = ${account} and own.number ~ ${numberForm} and split_part(own.number, '-', 1) = any(${series})
    order by own.number limit 1`
  return rows.map(({ number }) => number)
}

/** Moves series past the numbers that invoices of an account have, or those of all accounts. */
export async function raiseSeriesOver(sql: TransactionSql, series: string[], account?: AccountId): Promise<void> {
  await sql`
    insert into number_series (series, year, last)
    select split_part(number, '-', 1), split_part(number, '-', 2)::integer, max(split_part(number, '-', 3)::integer)
    from invoices
    where ${account === undefined ? sql`true` : sql`account_id = ${account}`}
      and number ~ ${numberForm} and split_part(number, '-', 1) = any(${series})
    group by 1, 2 order by split_part(number, '-', 1) collate "C", 2
    on conflict (series, year) do update set last = greatest(number_series.last, excluded.last)`
}
