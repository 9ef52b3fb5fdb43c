import { documentLink } from '../../domain/documents/document.js'
import { searchDocuments } from '../../store/search/document-search.js'
import type { PortalHandler } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'

export const findDocuments: PortalHandler<'findDocuments'> = async ({ db, account, signLink }, { query }) => {
  const page = await searchDocuments(db, account, query)
  const links = page.ids.map((id) => documentLink(signLink({ account, id })))
  return serializedPage('documents', { ...page, bodies: page.bodies.map((body, index) => body + links[index]) })
}
