import { batchLength, inBatches } from './batches.js'
import { asJson, type TransactionSql } from './database.js'
import type { AccountId, Transaction } from './transaction.js'

/** Shipments whose tracking has more to it than came in its line, stored or in the file of an import. */

type WeighedShipment = { shipment: string; bytes: number }

/** Those that the file brings events for, and those with events whose tracking it replaces. */
export function readTrackingToJudge(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): AsyncGenerator<WeighedShipment[]> {
  return inBatches(
    ({ shipment }) => shipment,
    (after) => sql<WeighedShipment[]>`
      with given as (
        select shipment, sum(octet_length(record)) as bytes from staged
        where account = ${slug} and kind in ('tracking', 'tracking_event') and shipment > ${after} and (
          kind = 'tracking_event'
          or exists (
            select from staged event
            where event.account = ${slug} and event.shipment = staged.shipment and event.kind = 'tracking_event')
          or exists (
            select from tracking_entries stored
            where stored.account_id = ${account} and stored.svc_shipment_id = staged.shipment
              and stored.kind = 'tracking_event'))
        group by shipment order by shipment limit ${batchLength}
      )
      select given.shipment, given.bytes + coalesce(octet_length(tracking.record), 0) + coalesce(entries.bytes, 0) as bytes
      from given
      left join lateral (
        select record from changes
        where account_id = ${account} and kind = 'tracking' and id = given.shipment and what <> 'derived'
        order by revision desc limit 1
      ) tracking on true
      left join lateral (
        select sum(octet_length(record)) as bytes from tracking_entries
        where account_id = ${account} and svc_shipment_id = given.shipment
      ) entries on true
      order by shipment`,
  )
}

type WantedTracking = { shipment: string; containers: string[]; has_changed: boolean }

/**
 * Those of shipments that this write has changed anything of, once that is stored, and that show more than came in one
 * line: events and positions beside it, or containers of the shipment that no event names.
 */
export function readTrackingToRender(
  { sql, revision }: Transaction,
  account: AccountId,
  shipments: WantedTracking[],
): AsyncGenerator<WeighedShipment[]> {
  const given = shipments.map(({ containers, ...wanted }) => ({ ...wanted, names: containers.map(asNamed) }))
  return inBatches(
    ({ shipment }) => shipment,
    (after) => sql<WeighedShipment[]>`
      select wanted.shipment, octet_length(tracking.body) + coalesce(entries.bytes, 0) as bytes
      from jsonb_to_recordset(${asJson(given)}::text::jsonb) as wanted (shipment text, names text[], has_changed boolean)
      join tracking on tracking.account_id = ${account} and tracking.svc_shipment_id = wanted.shipment
      cross join lateral (
        select sum(octet_length(record)) as bytes, max(tracking_entries.revision) as revision from tracking_entries
        where account_id = ${account} and svc_shipment_id = wanted.shipment
      ) entries
      where wanted.shipment collate "C" > ${after}
        and (wanted.has_changed or ${revision} in (tracking.revision, entries.revision))
        and (entries.bytes is not null or (position(${anyName} in tracking.body) > 0 and (
          tracking.revision < ${revision}
          or exists (select from unnest(wanted.names) as name where position(name in tracking.body) = 0))))
      order by wanted.shipment collate "C"`,
  )
}

const anyName = '"container_number":'

/** How an event of a stored body names a container. */
function asNamed(container_number: string): string {
  return anyName + JSON.stringify(container_number)
}
