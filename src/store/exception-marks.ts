import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { serviceAuthor } from '../domain/exceptions/episodes.js'
import type { EvaluationState, WatchedKind } from './exception-watches.js'

/** Marks what has to be evaluated. */

// Changes and subjects that are marked in one step.
const mostChanges = 20_000
const mostMarked = 20_000

const idColumns = { shipment: 'svc_shipment_id', purchase_order: 'reference', invoice: 'reference' }
const tables = { shipment: 'shipments', purchase_order: 'purchase_orders', invoice: 'invoices' }

/**
 * Marks subjects of a kind after an identifier; returns the last one, or undefined if none is left. What is there when an
 * account is first watched is its history.
 */
export async function markAll(
  sql: TransactionSql,
  account: AccountId,
  { kind, after, now, isHistory }: { kind: WatchedKind; after: string | null; now: number; isHistory: boolean },
): Promise<string | undefined> {
  const id = sql(idColumns[kind])
  const [row] = await sql<{ last: string | null; count: number }[]>`
    with page as (
      select ${id} as id from ${sql(tables[kind])}
      where account_id = ${account} and ${id} > ${after ?? ''} order by ${id} limit ${mostMarked}
    ), marked as (
      insert into exception_watches (account_id, kind, id, check_at, is_history)
      select ${account}, ${kind}, id, ${new Date(now)}, ${isHistory} from page
      on conflict (account_id, kind, id) do update set check_at = least(exception_watches.check_at, excluded.check_at),
        is_history = exception_watches.is_history or excluded.is_history
    )
    select max(id) as last, count(*)::integer as count from page`
  return row && row.count === mostMarked ? (row.last ?? undefined) : undefined
}

/** Marks new subjects that came by an import: what is wrong with them is no news. */
export function markHistory(sql: TransactionSql, account: AccountId, kind: WatchedKind, ids: string[]): Fragment {
  return sql`
    insert into exception_watches (account_id, kind, id, check_at, is_history)
    select ${account}, ${kind}, id, '-infinity', true from unnest(${ids}::text[]) as imported (id)
    on conflict (account_id, kind, id) do update set check_at = excluded.check_at, is_history = true`
}

/** Marks what the changes after a revision concern; returns the revision up to which it did. */
export async function markChanged(
  sql: TransactionSql,
  account: AccountId,
  { revision, newest }: Pick<EvaluationState, 'revision' | 'newest'>,
): Promise<number> {
  const [beyond] = await lookUpRevisionsBeyond(sql, [{ account, revision }])
  // At least one revision, however much it has changed.
  const upTo = beyond ? Math.min(newest, Math.max(beyond.revision - 1, revision + 1)) : newest
  sql.gathering.write(insertMarks, [{ account_id: account, after: revision, up_to: upTo }])
  return upTo
}

/** The revision of the first change of each account after as many as are marked in one step. */
const lookUpRevisionsBeyond = lookup<{ account: AccountId; revision: number }, { revision: number }>(
  (db, keys) => db`
    select place, beyond.revision
    from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ revision }) => revision)}::bigint[])
      with ordinality as wanted (account_id, revision, place)
    cross join lateral (
      select revision from changes where account_id = wanted.account_id and changes.revision > wanted.revision
      order by changes.revision offset ${mostChanges} limit 1
    ) beyond`,
)

function insertMarks(sql: Reader, rows: { account_id: AccountId; after: number; up_to: number }[]): Fragment {
  return sql`
    with changed as materialized (
      select distinct given.account_id, kind, id
      from jsonb_to_recordset(${asJson(rows)}::text::jsonb) as given (account_id integer, after bigint, up_to bigint)
      cross join lateral (
        select kind, id from changes
        where account_id = given.account_id and revision > given.after and revision <= given.up_to
          and (kind <> 'exception' or author <> ${serviceAuthor}) offset 0
      ) change
    ), versions as materialized (
      select account_id, kind, id, record::jsonb as record
      from changed join changes using (account_id, kind, id)
      where changed.kind in ('document', 'invoice', 'payment') and record is not null
    ), named as (
      select account_id, 'shipment' as kind, id from changed where kind in ('shipment', 'tracking')
      union select account_id, 'shipment', id::jsonb ->> 0
        from changed where kind in ('tracking_event', 'tracking_position', 'document_waiver')
      union select account_id, 'shipment', id::jsonb ->> 2 from changed where kind = 'assignment'
      union select account_id, 'shipment', record ->> 'svc_shipment_id' from versions where kind in ('document', 'invoice')
      union select account_id, 'purchase_order', id from changed where kind = 'purchase_order'
      union select account_id, 'purchase_order', id::jsonb ->> 0 from changed where kind = 'assignment'
      union select account_id, 'invoice', id from changed where kind = 'invoice'
      union select account_id, 'invoice', record ->> 'credited_invoice' from versions where kind = 'invoice'
      union select account_id, 'invoice', record ->> 'reference' from versions where kind = 'payment'
      union select account_id,
          case when invoice is not null then 'invoice' when reference is not null then 'purchase_order' else 'shipment' end,
          coalesce(invoice, reference, svc_shipment_id)
        from changed join exceptions using (account_id)
        where changed.kind = 'exception' and exception_id = changed.id
    ), related as (
      select account_id, kind, id from named where id is not null
      union
      select account_id, 'purchase_order', reference
      from named join assignments using (account_id)
      where named.kind = 'shipment' and svc_shipment_id = named.id
      union
      select account_id, 'shipment', svc_shipment_id
      from named join assignments using (account_id)
      where named.kind = 'purchase_order' and reference = named.id
    )
    insert into exception_watches (account_id, kind, id, check_at)
    select account_id, kind, id, '-infinity' from related
    on conflict (account_id, kind, id) do update set check_at = excluded.check_at`
}
