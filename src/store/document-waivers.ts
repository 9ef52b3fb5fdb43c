import type { RequiredDocumentType } from '../contract/public/checklist.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
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
  const rows = await db<{ svc_shipment_id: string; types: RequiredDocumentType[] }[]>`
    select svc_shipment_id, array_agg(type) as types from document_waivers
    where account_id = ${account} and svc_shipment_id = any (${shipments}::text[]) group by svc_shipment_id`
  return new Map(rows.map(({ svc_shipment_id, types }) => [svc_shipment_id, types]))
}
