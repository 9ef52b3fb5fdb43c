import { randomBytes } from 'node:crypto'
import type { SharedLink } from '../../contract/public/shared-link.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { Transaction } from '../../ledger/transaction.js'
import { recordAudit } from '../../store/audit.js'
import { findDocumentFiles } from '../../store/documents.js'
import {
  countSharedLinks,
  findSharedLink,
  insertSharedLink,
  listSharedLinkRows,
  revokeSharedLinkRow,
} from '../../store/shared-links.js'
import { findShipmentStatuses } from '../../store/shipments.js'
import type { CustomerHandler } from '../customer-context.js'
import { newToken } from '../people/passwords.js'

/** An account shares a shipment with people who have no account. */

const mostLinks = 20

export const createSharedLink: CustomerHandler<'createSharedLink'> = async (
  { tx, account, actor, base },
  { params: { svc_shipment_id }, body },
) => {
  const { name, days = 30, prices = false, parties = false } = body
  const known = await findShipmentStatuses(tx.sql, account, [svc_shipment_id])
  if (!known.has(svc_shipment_id)) throw new Refusal('shipment_not_found')
  const given = (body.documents ?? []).map((id) => id.toLowerCase())
  await refuseOtherDocuments(tx, account, svc_shipment_id, given)
  const documents = [...new Set(given)]
  if ((await countSharedLinks(tx.sql, account, svc_shipment_id)) >= mostLinks) {
    throw new Refusal('too_many_shared_links')
  }
  const token = newToken()
  const link_id = `shr_${randomBytes(8).toString('hex')}`
  const link = { link_id, token, svc_shipment_id, name, documents, prices, parties, days }
  await insertSharedLink(tx, account, link, actor)
  const details = { svc_shipment_id, ...(name !== undefined && { name }), days, documents, prices, parties }
  await recordAudit(tx.sql, account, actor, { kind: 'sharing', action: 'shipment_shared', subject: link_id, details })
  // Browsers do not send the fragment, so the token is in no log.
  return { link: await getLink(tx, account, svc_shipment_id, link_id), url: `${base}/share#${token}` }
}

/** A link shows documents of its own shipment only. */
async function refuseOtherDocuments(
  { sql }: Transaction,
  account: AccountId,
  svc_shipment_id: string,
  ids: string[],
): Promise<void> {
  const files = ids.length > 0 ? await findDocumentFiles(sql, account, ids) : []
  const own = new Set(files.filter((file) => file.svc_shipment_id === svc_shipment_id).map(({ id }) => id))
  const faults = ids.flatMap((id, index) =>
    own.has(id) ? [] : [{ pointer: `/documents/${index}`, detail: 'the shipment has no such document' }],
  )
  if (faults.length > 0) throw invalid(faults)
}

export const listSharedLinks: CustomerHandler<'listSharedLinks'> = async (
  { ask, account },
  { params: { svc_shipment_id } },
) => {
  const links = await ask(async (db) => {
    const known = await findShipmentStatuses(db, account, [svc_shipment_id])
    return known.has(svc_shipment_id) ? listSharedLinkRows(db, account, svc_shipment_id) : undefined
  })
  if (!links) throw new Refusal('shipment_not_found')
  return { body: JSON.stringify(links), revision: 0, id: svc_shipment_id }
}

export const revokeSharedLink: CustomerHandler<'revokeSharedLink'> = async (
  { tx, account, actor },
  { params: { svc_shipment_id, link_id } },
) => {
  const link = await getLink(tx, account, svc_shipment_id, link_id)
  if (link.revoked_at !== undefined) return link
  await revokeSharedLinkRow(tx, account, link_id)
  const act = {
    kind: 'sharing',
    action: 'shared_link_revoked',
    subject: link_id,
    details: { svc_shipment_id },
  } as const
  await recordAudit(tx.sql, account, actor, act)
  return getLink(tx, account, svc_shipment_id, link_id)
}

async function getLink(
  { sql }: Transaction,
  account: AccountId,
  svc_shipment_id: string,
  link_id: string,
): Promise<SharedLink> {
  const link = await findSharedLink(sql, account, link_id)
  if (link?.svc_shipment_id !== svc_shipment_id) throw new Refusal('shared_link_not_found')
  return link
}
