import type { ExceptionSearch } from '../contract/portal/exceptions.js'
import type { ExceptionKind } from '../contract/public/exception.js'
import type { AccountId } from '../database/account-id.js'
import type { Fragment, Reader } from '../database/database.js'

/** Exceptions as the people of an account see them. The overview counts by the same conditions as the list. */

export type InboxFilter = Omit<ExceptionSearch, 'skip' | 'take'>

// Counting stops here.
const mostCounted = 10_000

function listed(db: Reader, filter: InboxFilter): Fragment {
  const { kind, severity, svc_shipment_id, po_number, state } = filter
  return db`
    visible
    ${kind === undefined ? db`` : db`and kind = ${kind}`}
    ${severity === undefined ? db`` : db`and severity = ${severity}`}
    ${svc_shipment_id === undefined ? db`` : db`and svc_shipment_id = ${svc_shipment_id}`}
    ${po_number === undefined ? db`` : db`and orders @> array[${po_number}]::text[]`}
    ${state === undefined ? db`` : state === 'closed' ? db`and state = 'closed'` : db`and state <> 'closed'`}
    ${state === 'unacknowledged' ? db`and state <> 'acknowledged'` : db``}`
}

export async function countExceptions(
  db: Reader,
  account: AccountId,
  filter: InboxFilter,
): Promise<{ value: number; exact: boolean }> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select from exceptions where account_id = ${account} and ${listed(db, filter)} limit ${mostCounted + 1}
    ) counted`
  const count = row?.count ?? 0
  return { value: Math.min(count, mostCounted), exact: count <= mostCounted }
}

/** Those of these shipments that are held. */
export async function findHeldShipments(db: Reader, account: AccountId, shipments: string[]): Promise<string[]> {
  if (shipments.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select distinct svc_shipment_id as id from exceptions
    where account_id = ${account} and svc_shipment_id = any(${shipments}::text[])
      and ${listed(db, { kind: 'hold', state: 'open' })}`
  return rows.map(({ id }) => id)
}

/** Of each kind, whatever kind and severity the filter names. */
export async function countExceptionKinds(
  db: Reader,
  account: AccountId,
  { kind: _kind, severity: _severity, ...filter }: InboxFilter,
): Promise<{ kind: ExceptionKind; count: number }[]> {
  return db<{ kind: ExceptionKind; count: number }[]>`
    select kind, count(*)::integer as count from (
      select kind from exceptions where account_id = ${account} and ${listed(db, filter)} limit ${mostCounted}
    ) counted
    group by kind order by kind`
}

type InboxRow = { body: string; owner: string | null; shipment_name: string | null; acknowledged_by: string | null }

/** Closed ones by when they were raised; others by severity before that. */
export async function listInbox(
  db: Reader,
  account: AccountId,
  filter: InboxFilter,
  { skip, take }: { skip: number; take: number },
): Promise<InboxRow[]> {
  const bySeverity =
    filter.state === 'closed' ? db`` : db`array_position(array['critical', 'warning', 'info'], severity),`
  return db<InboxRow[]>`
    select found.body, found.owner, (
      select body::jsonb ->> 'name' from shipments
      where account_id = ${account} and svc_shipment_id = found.svc_shipment_id
    ) as shipment_name, (
      select name from people
      where account_id = ${account}
        and person_id = replace(found.body::jsonb #>> '{acknowledged,by}', 'person:', '')
    ) as acknowledged_by
    from (
      select body, owner, svc_shipment_id, row_number() over (order by ${bySeverity} newest_first, exception_id) as place
      from exceptions where account_id = ${account} and ${listed(db, filter)}
      order by ${bySeverity} newest_first, exception_id offset ${skip} limit ${take}
    ) found
    order by place`
}
