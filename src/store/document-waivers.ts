import type { RequiredDocumentType } from '../contract/public/checklist.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import type { RecordedWrite } from './write.js'

/** Documents that shipments need and that the forwarder does without. */

export function waiverId(svc_shipment_id: string, type: RequiredDocumentType): string {
  return JSON.stringify([svc_shipment_id, type])
}

export function saveWaiver(
  tx: RecordedWrite & { at: string },
  account: AccountId,
  { svc_shipment_id, type, reason }: { svc_shipment_id: string; type: RequiredDocumentType; reason: string },
): void {
  const record = JSON.stringify({ svc_shipment_id, type, reason })
  tx.record([{ kind: 'document_waiver', id: waiverId(svc_shipment_id, type), what: 'created', record, reason }])
  tx.sql.send(tx.sql`
    insert into document_waivers (account_id, svc_shipment_id, type, reason, waived_at)
    values (${account}, ${svc_shipment_id}, ${type}, ${reason}, ${tx.at}::text::timestamptz)
    on conflict (account_id, svc_shipment_id, type) do update
    set reason = excluded.reason, waived_at = excluded.waived_at`)
}

export function removeWaiver(
  tx: RecordedWrite,
  account: AccountId,
  svc_shipment_id: string,
  type: RequiredDocumentType,
): void {
  tx.record([{ kind: 'document_waiver', id: waiverId(svc_shipment_id, type), what: 'removed' }])
  tx.sql.send(tx.sql`
    delete from document_waivers
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and type = ${type}`)
}

/** The waived types by shipment. */
export async function findWaivers(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, RequiredDocumentType[]>> {
  const rows = await lookUpWaivers(db, keysOf(account, shipments))
  return new Map(rows.map(({ svc_shipment_id, types }) => [svc_shipment_id, types]))
}

const lookUpWaivers = lookup<AccountKey, { svc_shipment_id: string; types: RequiredDocumentType[] }>(
  (db, keys) => db`
    select place, wanted.id as svc_shipment_id, types
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select array_agg(type) as types from document_waivers
      where account_id = wanted.account_id and svc_shipment_id = wanted.id
    ) waived
    where types is not null`,
)
