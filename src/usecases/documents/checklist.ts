import type { Checklist } from '../../contract/public/checklist.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type DocumentFacts, requiredDocuments } from '../../domain/documents/required-documents.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { findWaivers, removeWaiver, saveWaiver } from '../../store/document-waivers.js'
import { findDocumentsOfShipments } from '../../store/documents.js'
import { findShipmentBodies } from '../../store/shipments.js'
import type { OperatorHandler } from '../operator-context.js'

/** The documents that shipments need, by shipment; unknown shipments are left out. */
export async function findDocumentFacts(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, DocumentFacts>> {
  const [bodies, documents, waivers] = await Promise.all([
    findShipmentBodies(db, account, shipments),
    findDocumentsOfShipments(db, account, shipments),
    findWaivers(db, account, shipments),
  ])
  const documentsOf = groupedBy(documents, ({ svc_shipment_id }) => svc_shipment_id)
  return new Map(
    [...bodies].map(([id, body]) => [
      id,
      {
        shipment: JSON.parse(body) as Shipment,
        documents: documentsOf.get(id) ?? [],
        waived: waivers.get(id) ?? [],
      },
    ]),
  )
}

export async function findChecklist(
  db: Reader,
  account: AccountId,
  svc_shipment_id: string,
): Promise<Checklist | undefined> {
  const facts = (await findDocumentFacts(db, account, [svc_shipment_id])).get(svc_shipment_id)
  return facts && { svc_shipment_id, documents: requiredDocuments(facts, new Date()) }
}

export const getChecklistOf: OperatorHandler<'getChecklist'> = async ({ db, account }, { params }) =>
  getChecklist(db, account, params.svc_shipment_id)

export const waiveDocument: OperatorHandler<'waiveDocument'> = async (
  { tx, account },
  { params: { svc_shipment_id }, body: { type, reason } },
) => {
  await getChecklist(tx.sql, account, svc_shipment_id)
  saveWaiver(tx, account, { svc_shipment_id, type, reason })
  return getChecklist(tx.sql, account, svc_shipment_id)
}

export const requireDocument: OperatorHandler<'requireDocument'> = async (
  { tx, account },
  { params: { svc_shipment_id, type } },
) => {
  const before = await getChecklist(tx.sql, account, svc_shipment_id)
  const waived = before.documents.find((each) => each.type === type && each.waived)
  if (!waived) return before
  removeWaiver(tx, account, svc_shipment_id, waived.type)
  return getChecklist(tx.sql, account, svc_shipment_id)
}

async function getChecklist(db: Reader, account: AccountId, svc_shipment_id: string): Promise<Checklist> {
  const checklist = await findChecklist(db, account, svc_shipment_id)
  if (!checklist) throw new Refusal('shipment_not_found')
  return checklist
}
