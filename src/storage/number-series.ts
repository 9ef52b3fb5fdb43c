import { asJson, type TransactionSql } from './database.js'

/** Numbers without gaps: a transaction that fails gives back what it took, and those who wait for it take it. */

/** The next of a series, which is held until the transaction ends: nothing may be locked after it. */
export async function takeNumber(
  sql: TransactionSql,
  { series, year }: { series: string; year: number },
): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    insert into number_series (series, year, last) values (${series}, ${year}, 1)
    on conflict (series, year) do update set last = number_series.last + 1
    returning last`
  if (!row) throw new Error(`no number was given in ${series} ${year}`)
  return row.last
}

/** Moves series behind numbers that came from elsewhere. In one order, so that two who do it do not block each other. */
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
