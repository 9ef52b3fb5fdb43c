import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import {
  createChallenge,
  createPasskey,
  deletePasskey,
  listPasskeys,
  renamePasskeyRow,
  useChallenge,
} from '../../store/passkeys.js'
import type { PortalHandler } from '../portal-context.js'
import { addedFactor, changeFactors, factorsOf, remainingFactors } from './factor-changes.js'
import { challengeIn, newChallenge, relyingParty, userHandleOf, verifyNewPasskey } from './webauthn.js'

/** The passkeys of the signed-in person. */

const maxPasskeys = 20

export const startPasskey: PortalHandler<'startPasskey'> = async (context) => {
  const { db, account, person, token, base, forwarderName } = context
  const known = await listPasskeys(db, account, person.person_id)
  if (known.length >= maxPasskeys) throw new Refusal('too_many_passkeys')
  const challenge = newChallenge()
  await createChallenge(db, { challenge, purpose: 'enrolment', token })
  return {
    challenge,
    rp_id: relyingParty(base).rp_id,
    rp_name: forwarderName,
    user: { id: userHandleOf(person.person_id), name: person.email, display_name: person.name },
    exclude: known.map(({ credential_id }) => credential_id),
  }
}

export const addPasskey: PortalHandler<'addPasskey'> = async (context, { body: { name, passkey } }) => {
  const { db, account, person, token, base } = context
  const { person_id } = person
  const challenge = challengeIn(passkey.client_data)
  const isOwn = challenge !== undefined && (await useChallenge(db, { challenge, purpose: 'enrolment', token }))
  const verified = isOwn ? await verifyNewPasskey(base, challenge, passkey) : undefined
  if (!verified) throw new Refusal('passkey_refused')
  const row = {
    ...verified,
    passkey_id: `pk_${randomBytes(8).toString('hex')}`,
    transports: passkey.transports ?? [],
    name,
  }
  return changeFactors(context, 'passkey_added', async (sql) => {
    if ((await listPasskeys(sql, account, person_id)).length >= maxPasskeys) throw new Refusal('too_many_passkeys')
    if (!(await createPasskey(sql, account, person_id, row))) throw new Refusal('passkey_refused')
    return addedFactor(sql, account, person_id)
  })
}

export const renamePasskey: PortalHandler<'renamePasskey'> = async (
  { db, account, person: { person_id } },
  { params: { passkey_id }, body: { name } },
) => {
  if (!(await renamePasskeyRow(db, account, person_id, { passkey_id, name }))) throw new Refusal('factor_not_found')
  return factorsOf(db, account, person_id)
}

export const removePasskey: PortalHandler<'removePasskey'> = async (context, { params: { passkey_id } }) => {
  const { account, person } = context
  return changeFactors(context, 'passkey_removed', async (sql) => {
    const name = await deletePasskey(sql, account, person.person_id, passkey_id)
    if (name === undefined) throw new Refusal('factor_not_found')
    return remainingFactors(sql, account, person.person_id)
  })
}
