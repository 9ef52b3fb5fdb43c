import type { InboundLine, InboundQuery } from '../contract/public/inbound.js'
import type { AccountId } from '../database/account-id.js'
import type { Fragment, Reader } from '../database/database.js'
import { daysLate } from '../domain/shipments/lateness.js'
import { daysLateOn, isLateOn } from './inbound-lateness.js'

/** Lists of what arrives when, of now or with what has moved since a revision. */

export type InboundFilter = Omit<InboundQuery, 'skip' | 'take' | 'since'> & {
  /** The revision with which it is compared. */
  since?: number | undefined
}

type Row = {
  reference: string
  line: string
  svc_shipment_id: string
  sku: string
  name: string | null
  supplier: string | null
  desired_on: string | null
  quantity: number
  shipped: number
  shipment_name: string | null
  expected_on: string | null
  date_status: InboundLine['date_status'] | null
  date_of: 'delivery' | 'arrival' | null
  delivered: boolean
  location: string | null
  vessel: string | null
  was_quantity?: number | null
  was_on?: string | null
  was_status?: InboundLine['date_status'] | null
}

export async function listInbound(
  db: Reader,
  account: AccountId,
  filter: InboundFilter,
  { skip, take, today }: { skip: number; take: number; today: string },
): Promise<InboundLine[]> {
  const rows = await db<Row[]>`
    select * from ${sourceOf(db, account, filter)} listed
    where ${matching(db, account, filter, today)}
    order by ${orderOf(db, filter, today)} offset ${skip} limit ${take}`
  return rows.map((row) => lineOf(row, today))
}

/** A week, by its Monday; null for what has no date. */
export type InboundWeek = {
  week: string | null
  quantity: number
  late_quantity: number
  lines: number
  late: number
  unassigned: number
}

/** Sums by week of what matches, in one scan. */
export async function sumInboundByWeek(
  db: Reader,
  account: AccountId,
  filter: InboundFilter,
  today: string,
): Promise<InboundWeek[]> {
  return db<InboundWeek[]>`
    select week, round(sum(quantity)::numeric, 6)::double precision as quantity,
      round(coalesce(sum(quantity) filter (where is_late), 0)::numeric, 6)::double precision as late_quantity,
      count(*) as lines, count(*) filter (where is_late) as late, count(*) filter (where svc_shipment_id = '') as unassigned
    from (
      select expected_on - (extract(isodow from expected_on)::integer - 1) as week, quantity, svc_shipment_id,
        ${isLateOn(db, today)} as is_late
      from ${sourceOf(db, account, filter)} listed
      where ${matching(db, account, filter, today)}
    ) listed
    group by week order by week`
}

/** A week of a product or a place; null where that, or the week, is not known. */
export type InboundGroupWeek = Omit<InboundWeek, 'late' | 'unassigned'> & { key: string | null; name: string | null }

/** Sums of what matches by product or place and week, in the order of the list; of the first groups. */
export async function sumInboundByGroup(
  db: Reader,
  account: AccountId,
  filter: InboundFilter,
  { group, today, most }: { group: 'sku' | 'location'; today: string; most: number },
): Promise<InboundGroupWeek[]> {
  const { sort = 'date' } = filter
  const order = sort === 'date' ? db`min(week)` : sort === 'late' ? db`sum(late_quantity) desc` : db`key`
  return db<InboundGroupWeek[]>`
    with summed as (
      select key, week, max(name) as name, sum(quantity) as quantity,
        coalesce(sum(quantity) filter (where is_late), 0) as late_quantity, count(*) as lines
      from (
        select ${db(group)} as key, expected_on - (extract(isodow from expected_on)::integer - 1) as week,
          ${group === 'sku' ? db`name` : db`null::text as name`}, quantity, ${isLateOn(db, today)} as is_late
        from ${sourceOf(db, account, filter)} listed
        where ${matching(db, account, filter, today)}
      ) listed
      group by key, week
    ), first as (
      select key, row_number() over (order by ${order} nulls last, key nulls last) as place
      from summed group by key order by place limit ${most}
    )
    select summed.key, week, name, round(quantity::numeric, 6)::double precision as quantity,
      round(late_quantity::numeric, 6)::double precision as late_quantity, lines::integer as lines
    from first join summed on summed.key is not distinct from first.key
    order by place, week`
}

function sourceOf(db: Reader, account: AccountId, { since }: InboundFilter): Fragment {
  return since === undefined ? db`inbound` : db`(${movedSince(db, account, since)})`
}

function matching(db: Reader, account: AccountId, filter: InboundFilter, today: string): Fragment {
  const { q, sku, reference, svc_shipment_id: shipment, supplier, location, from, to, late, unassigned } = filter
  const delivered = filter.delivered ?? (filter.since === undefined ? 'false' : 'any')
  const conditions = [
    db`account_id = ${account}`,
    ...(delivered === 'any' ? [] : [db`delivered = ${delivered === 'true'}`]),
    ...(sku === undefined ? [] : [db`sku = ${sku}`]),
    ...(reference === undefined ? [] : [db`reference = ${reference}`]),
    ...(shipment === undefined ? [] : [db`svc_shipment_id = ${shipment}`]),
    ...(supplier === undefined ? [] : [db`lower(supplier) = lower(${supplier})`]),
    ...(location === undefined ? [] : [db`location = ${location}`]),
    ...(from === undefined ? [] : [db`expected_on >= ${from}::date`]),
    ...(to === undefined ? [] : [db`expected_on <= ${to}::date`]),
    ...(late === undefined ? [] : [isLateOn(db, today)]),
    ...(unassigned === undefined ? [] : [db`svc_shipment_id = ''`]),
    // The lines of an account are searched one by one: 100,000 take some 100 ms of the database.
    ...termsOf(q).map((term) => db`(strpos(words, ${term}) > 0 or strpos(lower(svc_shipment_id), ${term}) > 0)`),
  ]
  return conditions.reduce((all, condition) => db`${all} and ${condition}`)
}

const mostTerms = 8

function termsOf(q = ''): string[] {
  return q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostTerms)
}

function orderOf(db: Reader, { sort = 'date' }: InboundFilter, today: string): Fragment {
  const key = db`reference, line, svc_shipment_id`
  switch (sort) {
    case 'date':
      return db`expected_on, ${key}`
    case 'sku':
      return db`sku, expected_on, ${key}`
    case 'order':
      return db`${key}`
    case 'late':
      return db`${daysLateOn(db, today)} desc nulls last, ${key}`
  }
}

/**
 * The rows whose date or quantity differs from what it was at a revision, and those that were there and no longer are, with
 * the quantity 0. Candidates are the assignments that have changed since, and those of shipments whose dates have.
 */
function movedSince(db: Reader, account: AccountId, revision: number): Fragment {
  return db`
    with reassigned as (
      select id ->> 0 as reference, id ->> 1 as line, id ->> 2 as svc_shipment_id, (
          select (record::jsonb ->> 'assigned_quantity')::double precision from changes earlier
          where earlier.account_id = ${account} and kind = 'assignment' and earlier.id = changed.key
            and what <> 'derived' and earlier.revision <= ${revision}
          order by earlier.id desc, earlier.revision desc limit 1) as was_quantity
      from (
        select distinct changes.id as key, changes.id::jsonb as id from changes
        where account_id = ${account} and kind = 'assignment' and changes.revision > ${revision}
      ) changed
    ), concerned as (
      select svc_shipment_id from arrivals where account_id = ${account} and revision > ${revision}
      union
      select svc_shipment_id from reassigned
    ), shipments_then as materialized (
      select concerned.svc_shipment_id, earlier.expected_on as was_on, earlier.date_status as was_status,
        coalesce(earlier.cancelled, false) as was_cancelled, latest.shipment_name, latest.location, latest.vessel,
        (earlier.expected_on, coalesce(earlier.cancelled, false)) is distinct from (latest.expected_on, latest.cancelled)
          as is_shifted
      from concerned
      left join lateral (
        select * from arrivals
        where account_id = ${account} and arrivals.svc_shipment_id = concerned.svc_shipment_id
          and revision <= ${revision}
        order by arrivals.svc_shipment_id desc, revision desc limit 1
      ) earlier on true
      left join lateral (
        select * from arrivals
        where account_id = ${account} and arrivals.svc_shipment_id = concerned.svc_shipment_id
        order by arrivals.svc_shipment_id desc, revision desc limit 1
      ) latest on true
    ), candidates as (
      select reference, line, svc_shipment_id, was_quantity from reassigned
      union all
      select reference, line, svc_shipment_id, assigned_quantity
      from assignments
      join shipments_then using (svc_shipment_id)
      where account_id = ${account} and is_shifted
        and (reference, line, svc_shipment_id) not in (select reference, line, svc_shipment_id from reassigned)
    ), compared as (
      select reference, line, svc_shipment_id, case when was_cancelled then null else was_quantity end as was_quantity,
        was_on, was_status, shipment_name, location, vessel
      from candidates join shipments_then using (svc_shipment_id)
    )
    select ${account}::integer as account_id, compared.reference, compared.line, compared.svc_shipment_id,
      coalesce(present.sku, about.sku) as sku, coalesce(present.name, about.name) as name,
      coalesce(present.supplier, about.supplier) as supplier, coalesce(present.desired_on, about.desired_on) as desired_on,
      coalesce(present.words, about.words) as words, coalesce(present.quantity, 0) as quantity,
      coalesce(present.shipped, 0) as shipped, compared.shipment_name, present.expected_on, present.date_status,
      present.date_of, coalesce(present.delivered, false) as delivered, compared.location, compared.vessel, was_quantity,
      was_on, was_status
    from compared
    left join inbound present on present.account_id = ${account} and present.reference = compared.reference
      and present.line = compared.line and present.svc_shipment_id = compared.svc_shipment_id
    left join lateral (
      select sku, name, supplier, desired_on, words from inbound
      where present.reference is null and account_id = ${account} and inbound.reference = compared.reference
        and inbound.line = compared.line
      order by inbound.reference, inbound.line limit 1
    ) about on true
    where (was_quantity, case when was_quantity is not null then was_on end)
        is distinct from (present.quantity, present.expected_on)
      and coalesce(present.sku, about.sku) is not null`
}

function lineOf(row: Row, today: string): InboundLine {
  const desired = row.desired_on ?? undefined
  const expected = row.expected_on ?? undefined
  const days_late = daysLate({ desired, expected, isOver: row.delivered }, today)
  return {
    sku: row.sku,
    ...(row.name !== null && { name: row.name }),
    reference: row.reference,
    line: row.line,
    ...(row.supplier !== null && { supplier_name: row.supplier }),
    quantity: row.quantity,
    shipped_quantity: row.shipped,
    ...(desired !== undefined && { desired_delivery_date: desired }),
    ...(row.svc_shipment_id !== '' && { svc_shipment_id: row.svc_shipment_id }),
    ...(row.shipment_name !== null && { shipment_name: row.shipment_name }),
    ...(expected !== undefined && { expected_date: expected }),
    date_status: row.date_status ?? 'unknown',
    ...(row.date_of !== null && { date_of: row.date_of }),
    ...(days_late !== undefined && { days_late }),
    is_delivered: row.delivered,
    ...(row.location !== null && { location: row.location }),
    ...(row.vessel !== null && { vessel: row.vessel }),
    ...(typeof row.was_quantity === 'number' && {
      was: {
        quantity: row.was_quantity,
        ...(row.was_on != null && { expected_date: row.was_on }),
        date_status: row.was_status ?? 'unknown',
      },
    }),
  }
}
