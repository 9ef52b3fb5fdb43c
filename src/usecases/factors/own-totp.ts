import { Refusal } from '../../contract/refusals.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { acceptTotpStep, createTotp, deleteTotp, findTotp } from '../../store/totp.js'
import { limitAttempts } from '../people/attempt-limits.js'
import type { PortalHandler } from '../portal-context.js'
import { addedFactor, changeFactors, factorsOf, remainingFactors, renewCodes } from './factor-changes.js'
import { newTotpSecret, stepOfCode, totpUri } from './one-time-codes.js'

/** The authenticator app and the recovery codes of the signed-in person. */

export const getFactors: PortalHandler<'getFactors'> = ({ db, account, person }) =>
  factorsOf(db, account, person.person_id)

export const startTotp: PortalHandler<'startTotp'> = async ({ db, account, person, forwarderName }) => {
  const secret = newTotpSecret()
  const isCreated = await db.begin((sql) => createTotp(sql, account, person.person_id, secret))
  if (!isCreated) throw new Refusal('totp_exists')
  return { secret, uri: totpUri(secret, forwarderName, person.email) }
}

export const confirmTotp: PortalHandler<'confirmTotp'> = async (context, { body: { code } }) => {
  const { db, account, person } = context
  const { person_id } = person
  const attempts = { name: `authenticator app ${account} ${person_id}`, allowed: 5 }
  await limitAttempts(db, [attempts])
  const added = await changeFactors(context, 'totp_added', async (sql) => {
    const totp = await findTotp(sql, account, person_id)
    if (!totp || totp.isConfirmed) throw new Refusal('factor_not_found')
    const step = stepOfCode(totp.secret, code)
    if (step === undefined || !(await acceptTotpStep(sql, account, person_id, step))) {
      throw new Refusal('second_factor_failed')
    }
    return addedFactor(sql, account, person_id)
  })
  await clearFailures(db, attempts)
  return added
}

export const removeTotp: PortalHandler<'removeTotp'> = async (context) => {
  const { account, person } = context
  return changeFactors(context, 'totp_removed', async (sql) => {
    if (!(await deleteTotp(sql, account, person.person_id))) throw new Refusal('factor_not_found')
    return remainingFactors(sql, account, person.person_id)
  })
}

export const renewRecoveryCodes: PortalHandler<'renewRecoveryCodes'> = async (context) => {
  const { account, person } = context
  return changeFactors(context, 'recovery_codes_renewed', async (sql) => {
    const { totp, passkeys } = await factorsOf(sql, account, person.person_id)
    if (!totp && passkeys.length === 0) throw new Refusal('factor_not_found')
    return { recovery_codes: await renewCodes(sql, account, person.person_id) }
  })
}
