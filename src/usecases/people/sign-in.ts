import { Refusal } from '../../contract/refusals.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { findCredentials } from '../../store/people.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { startSessionOrPending } from '../factors/sign-in-with-factor.js'
import type { PortalHandler } from '../portal-context.js'
import { attemptsByAddress, attemptsByDevice, attemptsByPerson, limitAttempts } from './attempt-limits.js'
import { isPassword } from './passwords.js'
import { personActor } from './person-record.js'

export const signIn: PortalHandler<'signIn'> = async (
  { db, site, address, visitor, client: device, deviceOf },
  { body: { email, password } },
) => {
  const found = await findCredentials(db, site, email)
  const knownDevice = found && (await deviceOf(found.person_id))
  const person =
    knownDevice === undefined
      ? attemptsByPerson('sign-in', email, found)
      : attemptsByDevice(found?.person_id ?? '', knownDevice)
  const client = knownDevice === undefined ? attemptsByAddress('sign-in', address) : undefined
  await limitAttempts(db, client ? [person, client] : [person])
  const isRight = await isPassword(found?.password_hash, password)
  if (!found || !isRight || found.isDisabled) {
    // One entry in either case: the response time does not reveal whether the address is known.
    const details = { with: 'password' }
    const act = { kind: 'sign_in', action: 'sign_in_failed', details } as const
    if (found) await recordAudit(db, found.account_id, personActor(found, visitor), act)
    else await recordAudit(db, forwarderLog, visitor, { ...act, details: { ...details, email } })
    throw new Refusal('sign_in_failed')
  }
  await clearFailures(db, person, ...(client ? [client] : []))
  return startSessionOrPending(db, found.account_id, found.person_id, device)
}
