import type { EventKind } from '../../contract/public/event.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { documentLink } from '../../domain/documents/document.js'
import { findMessage } from '../../store/conversations.js'
import { findProposal } from '../../store/document-proposals.js'
import { findDocumentBody } from '../../store/documents.js'
import { findException } from '../../store/exceptions.js'
import { findInvoice } from '../../store/invoices.js'
import { findLocation } from '../../store/locations.js'
import { findPurchaseOrder } from '../../store/purchase-orders.js'
import { findShipment } from '../../store/shipments.js'
import { findTracking } from '../../store/tracking.js'
import { findWebhook } from '../../store/webhooks.js'
import { messageOf } from '../conversations/conversation.js'
import type { SignLink } from '../customer-context.js'
import { proposalOf } from '../documents/propose-document.js'

type Find = (db: Database, account: AccountId, id: string, signLink: SignLink) => Promise<string | undefined>

const finders: Record<EventKind, Find> = {
  shipment: async (db, account, id) => (await findShipment(db, account, id))?.body.toString(),
  purchase_order: async (db, account, id) => (await findPurchaseOrder(db, account, id))?.body.toString(),
  location: async (db, account, id) => (await findLocation(db, account, Number(id)))?.body.toString(),
  tracking: async (db, account, id) => (await findTracking(db, account, id))?.body.toString(),
  exception: async (db, account, id) => (await findException(db, account, id))?.body.toString(),
  async invoice(db, account, id) {
    const found = await findInvoice(db, account, id)
    // It also finds by number.
    return found?.id === id ? found.body.toString() : undefined
  },
  async document(db, account, id, signLink) {
    const body = await findDocumentBody(db, account, id)
    return body === undefined ? undefined : body + documentLink(signLink({ account, id }))
  },
  async webhook(db, account, id) {
    const found = await findWebhook(db, account, id)
    return found && JSON.stringify(found)
  },
  async message(db, account, id, signLink) {
    const record = await findMessage(db, account, id)
    return record && JSON.stringify(messageOf(record, account, signLink))
  },
  async document_proposal(db, account, id) {
    const record = await findProposal(db, account, id)
    return record && JSON.stringify(proposalOf(record))
  },
}

/** The body of a resource as the account reads it now; undefined if there is none any more. */
export function findObject(
  db: Database,
  account: AccountId,
  { kind, id }: { kind: EventKind; id: string },
  signLink: SignLink,
): Promise<string | undefined> {
  return finders[kind](db, account, id, signLink)
}

// Bodies can be large: few are read at a time, and a page ends early when it has become too long.
const objectsAtATime = 4
const mostBytes = 4 * 1024 * 1024

/** The first ones with their bodies: all of them, unless the bodies are long. */
export async function limitBytes<One>(
  all: One[],
  find: (one: One) => Promise<string | undefined>,
): Promise<{ of: One; body: string | undefined }[]> {
  const found: { of: One; body: string | undefined }[] = []
  let bytes = 0
  while (found.length < all.length && bytes < mostBytes) {
    const some = all.slice(found.length, found.length + objectsAtATime)
    const bodies = await Promise.all(some.map(find))
    for (const [index, of] of some.entries()) {
      if (bytes >= mostBytes) break
      const body = bodies[index]
      found.push({ of, body })
      bytes += body?.length ?? 0
    }
  }
  return found
}
