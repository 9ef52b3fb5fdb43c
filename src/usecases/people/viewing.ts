import { randomBytes } from 'node:crypto'
import { systemTime } from '../../clock/clock.js'
import { Refusal } from '../../contract/refusals.js'
import { deviceOf } from '../../domain/people/device.js'
import { recordAudit } from '../../store/audit.js'
import { createViewing, openViewing as open, viewingMinutes } from '../../store/viewings.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { newToken } from './passwords.js'
import { getPerson } from './person-record.js'

/** One of the forwarder's people sees the portal as a user does. The admins of the account see that in their audit log. */
export const startViewing: OperatorHandler<'startViewing'> = async (
  { tx, account, actor, operator, base },
  { params: { person_id } },
) => {
  const { email, name } = await getPerson(tx, account, person_id)
  // Longer than the token of a cookie: it cannot be used as one.
  const token = newToken() + newToken()
  const session_id = `ses_${randomBytes(8).toString('hex')}`
  const viewer = { viewer: actor.actor, viewer_name: operator.name }
  const viewing = { token, session_id, ...viewer, address: actor.address ?? '' }
  if (!(await createViewing(tx.sql, account, person_id, viewing))) throw new Refusal('person_not_viewable')
  const expires_at = new Date(systemTime() + viewingMinutes * 60_000).toISOString()
  const details = { email, name, until: expires_at }
  const act = { kind: 'operator', action: 'viewing_started', subject: person_id, details } as const
  await recordAudit(tx.sql, account, actor, act)
  return { url: `${base}/viewing#${token}`, expires_at }
}

export const openViewing: PortalHandler<'openViewing'> = async ({ db, client }, { body }) => {
  const token = newToken()
  const device = { token, address: client.address, ...deviceOf(client.userAgent) }
  const session_id = await open(db, body.token, device)
  if (session_id === undefined) throw new Refusal('link_not_valid')
  return { token, session_id }
}
