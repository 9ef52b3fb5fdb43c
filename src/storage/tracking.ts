import type { MainTrackingDates } from '../contract/shipment.js'
import { asJson, type Reader } from './database.js'
import { oneBody } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type TrackingRow = {
  svc_shipment_id: string
  main_tracking_dates: MainTrackingDates
  body: string
  record: string
  what: 'created' | 'updated'
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
    rows.map((row) => ({ kind: 'tracking', id: row.svc_shipment_id, what: row.what, record: row.record })),
  )
}

export function findTracking(db: Reader, account: AccountId, shipment: string) {
  return oneBody(
    db`select body, revision from tracking where account_id = ${account} and svc_shipment_id = ${shipment}`,
  )
}

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
