import type { AccountId } from '../database/account-id.js'
import type { Database } from '../database/database.js'

/** Who has a shipment open. Tabs that were closed without notice are forgotten when their lease ends. */

type Tab = { svc_shipment_id: string; tab: string; operator_id: string }

export type PresentPerson = { operator_id: string; name: string; editing: string[]; since: string }

// Pages that an operator has open in an account at once. Each is a row that others read.
const mostTabs = 50

/**
 * Renews the lease of a tab, and removes those of the account that have ended. An unknown shipment has none, nor has a tab beyond
 * the limit of the operator, nor one of another operator.
 */
export async function renewPresence(
  db: Database,
  account: AccountId,
  { svc_shipment_id, tab, operator_id, name, editing }: Tab & { name: string; editing: string | undefined },
): Promise<void> {
  await db`
    with ended as (
      delete from presence where ctid = any (array(
        select ctid from presence
        where account_id = ${account} and (svc_shipment_id, tab) <> (${svc_shipment_id}, ${tab})
          and seen_at < now() - interval '1 minute'
        for update skip locked))
    )
    insert into presence (account_id, svc_shipment_id, tab, operator_id, name, editing)
    select account_id, svc_shipment_id, ${tab}::text, ${operator_id}::text, ${name}::text, ${editing ?? null}::text
    from shipments where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and ${mostTabs} > (
      select count(*) from presence
      where account_id = ${account} and operator_id = ${operator_id}
        and (svc_shipment_id, tab) <> (${svc_shipment_id}, ${tab}) and seen_at > now() - interval '1 minute')
    on conflict (account_id, svc_shipment_id, tab) do update
    set name = excluded.name, editing = excluded.editing, seen_at = now()
    where presence.operator_id = excluded.operator_id`
}

/** Deletes up to `most` leases that have ended, in accounts that nobody looks at any more, and returns how many. */
export async function removeEndedPresence(db: Database, most: number): Promise<number> {
  const removed = await db`
    delete from presence where ctid = any (array(
      select ctid from presence where seen_at < now() - interval '1 minute' limit ${most} for update skip locked))
    returning account_id`
  return removed.length
}

export async function endPresence(
  db: Database,
  account: AccountId,
  { svc_shipment_id, tab, operator_id }: Tab,
): Promise<void> {
  await db`
    delete from presence
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and tab = ${tab} and operator_id = ${operator_id}`
}

/** Everybody else, and the revision of what is shown of the shipment; undefined if there is none. */
export async function findPresence(
  db: Database,
  account: AccountId,
  svc_shipment_id: string,
  operator_id: string,
): Promise<{ people: PresentPerson[]; revision: number } | undefined> {
  const [found] = await db<{ people: PresentPerson[]; revision: number }[]>`
    with others as (
      select operator_id, max(name) as name, min(since) as since,
        coalesce(array_agg(distinct editing) filter (where editing is not null), '{}') as editing
      from presence
      where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and operator_id <> ${operator_id}
        and seen_at > now() - interval '12 seconds'
      group by operator_id
    )
    select revision, coalesce((
      select json_agg(json_build_object('operator_id', operator_id, 'name', name, 'editing', editing,
        'since', to_char(since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by since, operator_id)
      from others), '[]') as people
    from shipments where account_id = ${account} and svc_shipment_id = ${svc_shipment_id}`
  return found
}
