import { businessTime } from '../../clock/clock.js'
import type { Checklist } from '../../contract/public/checklist.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type DocumentFacts, requiredDocuments } from '../../domain/documents/required-documents.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { findWaivers, removeWaiver, saveWaiver } from '../../store/document-waivers.js'
import { findDocumentsOfShipments } from '../../store/documents.js'
import { findShipmentBodies } from '../../store/shipments.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'

/** The documents that shipments need, by shipment; unknown shipments are left out. */
export async function findDocumentFacts(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, ShipmentFacts>> {
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

/** The name of a shipment, and the names of the places that it goes from and to. */
export async function nameAndRoute({ name, route }: Pick<Shipment, 'name' | 'route'>) {
  // Loaded on first use: the port data is large.
  const { placeNameOf } = await import('../../geography/places.js')
  const { origin_port_unlocode: from, destination_port_unlocode: to } = route ?? {}
  return {
    ...(name !== undefined && { name }),
    ...(from !== undefined && { origin: placeNameOf(from) ?? from }),
    ...(to !== undefined && { destination: placeNameOf(to) ?? to }),
  }
}

type ShipmentFacts = DocumentFacts & { shipment: Shipment }

export async function findChecklist(
  db: Reader,
  account: AccountId,
  svc_shipment_id: string,
): Promise<Checklist | undefined> {
  const facts = (await findDocumentFacts(db, account, [svc_shipment_id])).get(svc_shipment_id)
  return facts && { svc_shipment_id, documents: requiredDocuments(facts, new Date(businessTime())) }
}

/** Of several shipments, in the order in which they are asked for. */
export const findChecklists: PortalHandler<'findChecklists'> = async ({ db, account }, { query }) => {
  const ids = readIds(query.shipments)
  const facts = await findDocumentFacts(db, account, ids)
  const now = new Date(businessTime())
  const known = ids.flatMap((svc_shipment_id) => {
    const found = facts.get(svc_shipment_id)
    return found ? [{ svc_shipment_id, found }] : []
  })
  return Promise.all(
    known.map(async ({ svc_shipment_id, found }) => ({
      svc_shipment_id,
      ...(await nameAndRoute(found.shipment)),
      documents: requiredDocuments(found, now),
    })),
  )
}

function readIds(text: string): string[] {
  const fault = invalid([
    { pointer: '/shipments', detail: 'must be a JSON array of at most 100 identifiers of shipments' },
  ])
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw fault
  }
  const isList =
    Array.isArray(given) && given.length <= 100 && given.every((id) => typeof id === 'string' && !id.includes('\0'))
  if (!isList) throw fault
  return [...new Set(given as string[])]
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
