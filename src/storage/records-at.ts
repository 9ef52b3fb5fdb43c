import type { Assignment } from './assignments.js'
import type { Reader } from './database.js'
import type { AccountId } from './transaction.js'

/**
 * What belonged to shipments and orders at a revision. The tables of the nouns know the present only, so these read
 * all that the account ever had of a kind: for the rare question, not for every request.
 */

export async function findInvoicesOfShipmentsAt(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision: number,
): Promise<{ record: string; first_stored: string }[]> {
  return db<{ record: string; first_stored: string }[]>`
    select record, to_char(first.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as first_stored
    from (
      select distinct on (id) id, record from changes
      where account_id = ${account} and kind = 'invoice' and what <> 'derived' and revision <= ${revision}
      order by id, revision desc
    ) newest
    cross join lateral (
      select at from changes where account_id = ${account} and kind = 'invoice' and id = newest.id
      order by revision limit 1
    ) first
    where record is not null and record::jsonb ->> 'svc_shipment_id' = any(${shipments})`
}

export async function findAssignmentsAt(
  db: Reader,
  account: AccountId,
  { references, shipments }: { references?: string[]; shipments?: string[] },
  revision: number,
): Promise<Assignment[]> {
  const rows = await db<{ record: string }[]>`
    select record
    from (
      select distinct on (id) id, record from changes
      where account_id = ${account} and kind = 'assignment' and what <> 'derived' and revision <= ${revision}
      order by id, revision desc
    ) newest
    where record is not null
      and (id::jsonb ->> 0 = any(${references ?? []}) or id::jsonb ->> 2 = any(${shipments ?? []}))
    order by (id::jsonb ->> 0) collate "C", (id::jsonb ->> 1) collate "C", (id::jsonb ->> 2) collate "C"`
  return rows.map(({ record }) => {
    const assignment = JSON.parse(record) as Omit<Assignment, 'shipped_order_lines'> & Partial<Assignment>
    return { ...assignment, shipped_order_lines: assignment.shipped_order_lines ?? [] }
  })
}
