import { batchLength, inBatches } from './batches.js'
import type { TransactionSql } from './database.js'
import type { AccountId } from './transaction.js'

/** Shipments whose tracking has events and positions beside it, stored or in the file of an import. */

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

/** Those that the file says something of, once that is stored. */
export function readTrackingWithEntries(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): AsyncGenerator<WeighedShipment[]> {
  return inBatches(
    ({ shipment }) => shipment,
    (after) => sql<WeighedShipment[]>`
      with given as (
        select distinct shipment from staged
        where account = ${slug} and kind in ('tracking', 'tracking_event', 'tracking_position')
          and shipment > ${after} and exists (
            select from tracking_entries stored
            where stored.account_id = ${account} and stored.svc_shipment_id = staged.shipment)
        order by shipment limit ${batchLength}
      )
      select given.shipment, octet_length(tracking.record) + entries.bytes as bytes
      from given
      cross join lateral (
        select record from changes
        where account_id = ${account} and kind = 'tracking' and id = given.shipment and what <> 'derived'
        order by revision desc limit 1
      ) tracking
      cross join lateral (
        select sum(octet_length(record)) as bytes from tracking_entries
        where account_id = ${account} and svc_shipment_id = given.shipment
      ) entries
      order by shipment`,
  )
}
