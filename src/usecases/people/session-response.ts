import { createHash } from 'node:crypto'
import type { Person, PersonRole, Session } from '../../contract/portal/people.js'
import { forwarderAccount } from '../../database/account-id.js'
import type { PersonRow } from '../../store/people.js'
import type { OpenSession } from '../../store/sessions.js'

/** At the office it is the session of an operator, whose contract has no slug and other roles. */
export function sessionResponse(session: OpenSession, token: string): Session {
  const { person, accountName, signedInWith, expires_at, caller } = session
  const { language, time_zone, weight_unit, theme } = person
  return {
    person: personResponse(person),
    preferences: { language, time_zone, weight_unit, theme },
    account:
      caller.account_id === forwarderAccount
        ? ({ name: accountName } as Session['account'])
        : { slug: caller.slug, name: accountName },
    csrf_token: csrfTokenOf(token),
    signed_in_with: signedInWith,
    has_password: person.hasPassword,
    enrolment_required: session.mustEnrol,
    expires_at: expires_at.toISOString(),
    ...(session.viewer && { viewer: session.viewer.name }),
  }
}

export function personResponse(person: PersonRow): Person {
  const { person_id, email, name, role, hasPassword, created_at, last_seen_at, disabled_at } = person
  const hasSignedIn = hasPassword || last_seen_at !== null
  return {
    person_id,
    email,
    name,
    role: role as PersonRole,
    status: disabled_at ? 'disabled' : hasSignedIn ? 'active' : 'invited',
    created_at: created_at.toISOString(),
    ...(last_seen_at && { last_seen_at: last_seen_at.toISOString() }),
  }
}

/** Derived from the session token, which it does not reveal. */
export function csrfTokenOf(token: string): string {
  return createHash('sha256').update(`csrf ${token}`).digest('base64url')
}
