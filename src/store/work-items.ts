import { type WorkKind, workKinds } from '../contract/operator/work.js'
import type { HandledFilter } from '../contract/operator/work-filter.js'
import { type AccountId, type AccountScope, forwarderAccount } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Database, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { concerning, inScope } from './account-scope.js'

/**
 * Who looks after what waits, and until when it is put aside. Exceptions have both in their records. What belongs to no account has
 * that of the forwarder. Rows of what no longer waits mean nothing, and are removed.
 */

/** Whether the item of `row` (account_id, kind, item) still waits. Orders that are not indexed yet count as waiting. */
function isWaiting(db: Reader, row: Fragment, scope: AccountScope): Fragment {
  const inAccount = db`account_id = ${row}.account_id`
  const conditions: Record<WorkKind, Fragment> = {
    message: db`exists (
      select from messages
      where message_id = case when ${row}.item ~ '^[0-9]{1,15}$' then ${row}.item::bigint end
        and outcome in ('unmatched', 'quarantined', 'unreadable') ${concerning(db, scope)})`,
    // They concern all accounts.
    code:
      scope === 'all'
        ? db`exists (
            select from sender_codes where ${codeItem(db)} = ${row}.item and mapped_to is null)`
        : db`false`,
    document: db`exists (
      select from document_proposals where ${inAccount} and id::text = ${row}.item and state = 'proposed')`,
    conversation: db`exists (
      select from conversations
      where ${inAccount} and subject_kind = split_part(${row}.item, '/', 1)
        and subject_id = substr(${row}.item, strpos(${row}.item, '/') + 1) and unanswered_since is not null)`,
    order: db`exists (
      select from purchase_orders left join purchase_order_search using (account_id, reference)
      where ${inAccount} and reference = ${row}.item and coalesce(has_open_lines, true))`,
    booking_request: db`exists (
      select from shipments where ${inAccount} and svc_shipment_id = ${row}.item and status = 'booking_request')`,
    dispute: db`exists (
      select from invoices
      where ${inAccount} and reference = ${row}.item and status = 'litigious' and not draft)`,
    needed_documents: db`exists (
      select from shipments
      where ${inAccount} and svc_shipment_id = ${row}.item and status in ('booked', 'in_progress'))`,
  }
  const cases = workKinds.reduce((all, kind) => db`${all} when ${kind} then ${conditions[kind]}`, db``)
  return db`case ${row}.kind ${cases} else false end`
}

function codeItem(db: Reader): Fragment {
  return db`(sender_codes.sender || '/' || sender_codes.format || '/' || sender_codes.code)`
}

/** How the rows of lists are identified. */
function itemOf(db: Reader, kind: WorkKind): { account: Fragment; item: Fragment } {
  const forwarder = db`${forwarderAccount}`
  switch (kind) {
    case 'message':
      return { account: forwarder, item: db`messages.message_id::text` }
    case 'code':
      return { account: forwarder, item: codeItem(db) }
    case 'document':
      return { account: db`document_proposals.account_id`, item: db`document_proposals.id::text` }
    case 'conversation':
      return {
        account: db`conversation.account_id`,
        item: db`conversation.subject_kind || '/' || conversation.subject_id`,
      }
    case 'order':
      return { account: db`purchase_order_search.account_id`, item: db`purchase_order_search.reference` }
    case 'booking_request':
    case 'needed_documents':
      return { account: db`shipment_search.account_id`, item: db`shipment_search.svc_shipment_id` }
    case 'dispute':
      return { account: db`invoices.account_id`, item: db`invoices.reference` }
  }
}

/** The condition of a list of items of the kind, after others. */
export function handledAs(db: Reader, kind: WorkKind, filter: HandledFilter): Fragment {
  const { account, item } = itemOf(db, kind)
  const is = (condition: Fragment) => db`exists (
    select from work_items
    where work_items.account_id = ${account} and work_items.kind = ${kind} and work_items.item = ${item} and ${condition})`
  const { isOwned, isSnoozed } = meanings(db)
  const { owner, snoozed } = filter
  return db`
    ${
      owner === undefined
        ? db``
        : owner === ''
          ? db`and not ${is(isOwned)}`
          : db`and ${is(db`work_items.owner = ${owner}`)}`
    }
    ${snoozed === undefined ? db`` : snoozed === 'true' ? db`and ${is(isSnoozed)}` : db`and not ${is(isSnoozed)}`}`
}

function meanings(db: Reader) {
  return {
    isOwned: db`work_items.owner is not null`,
    isSnoozed: db`coalesce(work_items.snoozed_until > ${businessNow(db)}, false)`,
  }
}

export type WorkItemRow = {
  account_id: AccountId
  /** Of the account; none of the forwarder. */
  slug: string | null
  kind: WorkKind
  item: string
  owner: string | null
  snoozed_until: Date | null
  changed_by: string
  changed_at: Date
}

export type WorkItemPosition = Pick<WorkItemRow, 'account_id' | 'kind' | 'item'>

export async function listWorkItemRows(
  db: Reader,
  scope: AccountScope,
  {
    isOfAccount,
    owner,
    snoozed,
    after,
    take,
  }: HandledFilter & { isOfAccount: boolean; after: WorkItemPosition | undefined; take: number },
): Promise<WorkItemRow[]> {
  const { isOwned, isSnoozed } = meanings(db)
  const within = inScope(db, scope, db`work_items.account_id`)
  return db<WorkItemRow[]>`
    select work_items.account_id, nullif(slug, '') as slug, kind, item, owner, changed_by, work_items.changed_at,
      case when ${isSnoozed} then snoozed_until end as snoozed_until
    from work_items left join accounts on accounts.account_id = work_items.account_id
    where ${isOfAccount ? within : db`(${within} or work_items.account_id = ${forwarderAccount})`}
      and (${isOwned} or ${isSnoozed})
      ${owner === undefined ? db`` : owner === '' ? db`and not ${isOwned}` : db`and owner = ${owner}`}
      ${snoozed === undefined ? db`` : snoozed === 'true' ? db`and ${isSnoozed}` : db`and not ${isSnoozed}`}
      ${
        after === undefined
          ? db``
          : db`and (work_items.account_id, kind, item) > (${after.account_id}, ${after.kind}, ${after.item})`
      }
      and ${isWaiting(db, db`work_items`, scope)}
    order by work_items.account_id, kind, item limit ${take}`
}

type Named = { kind: WorkKind; item: string }
export type Handling = { owner?: string | null; snoozed_until?: string | null }

/** Sets what is given, of those that wait, and returns these. */
export async function handleWorkItems(
  sql: TransactionSql,
  account: AccountId,
  { scope, items, handling, by }: { scope: AccountScope; items: Named[]; handling: Handling; by: string },
): Promise<Named[]> {
  const { owner, snoozed_until } = handling
  const changed = await sql<Named[]>`
    with given as materialized (
      select distinct ${account}::integer as account_id, kind, item
      from jsonb_to_recordset(${asJson(items)}::text::jsonb) as given (kind text, item text)
    )
    insert into work_items (account_id, kind, item, owner, snoozed_until, changed_by, changed_at)
    select account_id, kind, item, ${owner ?? null}::text, ${snoozed_until ?? null}::text::timestamptz, ${by}, ${businessNow(sql)}
    from given where ${isWaiting(sql, sql`given`, scope)}
    on conflict (account_id, kind, item) do update
    set ${owner === undefined ? sql`` : sql`owner = excluded.owner,`}
      ${snoozed_until === undefined ? sql`` : sql`snoozed_until = excluded.snoozed_until,`}
      changed_by = excluded.changed_by, changed_at = excluded.changed_at
    returning kind, item`
  await sql`delete from work_items where account_id = ${account} and owner is null and snoozed_until is null`
  return changed
}

/** What a customer writes ends that the conversation is put aside. `rows`: `kind`, `id` and `waits` of messages, as JSON. */
export function wakeConversations(sql: TransactionSql, account: AccountId, rows: string): Fragment {
  return sql`
    update work_items set snoozed_until = null
    where account_id = ${account} and kind = 'conversation' and snoozed_until is not null and item in (
      select saved.kind || '/' || saved.id
      from jsonb_to_recordset(${rows}::text::jsonb) as saved (kind text, id text, waits boolean) where waits)`
}

/** Deletes up to `most` rows that mean nothing any more, and returns how many. */
export async function removeDoneWork(db: Database, most: number): Promise<number> {
  const { isOwned, isSnoozed } = meanings(db)
  const removed = await db`
    delete from work_items where ctid = any (array(
      select ctid from work_items
      where not ((${isOwned} or ${isSnoozed}) and ${isWaiting(db, db`work_items`, 'all')})
      limit ${most} for update skip locked))
    returning account_id`
  return removed.length
}
