import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import type { LineOnTheWay } from '../domain/inbound/delay.js'
import { isLateOn } from './inbound-lateness.js'

// A vessel carries some hundred containers of one account at most.
const mostLines = 20_000

type Row = Omit<LineOnTheWay, 'name' | 'desired_date'> & { name: string | null; desired_date: string | null }

/** The order lines on a shipment that are not delivered and have a date. */
export async function findInboundOnTheWay(db: Reader, account: AccountId, shipment: string): Promise<LineOnTheWay[]> {
  const rows = await db<Row[]>`
    select sku, name, reference, line, svc_shipment_id, quantity, expected_on as expected_date, desired_on as desired_date
    from inbound
    where account_id = ${account} and svc_shipment_id = ${shipment} and not delivered and expected_on is not null
    order by reference, line limit ${mostLines}`
  return rows.map(lineOf)
}

/** The same on all shipments of a vessel. */
export async function findInboundOfVessel(db: Reader, account: AccountId, vessel: string): Promise<LineOnTheWay[]> {
  const rows = await db<Row[]>`
    select sku, name, reference, line, svc_shipment_id, quantity, expected_on as expected_date, desired_on as desired_date
    from inbound
    where account_id = ${account} and upper(vessel) = upper(${vessel}) and not delivered and expected_on is not null
    order by expected_on, reference, line, svc_shipment_id limit ${mostLines}`
  return rows.map(lineOf)
}

/** The vessels of shipments, now or at a revision. */
export async function findVessels(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision: number | undefined,
): Promise<Map<string, string>> {
  const rows = await db<{ id: string; vessel: string | null }[]>`
    select distinct on (svc_shipment_id) svc_shipment_id as id, vessel from arrivals
    where account_id = ${account} and svc_shipment_id = any(${shipments}::text[])
      ${revision === undefined ? db`` : db`and revision <= ${revision}`}
    order by svc_shipment_id, revision desc`
  return new Map(rows.flatMap(({ id, vessel }) => (vessel === null ? [] : [[id, vessel] as const])))
}

/** Those of the orders of which a line is late, wherever it is. */
export async function findLateOrders(
  db: Reader,
  account: AccountId,
  references: string[],
  today: string,
): Promise<Set<string>> {
  const rows = await db<{ reference: string }[]>`
    select distinct reference from inbound
    where account_id = ${account} and reference = any(${references}::text[]) and ${isLateOn(db, today)}`
  return new Set(rows.map(({ reference }) => reference))
}

function lineOf({ name, desired_date, ...row }: Row): LineOnTheWay {
  return { ...row, name: name ?? undefined, desired_date: desired_date ?? undefined }
}
