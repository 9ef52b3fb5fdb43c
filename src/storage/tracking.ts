import type { MainTrackingDates } from '../contract/shipment.js'
import { asJson, type Reader } from './database.js'
import { findingBodies } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type TrackingRow = {
  svc_shipment_id: string
  main_tracking_dates: MainTrackingDates
  body: string
  record: string
  what: 'created' | 'updated' | 'corrected'
  reason?: string | undefined
}

export async function saveTracking(tx: Transaction, account: AccountId, rows: TrackingRow[]): Promise<void> {
  const given = asJson(rows, ({ svc_shipment_id, main_tracking_dates, body }) => ({
    svc_shipment_id,
    main_tracking_dates: JSON.stringify(main_tracking_dates),
    body,
  }))
  await tx.sql`
    insert into tracking (account_id, svc_shipment_id, main_tracking_dates, revision, body)
    select ${account}, svc_shipment_id, main_tracking_dates, ${tx.revision}, body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (svc_shipment_id text, main_tracking_dates text, body text)
    on conflict (account_id, svc_shipment_id) do update
    set main_tracking_dates = excluded.main_tracking_dates, revision = excluded.revision, body = excluded.body`
  await tx.record(
    rows.map(({ svc_shipment_id, what, record, reason }) => ({
      kind: 'tracking',
      id: svc_shipment_id,
      what,
      record,
      reason,
    })),
  )
}

/** Stores the body of tracking whose entries have changed; what is the same stays untouched. */
export async function rerenderTracking(
  tx: Transaction,
  account: AccountId,
  rows: Pick<TrackingRow, 'svc_shipment_id' | 'main_tracking_dates' | 'body'>[],
): Promise<void> {
  const given = asJson(rows, ({ main_tracking_dates, ...row }) => ({
    ...row,
    main_tracking_dates: JSON.stringify(main_tracking_dates),
  }))
  const changed = await tx.sql<{ id: string }[]>`
    update tracking set main_tracking_dates = derived.main_tracking_dates, body = derived.body, revision = ${tx.revision}
    from jsonb_to_recordset(${given}::text::jsonb)
      as derived (svc_shipment_id text, main_tracking_dates text, body text)
    where account_id = ${account} and tracking.svc_shipment_id = derived.svc_shipment_id
      and (tracking.body, tracking.main_tracking_dates) <> (derived.body, derived.main_tracking_dates)
    returning tracking.svc_shipment_id as id`
  await tx.record(changed.map(({ id }) => ({ kind: 'tracking', id, what: 'derived' })))
}

export const findTracking = findingBodies(
  (db, accounts, shipments) => db`
    select place, body, revision
    from unnest((select ${accounts}::integer[]), (select ${shipments}::text[]))
      with ordinality as wanted (account_id, svc_shipment_id, place)
    join tracking using (account_id, svc_shipment_id)`,
)

export async function findMainTrackingDates(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, MainTrackingDates>> {
  const rows = await db<{ svc_shipment_id: string; main_tracking_dates: string }[]>`
    select svc_shipment_id, main_tracking_dates from tracking
    where account_id = ${account} and svc_shipment_id = any(${shipments})`
  return new Map(rows.map((row) => [row.svc_shipment_id, JSON.parse(row.main_tracking_dates) as MainTrackingDates]))
}
