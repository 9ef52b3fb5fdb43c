import type { ReferenceKind } from '../contract/operator/messages.js'
import type { ShipmentStatus } from '../contract/public/shipment.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader } from '../database/database.js'
import type { ShipmentReference } from '../domain/messages/references.js'
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
      where account_id = ${account} and svc_shipment_id = any(${rows.map(({ svc_shipment_id }) => svc_shipment_id)}::text[])`,
    sql`
      insert into shipment_references (account_id, svc_shipment_id, kind, reference)
      select ${account}, svc_shipment_id, kind, reference
      from jsonb_to_recordset(${given}::text::jsonb) as saved (svc_shipment_id text, kind text, reference text)
      on conflict do nothing`,
  ]
}

/** A shipment of any account that has one of the references. */
export type ReferencedShipment = {
  reference: string
  kind: ReferenceKind
  account_id: AccountId
  account: string
  svc_shipment_id: string
  status: ShipmentStatus | null
}

/** At most `most` shipments for each reference. */
export async function findReferencedShipments(
  db: Reader,
  references: string[],
  most: number,
): Promise<ReferencedShipment[]> {
  if (references.length === 0) return []
  return db<ReferencedShipment[]>`
    select found.reference, found.kind, found.account_id, accounts.slug as account, found.svc_shipment_id, shipments.status
    from unnest(${references}::text[]) as wanted (reference)
    cross join lateral (
      select * from shipment_references where reference = wanted.reference
      order by account_id, svc_shipment_id, kind limit ${most}
    ) found
    join accounts using (account_id)
    join shipments using (account_id, svc_shipment_id)
    order by found.reference, found.account_id, found.svc_shipment_id, found.kind`
}
