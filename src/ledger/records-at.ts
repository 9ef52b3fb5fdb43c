import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { type Assignment, assignmentId } from '../store/assignments.js'

/**
 * Records that belonged to shipments and orders at a revision. Candidates are those that belong to them now, by the rows
 * of their tables, and those that changed since.
 */

/** Parses only records whose text contains the identifier of a wanted shipment. */
export async function findInvoicesOfShipmentsAt(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision: number,
): Promise<{ record: string; first_stored: string }[]> {
  return db<{ record: string; first_stored: string }[]>`
    with candidates as (
      select reference as id from invoices where account_id = ${account} and svc_shipment_id = any(${shipments})
      union
      select id from changes
      where account_id = ${account} and kind = 'invoice' and revision > ${revision} and what <> 'derived'
    ), likely as materialized (
      select newest.id, newest.record
      from candidates
      cross join lateral (
        select id, record from changes
        where account_id = ${account} and kind = 'invoice' and id = candidates.id and what <> 'derived'
          and revision <= ${revision}
        order by revision desc limit 1
      ) newest
      where split_part(split_part(newest.record, '"svc_shipment_id":"', 2), '"', 1)
        = any(${shipments.map(beforeQuote)})
    )
    select record, to_char(first.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as first_stored
    from likely
    cross join lateral (
      select at from changes where account_id = ${account} and kind = 'invoice' and id = likely.id
      order by revision limit 1
    ) first
    where record::jsonb ->> 'svc_shipment_id' = any(${shipments})`
}

/** A string as JSON writes it, up to its first quotation mark. */
function beforeQuote(text: string): string {
  return JSON.stringify(text).split('"')[1] ?? ''
}

export async function findAssignmentsOfOrdersAt(
  db: Reader,
  account: AccountId,
  references: string[],
  revision: number,
): Promise<Assignment[]> {
  // Identifiers of assignments begin with the order's reference and ','. '-' is the byte after ',': a prefix range scan.
  const ids = await db<{ id: string }[]>`
    select distinct id
    from unnest(${references.map((reference) => `[${JSON.stringify(reference)}`)}::text[]) as wanted (prefix)
    join changes on account_id = ${account} and kind = 'assignment'
      and id >= wanted.prefix || ',' and id < wanted.prefix || '-'`
  return findAssignmentsAt(db, account, ids, revision)
}

export async function findAssignmentsOfShipmentsAt(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision: number,
): Promise<Assignment[]> {
  const present = await db<Pick<Assignment, 'reference' | 'line' | 'svc_shipment_id'>[]>`
    select reference, line, svc_shipment_id from assignments
    where account_id = ${account} and svc_shipment_id = any(${shipments})`
  const changed = await db<{ id: string }[]>`
    select distinct id from changes
    where account_id = ${account} and kind = 'assignment' and revision > ${revision}
      and id::jsonb ->> 2 = any(${shipments})`
  const candidates = [...present.map((each) => ({ id: assignmentId(each) })), ...changed]
  return findAssignmentsAt(db, account, candidates, revision)
}

async function findAssignmentsAt(
  db: Reader,
  account: AccountId,
  candidates: { id: string }[],
  revision: number,
): Promise<Assignment[]> {
  const ids = [...new Set(candidates.map(({ id }) => id))]
  const rows = await db<{ record: string }[]>`
    select newest.record
    from unnest(${ids}::text[]) as wanted (id)
    cross join lateral (
      select record from changes
      where account_id = ${account} and kind = 'assignment' and id = wanted.id and what <> 'derived'
        and revision <= ${revision}
      order by revision desc limit 1
    ) newest
    where newest.record is not null
    order by (wanted.id::jsonb ->> 0) collate "C", (wanted.id::jsonb ->> 1) collate "C", (wanted.id::jsonb ->> 2) collate "C"`
  return rows.map(({ record }) => {
    const assignment = JSON.parse(record) as Omit<Assignment, 'shipped_order_lines'> & Partial<Assignment>
    return { ...assignment, shipped_order_lines: assignment.shipped_order_lines ?? [] }
  })
}
