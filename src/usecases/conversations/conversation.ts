import type { Message, MessageRecord, SubjectFields } from '../../contract/public/message.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import type { SubjectKey } from '../../store/conversations.js'
import { findPurchaseOrderBodies } from '../../store/purchase-orders.js'
import { findShipmentBodies } from '../../store/shipments.js'
import type { SignLink } from '../customer-context.js'

/** A message as it is read, with links to its files. */
export function messageOf(
  { mail_hash: _hash, files, ...record }: MessageRecord,
  account: AccountId,
  signLink: SignLink,
): Message {
  return { ...record, files: files.map((file) => ({ ...file, link: signLink({ account, id: file.file_id }) })) }
}

/** The one of the two that is given; undefined if neither is. */
export function subjectIn({ svc_shipment_id, po_number }: SubjectFields): SubjectKey | undefined {
  if (svc_shipment_id !== undefined && po_number !== undefined)
    throw invalid([{ pointer: '/po_number', detail: 'must not be given beside svc_shipment_id' }])
  if (svc_shipment_id !== undefined) return { kind: 'shipment', id: svc_shipment_id }
  return po_number === undefined ? undefined : { kind: 'purchase_order', id: po_number }
}

/** The one of the two that must be given, and exist. */
export async function getSubject(db: Reader, account: AccountId, given: SubjectFields): Promise<SubjectKey> {
  const subject = subjectIn(given)
  if (!subject) throw invalid([{ pointer: '/svc_shipment_id', detail: 'must be given, unless po_number is' }])
  const { kind, id } = subject
  if (kind === 'shipment' && !(await findShipmentBodies(db, account, [id])).has(id))
    throw new Refusal('shipment_not_found')
  if (kind === 'purchase_order' && !(await findPurchaseOrderBodies(db, account, [id])).has(id))
    throw new Refusal('purchase_order_not_found')
  return subject
}

export function fieldsOf({ kind, id }: SubjectKey): SubjectFields {
  return kind === 'shipment' ? { svc_shipment_id: id } : { po_number: id }
}
