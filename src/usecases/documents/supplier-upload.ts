import { businessTime } from '../../clock/clock.js'
import type { SupplierUpload } from '../../contract/portal/supplier-links.js'
import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { requiredDocuments } from '../../domain/documents/required-documents.js'
import { commit } from '../../ledger/commit.js'
import type { Actor } from '../../store/audit.js'
import { recordAudit } from '../../store/audit.js'
import { findSameProposal, listProposals } from '../../store/document-proposals.js'
import { countUpload, noteOpened, type OpenSupplierLink } from '../../store/supplier-links.js'
import type { PortalHandler, VisitorContext } from '../portal-context.js'
import { findDocumentFacts, nameAndRoute } from './checklist.js'
import { propose } from './propose-document.js'

/** What somebody with a link for suppliers sees and does: nothing of the account but the shipment's name and route. */

export const getSupplierUpload: PortalHandler<'getSupplierUpload'> = async (context) => {
  const { db, forwarderName } = context
  const link = linkOf(context)
  const { account_id: account, link_id, svc_shipment_id, supplier } = link
  if (await noteOpened(db, account, link_id)) {
    const details = { svc_shipment_id, supplier }
    await recordAudit(db, account, actorOf(context, link), {
      kind: 'proposal',
      action: 'supplier_link_opened',
      subject: link_id,
      details,
    })
  }
  return uploadOf(db, link, forwarderName)
}

// One link does not fill the list of the forwarder.
const mostUploads = 100

export const uploadAsSupplier: PortalHandler<'uploadAsSupplier'> = async (context, { body, upload, prepared }) => {
  const { db, forwarderName, quotas } = context
  const link = linkOf(context)
  const { account_id: account, link_id, svc_shipment_id, supplier } = link
  const actor = actorOf(context, link)
  await commit(db, account, actor.actor, async (tx) => {
    tx.applyDefaultQuotas(quotas)
    // Sent twice, as after a lost response: there is one proposal.
    const same = { link_id, content_hash: upload.hash, name: upload.name }
    if (await findSameProposal(tx.sql, account, same)) return
    // The link may have been revoked while the file was on its way.
    if (!(await countUpload(tx, account, link_id, mostUploads))) throw new Refusal('supplier_link_not_valid')
    const given = { ...body, svc_shipment_id, origin: 'supplier' as const, supplier, link_id }
    await propose(tx, account, actor, given, { upload, prepared })
  })
  return uploadOf(db, link, forwarderName)
}

function linkOf({ supplierLink }: VisitorContext): OpenSupplierLink {
  if (!supplierLink) throw new Refusal('supplier_link_not_valid')
  return supplierLink
}

function actorOf({ visitor }: VisitorContext, { link_id, supplier }: OpenSupplierLink): Actor {
  return { ...visitor, actor: `supplier:${link_id}`, actor_name: supplier }
}

async function uploadOf(db: Database, link: OpenSupplierLink, forwarder: string): Promise<SupplierUpload> {
  const { account_id: account, link_id, svc_shipment_id, supplier, expires_at } = link
  const facts = (await findDocumentFacts(db, account, [svc_shipment_id])).get(svc_shipment_id)
  const uploads = await listProposals(db, account, { svc_shipment_id, link_id, take: 100 })
  const wanted = facts
    ? requiredDocuments(facts, new Date(businessTime())).filter(
        ({ type, present, waived }) => ofSuppliers.has(type) && !present && !waived,
      )
    : []
  const { name: shipment_name, ...route } = facts ? await nameAndRoute(facts.shipment) : {}
  return {
    forwarder,
    supplier,
    expires_at: expires_at.toISOString(),
    wanted: wanted.map(({ type }) => type),
    uploads: uploads.map(({ id, name, type, state, proposed_at, reason }) => ({
      id,
      name,
      type,
      state,
      proposed_at,
      ...(reason !== undefined && { reason }),
    })),
    ...(shipment_name !== undefined && { shipment_name }),
    ...route,
  }
}

// Carriers and consignees issue the others.
const ofSuppliers = new Set(['dangerous_goods_declaration', 'commercial_invoice', 'packing_list'])
