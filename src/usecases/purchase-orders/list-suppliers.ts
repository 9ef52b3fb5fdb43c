import { updateSearchIndex } from '../../store/search/search-state.js'
import { findSuppliers } from '../../store/search/suppliers.js'
import type { PortalHandler } from '../portal-context.js'

export const listSuppliers: PortalHandler<'listSuppliers'> = async ({ db, account }, { query: { q, take = 50 } }) => {
  await updateSearchIndex(db, account)
  const found = await findSuppliers(db, account, q, take + 1)
  return { suppliers: found.slice(0, take), more: found.length > take }
}
