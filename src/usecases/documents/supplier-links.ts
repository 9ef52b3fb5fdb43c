import { randomBytes } from 'node:crypto'
import type { Language } from '../../contract/portal/people.js'
import type { SupplierLink, SupplierLinkCreate } from '../../contract/portal/supplier-links.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { normalizedEmail } from '../../domain/people/email.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import type { SendMail } from '../../mail/messages.js'
import { supplierMail } from '../../mail/supplier-mail.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import {
  countSupplierLinks,
  findSupplierLink,
  insertSupplierLink,
  listSupplierLinkRows,
  revokeSupplierLinkRow,
} from '../../store/supplier-links.js'
import type { OperatorHandler } from '../operator-context.js'
import { limitAttempts } from '../people/attempt-limits.js'
import { newToken } from '../people/passwords.js'
import type { PortalHandler } from '../portal-context.js'
import { refuseUnknownShipment } from './document-record.js'

/** People of the account, and operators, invite suppliers to propose documents of a shipment. */

export const createSupplierLink: PortalHandler<'createSupplierLink'> = async (context, { body }) => {
  const { db, account, actor, person, base, forwarderName, sendMail } = context
  if (body.email !== undefined) {
    // Mails in the forwarder's name to any address: limited as invitations are.
    const counters = [
      { name: `supplier ${normalizedEmail(body.email)}`, allowed: 5 },
      { name: `suppliers of account ${account}`, allowed: 100 },
    ]
    await limitAttempts(db, counters, 'rate_limited')
  }
  const language = body.language ?? person.language
  const { link, url } = await commit(db, account, actor.actor, (tx) =>
    createIn(tx, account, actor, { ...body, language }, base),
  )
  const mailed = await mailLink(sendMail, { email: body.email, supplier: body.supplier, language, url, forwarderName })
  return { link, url, mailed }
}

export const createSupplierLinkFor: OperatorHandler<'createSupplierLink'> = async (
  { tx, account, actor, base },
  { body },
) => {
  // Within the transaction no mail is sent: operators pass the link on.
  if (body.email !== undefined)
    throw invalid([{ pointer: '/email', detail: 'is not accepted here: pass on the `url` of the response' }])
  return { ...(await createIn(tx, account, actor, { ...body, language: body.language ?? 'en' }, base)), mailed: false }
}

const mostLinks = 20

async function createIn(
  tx: Transaction,
  account: AccountId,
  actor: Actor,
  { svc_shipment_id, supplier, email, language, days = 14 }: SupplierLinkCreate & { language: Language },
  base: string,
): Promise<{ link: SupplierLink; url: string }> {
  await refuseUnknownShipment(tx, account, svc_shipment_id)
  if ((await countSupplierLinks(tx.sql, account, svc_shipment_id)) >= mostLinks) {
    throw new Refusal('too_many_supplier_links')
  }
  const token = newToken()
  const link_id = `sup_${randomBytes(8).toString('hex')}`
  await insertSupplierLink(tx, account, { link_id, token, svc_shipment_id, supplier, email, language, days }, actor)
  const details = { svc_shipment_id, supplier, ...(email !== undefined && { email }), days }
  await recordAudit(tx.sql, account, actor, { kind: 'proposal', action: 'supplier_invited', subject: link_id, details })
  // Browsers do not send the fragment, so the token is in no log.
  return { link: await getLink(tx, account, link_id), url: `${base}/supply#${token}` }
}

type Mailed = { email: string | undefined; supplier: string; language: Language; url: string; forwarderName: string }

async function mailLink(sendMail: SendMail, { email, ...details }: Mailed): Promise<boolean> {
  if (email === undefined) return false
  let isTaken = false
  await sendMail({
    ...supplierMail(email, details),
    onTaken: () => {
      isTaken = true
    },
  })
  return isTaken
}

export const listSupplierLinks: PortalHandler<'listSupplierLinks'> = async ({ db, account }, { query }) =>
  listSupplierLinkRows(db, account, query.svc_shipment_id)

export const listSupplierLinksOf: OperatorHandler<'listSupplierLinks'> = async ({ db, account }, { query }) =>
  listSupplierLinkRows(db, account, query.svc_shipment_id)

export const revokeSupplierLink: PortalHandler<'revokeSupplierLink'> = async (
  { db, account, actor },
  { params: { link_id } },
) => commit(db, account, actor.actor, (tx) => revokeIn(tx, account, actor, link_id))

export const revokeSupplierLinkOf: OperatorHandler<'revokeSupplierLink'> = async (
  { tx, account, actor },
  { params: { link_id } },
) => revokeIn(tx, account, actor, link_id)

async function revokeIn(tx: Transaction, account: AccountId, actor: Actor, link_id: string): Promise<SupplierLink> {
  const link = await getLink(tx, account, link_id)
  if (link.revoked_at !== undefined) return link
  await revokeSupplierLinkRow(tx, account, link)
  const { svc_shipment_id, supplier } = link
  await recordAudit(tx.sql, account, actor, {
    kind: 'proposal',
    action: 'supplier_link_revoked',
    subject: link_id,
    details: { svc_shipment_id, supplier },
  })
  return getLink(tx, account, link_id)
}

async function getLink({ sql }: Transaction, account: AccountId, link_id: string): Promise<SupplierLink> {
  const link = await findSupplierLink(sql, account, link_id)
  if (!link) throw new Refusal('supplier_link_not_found')
  return link
}
