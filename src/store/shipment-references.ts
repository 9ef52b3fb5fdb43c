import type { MainTrackingDates } from '../contract/public/shipment.js'
import type { AccountId, AccountScope } from '../database/account-id.js'
import { asJson, type Fragment, type Reader } from '../database/database.js'
import type { Candidate } from '../domain/messages/matching.js'
import { orderReference, type ShipmentReference } from '../domain/messages/references.js'
import { inScope } from './account-scope.js'
import { creationInstant } from './list-order.js'
import type { RowWrite } from './write.js'

/** The references of all shipments of all accounts, written together with the shipment. */

export function saveShipmentReferences(
  { sql }: RowWrite,
  account: AccountId,
  rows: { svc_shipment_id: string; references: ShipmentReference[] }[],
): Fragment[] {
  if (rows.length === 0) return []
  const given = asJson(
    rows.flatMap(({ svc_shipment_id, references }) => references.map((each) => ({ svc_shipment_id, ...each }))),
  )
  return [
    sql`
      delete from shipment_references
      where account_id = ${account} and svc_shipment_id = any(${rows.map(({ svc_shipment_id }) => svc_shipment_id)}::text[])
        and kind <> 'purchase_order'`,
    sql`
      insert into shipment_references (account_id, svc_shipment_id, kind, reference)
      select ${account}, svc_shipment_id, kind, reference
      from jsonb_to_recordset(${given}::text::jsonb) as saved (svc_shipment_id text, kind text, reference text)
      on conflict do nothing`,
  ]
}

/** The orders that are assigned to shipments: written with the assignments, and kept when a shipment is written. */
export function saveOrderReferences(
  { sql }: RowWrite,
  account: AccountId,
  rows: { svc_shipment_id: string; reference: string }[],
): Fragment[] {
  const given = rows.flatMap(({ svc_shipment_id, reference: order }) => {
    const reference = orderReference(order)
    return reference === undefined ? [] : [{ svc_shipment_id, reference }]
  })
  if (given.length === 0) return []
  return [
    sql`
      insert into shipment_references (account_id, svc_shipment_id, kind, reference)
      select distinct ${account}::integer, svc_shipment_id, 'purchase_order', reference
      from jsonb_to_recordset(${asJson(given)}::text::jsonb) as saved (svc_shipment_id text, reference text)
      on conflict do nothing`,
  ]
}

type NamedCandidate = Candidate & { account_name: string }

type ReferencedShipment = Omit<NamedCandidate, 'begins_at' | 'delivered_at' | 'reference' | 'kind'> & {
  /** By which of the references, and of which kind they are. */
  found: [reference: string, kind: NamedCandidate['kind']][]
  newest_first: string
  ready_on: string | null
  dates: MainTrackingDates | null
}

/** The shipments of the accounts that have one of the references; at most `most` for each. A shipment is read once for all of its references. */
export async function findReferencedShipments(
  db: Reader,
  scope: AccountScope,
  references: string[],
  most: number,
): Promise<NamedCandidate[]> {
  if (references.length === 0) return []
  const rows = await db<ReferencedShipment[]>`
    select named.account_id, named.found, accounts.slug as account, accounts.name as account_name, svc_shipment_id,
      shipments.status, shipments.newest_first::text as newest_first,
      shipments.body::jsonb ->> 'cargo_ready_date' as ready_on, main_tracking_dates::jsonb as dates,
      array(
        select kind || ' ' || reference from shipment_references other
        where other.account_id = named.account_id and other.svc_shipment_id = named.svc_shipment_id
          and kind in ('booking', 'master_bill', 'house_bill')
      ) as documents,
      exists (
        select from shipment_references other
        where other.account_id = named.account_id and other.svc_shipment_id = named.svc_shipment_id and kind = 'container'
      ) as has_containers
    from (
      select account_id, svc_shipment_id, array_agg(array[reference, kind] order by reference, kind) as found
      from unnest(${references}::text[]) as wanted (wanted)
      cross join lateral (
        select reference, account_id, svc_shipment_id, kind from shipment_references
        where reference = wanted and ${inScope(db, scope)}
        order by account_id, svc_shipment_id, kind limit ${most}
      ) found
      group by account_id, svc_shipment_id
    ) named
    join accounts using (account_id)
    join shipments using (account_id, svc_shipment_id)
    left join tracking using (account_id, svc_shipment_id)
    order by named.account_id, svc_shipment_id`
  return rows.flatMap(({ newest_first, ready_on, dates, found, ...row }) => {
    const known = Object.values(dates ?? {}).map(({ date }) => date)
    const instants = [creationInstant(newest_first), ready_on, ...known].map((date) => Date.parse(date ?? ''))
    const begins_at = Math.min(...instants.filter((instant) => !Number.isNaN(instant)))
    const { date = null, status } = dates?.delivery_date ?? {}
    const delivered_at = status === 'actual' || row.status === 'finished' ? date : null
    return found.map(([reference, kind]) => ({ reference, kind, ...row, begins_at, delivered_at }))
  })
}

/** Whether an order with this reference is on the shipment. */
export async function hasOrderReference(
  db: Reader,
  account: AccountId,
  svc_shipment_id: string,
  reference: string,
): Promise<boolean> {
  const [row] = await db`
    select from shipment_references
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and kind = 'purchase_order'
      and reference = ${reference}`
  return row !== undefined
}
