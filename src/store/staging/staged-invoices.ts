import type { AccountId } from '../../database/account-id.js'
import type { TransactionSql } from '../../database/database.js'
import type { StagedKey } from './staged-references.js'

/** Finds staged invoices that conflict with our number series, in the file and in the database. */

type InvoiceLine = Omit<StagedKey, 'kind'>
type NamedLine = InvoiceLine & { name: string }

/** Lines that would turn an issued invoice into a draft, or remove its number of our series. */
export async function findTakenBack(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
  { form, series }: { form: string; series: string[] },
): Promise<(InvoiceLine & { draft: boolean; number: string | null })[]> {
  return sql<(InvoiceLine & { draft: boolean; number: string | null })[]>`
    select staged.id, staged.line, coalesce(fields.draft, false) as draft, stored.number
    from staged
    join invoices stored on stored.account_id = ${account} and stored.reference = staged.id and not stored.draft
    cross join jsonb_to_record(staged.record::jsonb) as fields (number text, draft boolean)
    where staged.account = ${slug} and staged.kind = 'invoice'
      and (fields.draft or stored.number ~ ${form} and split_part(stored.number, '-', 1) = any(${series})
        and fields.number is distinct from stored.number)
    order by staged.line`
}

/** Drafts with a number of our series. */
export async function findNumberedDrafts(sql: TransactionSql, slug: string, series: string[]): Promise<NamedLine[]> {
  return sql<NamedLine[]>`
    select staged.id, staged.line, name
    from staged
    cross join unnest(staged.names) as name
    where staged.account = ${slug} and staged.names is not null and split_part(name, '-', 1) = any(${series})
      and (staged.record::jsonb ->> 'draft')::boolean
    order by staged.line`
}

/** Lines with a number too far beyond the last one of its series. */
export async function findFarNumbers(
  sql: TransactionSql,
  slug: string,
  { ahead, series }: { ahead: number; series: string[] },
): Promise<NamedLine[]> {
  return sql<NamedLine[]>`
    select staged.id, staged.line, name
    from staged
    cross join unnest(staged.names) as name
    left join number_series stored
      on stored.series = split_part(name, '-', 1) and stored.year = split_part(name, '-', 2)::integer
    where staged.account = ${slug} and staged.names is not null and split_part(name, '-', 1) = any(${series})
      and split_part(name, '-', 3)::bigint > coalesce(stored.last, 0) + ${ahead}::bigint
    order by staged.line`
}

/** Lines in effect with a number that another stored invoice has. */
export async function findNumbersOfOthers(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
  series: string[],
): Promise<(NamedLine & { other: string })[]> {
  return sql<(NamedLine & { other: string })[]>`
    with last as (
      select distinct on (id) id, line, names from staged
      where account = ${slug} and kind = 'invoice' and id in (
        select id from staged where account = ${slug} and names is not null)
      order by id, line desc
    )
    select last.id, last.line, name, other.reference as other
    from last
    cross join unnest(last.names) as name
    cross join lateral (
      select reference from invoices
      where account_id = ${account} and (reference = name or number = name) and reference <> last.id
      limit 1
    ) other
    where split_part(name, '-', 1) = any(${series})
    order by last.line`
}

/** Lines in effect with a number that an earlier line for another invoice has. */
export async function findRepeatedNumbers(
  sql: TransactionSql,
  slug: string,
  series: string[],
): Promise<(NamedLine & { earlier: number })[]> {
  return sql<(NamedLine & { earlier: number })[]>`
    with last as (
      select distinct on (id) id, line, names from staged
      where account = ${slug} and kind = 'invoice' and id in (
        select id from staged where account = ${slug} and names is not null)
      order by id, line desc
    ), named as (
      select id, line, name, min(line) over (partition by name) as earlier from last cross join unnest(names) as name
      where split_part(name, '-', 1) = any(${series})
    )
    select id, line, name, earlier from named where earlier < line order by line`
}
