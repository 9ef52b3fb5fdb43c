import type { OrderArrival } from '../contract/portal/inbound.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { daysLateOn } from './inbound-lateness.js'

type Row = {
  reference: string
  expected_on: string | null
  date_status: OrderArrival['date_status'] | null
  days_late: number | null
}

/** When orders arrive, by the rules of `orderArrivals`: the last arrival that is still to come, or else the last that came. */
export async function findOrderArrivals(
  db: Reader,
  account: AccountId,
  references: string[],
  today: string,
): Promise<OrderArrival[]> {
  const rows = await db<Row[]>`
    select wanted.reference, last.expected_on, last.date_status, (
      select max(${daysLateOn(db, today)}) from inbound
      where account_id = ${account} and inbound.reference = wanted.reference) as days_late
    from unnest(${references}::text[]) as wanted (reference)
    left join lateral (
      select expected_on, date_status from inbound
      where account_id = ${account} and inbound.reference = wanted.reference and expected_on is not null
      order by date_status = 'actual', expected_on desc limit 1
    ) last on true`
  return rows.map(({ reference, expected_on, date_status, days_late }) => ({
    reference,
    date_status: date_status ?? 'unknown',
    ...(expected_on !== null && { expected_date: expected_on }),
    ...(days_late !== null && { days_late }),
  }))
}
