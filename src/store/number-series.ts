import { asJson, type Reader, type TransactionSql } from '../database/database.js'

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
): Promise<{ series: string; year: number; last: number; last_date: string | null }[]> {
  return db`select series, year, last, last_date from number_series order by year desc, series limit 50`
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
