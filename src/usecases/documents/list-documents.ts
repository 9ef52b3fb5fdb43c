import type { AccountId } from '../../database/account-id.js'
import type { TextRow } from '../../database/database.js'
import { documentLink } from '../../domain/documents/document.js'
import { streamDocumentBodies } from '../../store/documents.js'
import type { CustomerHandler, SignLink } from '../customer-context.js'

export const listDocuments: CustomerHandler<'listDocuments'> = async ({ ask, account, signLink }, { query }) => {
  const { svc_shipment_id, type, skip = 0, take } = query
  const rows = streamDocumentBodies(ask, account, { svc_shipment_id, type }, { skip, take })
  return { chunks: withLinks(rows, account, signLink) }
}

async function* withLinks(chunks: AsyncIterable<TextRow[]>, account: AccountId, signLink: SignLink) {
  for await (const rows of chunks) {
    yield rows.map(([body, , id]) => body + documentLink(signLink({ account, id: id as string })))
  }
}
