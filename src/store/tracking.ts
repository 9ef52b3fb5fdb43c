import type { MainTrackingDates } from '../contract/public/shipment.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Reader } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import type { Sailing } from '../domain/tracking/sailing.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import { bodyFinder } from './rendered.js'
import type { RowWrite } from './write.js'

type TrackingRow = {
  svc_shipment_id: string
  /** As JSON. */
  main_tracking_dates: string
  /** By its events. */
  sailing: Sailing | undefined
  /** The saved locations of its steps. */
  location_ids: number[]
  body: string
}

export function saveTracking({ sql, revision }: RowWrite, account_id: AccountId, rows: TrackingRow[]): void {
  sql.gathering.write(
    upsertTracking,
    rows.map(({ sailing, ...row }) => ({ ...row, ...sailing, account_id, revision })),
  )
}

type StoredRow = Omit<TrackingRow, 'sailing'> & Partial<Sailing> & { account_id: AccountId; revision: number }

function upsertTracking(sql: Reader, rows: StoredRow[]) {
  return sql`
    with saved as materialized (
      select * from jsonb_to_recordset(${asJson(rows)}::text::jsonb) as saved (
        account_id integer, svc_shipment_id text, main_tracking_dates text, vessel text, voyage text, location_ids bigint[],
        revision bigint, body text)
    ), named as (
      select account_id, svc_shipment_id, unnest(location_ids) as location_id from saved
    ), removed as (
      delete from tracking_locations stored using saved
      where stored.account_id = saved.account_id and stored.svc_shipment_id = saved.svc_shipment_id
        and not stored.location_id = any(saved.location_ids)
    ), added as (
      insert into tracking_locations (account_id, location_id, svc_shipment_id)
      select account_id, location_id, svc_shipment_id from named
      on conflict do nothing
    )
    insert into tracking (account_id, svc_shipment_id, main_tracking_dates, vessel, voyage, revision, body)
    select account_id, svc_shipment_id, main_tracking_dates, vessel, voyage, revision, body from saved
    on conflict (account_id, svc_shipment_id) do update
    set main_tracking_dates = excluded.main_tracking_dates, vessel = excluded.vessel, voyage = excluded.voyage,
      revision = excluded.revision, body = excluded.body`
}

/** The shipments whose tracking has a step at one of these locations. */
export async function findTrackingOfLocations(db: Reader, account: AccountId, locations: number[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct svc_shipment_id as id from tracking_locations
    where account_id = ${account} and location_id = any(${locations}::bigint[])`
  return rows.map(({ id }) => id)
}

export async function findTrackingBodies(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, Stored>> {
  const rows = await lookUpTracking(db, keysOf(account, shipments))
  return new Map(
    rows.map(({ id, body, main_tracking_dates, ...row }) => [
      id,
      { body, main_tracking_dates, sailing: sailingOf(row) },
    ]),
  )
}

type Stored = Pick<TrackingRow, 'body' | 'main_tracking_dates' | 'sailing'>
type SailingRow = { vessel: string | null; voyage: string | null }

function sailingOf({ vessel, voyage }: SailingRow): Sailing | undefined {
  return vessel === null ? undefined : { vessel, voyage: voyage ?? undefined }
}

const lookUpTracking = lookup<AccountKey, SailingRow & { id: string; body: string; main_tracking_dates: string }>(
  (db, keys) => db`
    select place, id, body, main_tracking_dates, vessel, voyage
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select body, main_tracking_dates, vessel, voyage from tracking
      where account_id = wanted.account_id and svc_shipment_id = wanted.id offset 0
    ) stored`,
)

export const findTracking = bodyFinder(
  (db, accounts, shipments) => db`
    select place, body, revision
    from unnest((select ${accounts}::integer[]), (select ${shipments}::text[]))
      with ordinality as wanted (account_id, svc_shipment_id, place)
    join tracking using (account_id, svc_shipment_id)`,
)

type TrackedDates = { dates: MainTrackingDates; sailing: Sailing | undefined }

/** What shipments include of their tracking, and the vessel by its events. */
export async function findTrackedDates(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, TrackedDates>> {
  const rows = await lookUpDates(db, keysOf(account, shipments))
  return new Map(
    rows.map((row) => [
      row.id,
      { dates: JSON.parse(row.main_tracking_dates) as MainTrackingDates, sailing: sailingOf(row) },
    ]),
  )
}

const lookUpDates = lookup<AccountKey, SailingRow & { id: string; main_tracking_dates: string }>(
  (db, keys) => db`
    select place, id, main_tracking_dates, vessel, voyage
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select main_tracking_dates, vessel, voyage from tracking
      where account_id = wanted.account_id and svc_shipment_id = wanted.id offset 0
    ) stored`,
)
