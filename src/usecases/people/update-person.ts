import { invalid, Refusal } from '../../contract/refusals.js'
import { canonicalTimeZone } from '../../domain/dates/local-time.js'
import { savePreferences } from '../../store/people.js'
import { findSession } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'
import { sessionResponse } from './session-response.js'

/** Changes the preferences of the signed-in person. */
export const updatePerson: PortalHandler<'updatePerson'> = async ({ db, site, account, person, token }, { body }) => {
  const time_zone = body.time_zone === undefined ? undefined : getTimeZone(body.time_zone)
  await savePreferences(db, account, person.person_id, { ...body, ...(time_zone !== undefined && { time_zone }) })
  const session = await findSession(db, site, token)
  if (!session) throw new Refusal('not_signed_in')
  return sessionResponse(session, token)
}

function getTimeZone(name: string): string {
  const timeZone = canonicalTimeZone(name)
  // Newer versions of Node accept offsets, such as +05:30.
  if (timeZone !== undefined && /^[A-Z]/i.test(timeZone)) return timeZone
  throw invalid([{ pointer: '/time_zone', detail: 'must be a name of the IANA time zone database' }])
}
