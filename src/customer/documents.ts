import { documentLink } from '../domain/document.js'
import { listDocuments } from '../storage/documents.js'
import type { AccountId } from '../storage/transaction.js'
import type { Handlers, SignLink } from './handlers.js'

export const documentHandlers: Handlers<'listDocuments'> = {
  async listDocuments({ ask, account, signLink }, { query }) {
    const { svc_shipment_id, type, skip = 0, take } = query
    const rows = listDocuments(ask, account, { svc_shipment_id, type }, { skip, take })
    return { stretches: withLinks(rows, account, signLink) }
  },
}

async function* withLinks(stretches: AsyncIterable<Buffer[][]>, account: AccountId, signLink: SignLink) {
  for await (const rows of stretches) {
    yield rows.map(([body, , id]) =>
      Buffer.concat([body as Buffer, Buffer.from(documentLink(signLink({ account, id: String(id) })))]),
    )
  }
}
