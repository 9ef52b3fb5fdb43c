import { listSessionRows } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'

export const listSessions: PortalHandler<'listSessions'> = async ({ db, account, person, token }) => {
  const rows = await listSessionRows(db, account, person.person_id, token)
  return rows.map(({ browser, system, viewer_name, created_at, last_seen_at, expires_at, isCurrent, ...row }) => ({
    ...row,
    ...(browser !== null && { browser }),
    ...(system !== null && { system }),
    ...(viewer_name !== null && { viewer: viewer_name }),
    signed_in_at: created_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    expires_at: expires_at.toISOString(),
    is_current: isCurrent,
  }))
}
