import type { OrderArrival } from '../contract/portal/inbound.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { daysLateOn } from './inbound-lateness.js'

type Row = {
  reference: string
  expected_on: string | null
  date_status: OrderArrival['date_status'] | null
  days_late: number | null
  is_cancelled: boolean
}

/** When orders arrive, by the rules of `orderArrivals`: the last arrival that is still to come; once all is there, the last that came. */
export async function findOrderArrivals(
  db: Reader,
  account: AccountId,
  references: string[],
  today: string,
): Promise<OrderArrival[]> {
  const rows = await db<Row[]>`
    select wanted.reference, last.expected_on, last.date_status, (
      select max(${daysLateOn(db, today)}) from inbound
      where account_id = ${account} and inbound.reference = wanted.reference) as days_late, exists (
      select from purchase_orders
      where account_id = ${account} and purchase_orders.reference = wanted.reference and cancelled_at is not null
    ) as is_cancelled
    from unnest(${references}::text[]) as wanted (reference)
    left join lateral (
      select expected_on, date_status from inbound
      where account_id = ${account} and inbound.reference = wanted.reference and expected_on is not null
      order by date_status = 'actual', expected_on desc limit 1
    ) last on last.date_status <> 'actual' or not exists (
      select from inbound
      where account_id = ${account} and inbound.reference = wanted.reference and date_status is distinct from 'actual')`
  return rows.map(({ reference, expected_on, date_status, days_late, is_cancelled }) => ({
    reference,
    date_status: date_status ?? 'unknown',
    ...(expected_on !== null && { expected_date: expected_on }),
    ...(days_late !== null && { days_late }),
    ...(is_cancelled && { cancelled: true }),
  }))
}
