import { batchLength, inBatches } from './batches.js'
import type { TransactionSql } from './database.js'
import type { AccountId } from './transaction.js'

/** What an import does not contain, but changes: stored resources that show something of those in the file. */

type WeighedShipment = { shipment: string; bytes: number }

/** Shipments that the file says something of. */
export function readShipmentsBesideFile(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): AsyncGenerator<WeighedShipment[]> {
  return inBatches(
    ({ shipment }) => shipment,
    (after) => sql<WeighedShipment[]>`
      with beside as (
        select distinct shipment from staged
        where account = ${slug} and shipment > ${after} and not exists (
          select from staged own where own.account = ${slug} and own.kind = 'shipment' and own.id = staged.shipment)
        order by shipment limit ${batchLength}
      )
      select beside.shipment, coalesce(octet_length(stored.record), 0) as bytes
      from beside left join lateral (
        select record from changes
        where account_id = ${account} and kind = 'shipment' and id = beside.shipment and what <> 'derived'
        order by revision desc limit 1
      ) stored on true
      order by shipment`,
  )
}

/** Shipments that invoices of the file were moved away from. */
export async function* readLeftShipments(
  sql: TransactionSql,
  account: AccountId,
  shipments: string[],
): AsyncGenerator<WeighedShipment[]> {
  for (let start = 0; start < shipments.length; start += batchLength) {
    const some = shipments.slice(start, start + batchLength)
    yield* inBatches(
      ({ shipment }) => shipment,
      (after) => sql<WeighedShipment[]>`
        select wanted.shipment, coalesce(octet_length(stored.record), 0) as bytes
        from unnest(${some}::text[]) as wanted (shipment)
        left join lateral (
          select record from changes
          where account_id = ${account} and kind = 'shipment' and id = wanted.shipment and what <> 'derived'
          order by revision desc limit 1
        ) stored on true
        where wanted.shipment collate "C" > ${after}
        order by wanted.shipment collate "C"`,
    )
  }
}

type WeighedOrder = { reference: string; bytes: number }

/** Orders that show the status of a shipment in the file. */
export function readOrdersBesideFile(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): AsyncGenerator<WeighedOrder[]> {
  return inBatches(
    ({ reference }) => reference,
    (after) => sql<WeighedOrder[]>`
      with beside as (
        select distinct assignments.reference
        from assignments join staged on staged.account = ${slug} and staged.kind = 'shipment'
          and staged.id = assignments.svc_shipment_id
        where assignments.account_id = ${account} and assignments.reference > ${after} and not exists (
          select from staged own where own.account = ${slug} and own.reference = assignments.reference)
        order by assignments.reference limit ${batchLength}
      )
      select beside.reference, coalesce(octet_length(stored.record), 0) + assigned.bytes as bytes
      from beside
      left join lateral (
        select record from changes
        where account_id = ${account} and kind = 'purchase_order' and id = beside.reference and what <> 'derived'
        order by revision desc limit 1
      ) stored on true
      cross join lateral (
        select sum(octet_length(shipped_order_lines)) as bytes from assignments
        where account_id = ${account} and assignments.reference = beside.reference
      ) assigned
      order by reference`,
  )
}
