import { type Expression, type RawBuilder, sql } from 'kysely'

/** JSON built by the database: fields without a value are left out. */

type Fields = Record<string, Expression<unknown>>

export function jsonObject(fields: Fields): RawBuilder<string> {
  const pairs = Object.entries(fields).map(([name, value]) => sql`${sql.lit(name)} : ${value}`)
  return sql`json_object(${sql.join(pairs)} absent on null)`
}

/** No object at all when these columns are null. */
export function jsonObjectIf(columns: Expression<unknown>[], fields: Fields): RawBuilder<string | null> {
  return sql`case when num_nonnulls(${sql.join(columns)}) > 0 then ${jsonObject(fields)} end`
}

/** No array at all when there are no rows. */
export function jsonArray(element: Expression<unknown>, order: Expression<unknown>): RawBuilder<string | null> {
  return sql`json_agg(${element} order by ${order})`
}
