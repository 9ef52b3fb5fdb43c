import { Refusal } from '../../contract/refusals.js'
import { findLink } from '../../store/personal-links.js'
import type { PortalHandler } from '../portal-context.js'

/** Whom a link from a mail is for, and its purpose. */
export const getLink: PortalHandler<'getLink'> = async ({ db, site }, { body: { token } }) => {
  const link = await findLink(db, site, token)
  if (!link) throw new Refusal('link_not_valid')
  const { purpose, email, name, account_name } = link
  return { purpose, email, name, account_name }
}
