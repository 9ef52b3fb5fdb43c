import type { PasskeyAssertion, PasskeyRequestOptions, SecondFactor } from '../../contract/portal/factors.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { useRecoveryCode } from '../../store/factors.js'
import {
  acceptPasskeyCounter,
  type ChallengePurpose,
  createChallenge,
  findPasskey,
  listPasskeys,
  type PasskeyRow,
  useChallenge,
} from '../../store/passkeys.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { acceptTotpStep, findTotp } from '../../store/totp.js'
import { limitAttempts } from '../people/attempt-limits.js'
import { canonicalRecoveryCode, stepOfCode } from './one-time-codes.js'
import { challengeIn, newChallenge, relyingParty, userHandleOf, verifySignature } from './webauthn.js'

/** The database, the base URL of the portal, and what a challenge is bound to. */
export type FactorCheck = {
  db: Database
  base: string
  purpose: ChallengePurpose
  /** Of the session or the pending sign-in. */
  token?: string | undefined
}

/** Refuses a wrong second factor of the person. Every code works once; attempts are delayed after five failures. */
export async function verifyFactor(
  check: FactorCheck,
  account: AccountId,
  person_id: string,
  given: SecondFactor,
): Promise<'code' | 'recovery_code' | 'passkey'> {
  const { db } = check
  const { code, recovery_code, passkey } = given
  if ([code, recovery_code, passkey].filter((each) => each !== undefined).length !== 1) {
    throw invalid([{ pointer: '', detail: 'needs exactly one of code, recovery_code and passkey' }])
  }
  const attempts = { name: `second factor ${account} ${person_id}`, allowed: 5 }
  await limitAttempts(db, [attempts])
  const isRight =
    code !== undefined
      ? await isOneTimeCode(db, account, person_id, code)
      : recovery_code !== undefined
        ? await useRecoveryCode(db, account, person_id, canonicalRecoveryCode(recovery_code))
        : (await findSignedPasskey(check, passkey as PasskeyAssertion, { account, person_id })) !== undefined
  if (!isRight) throw new Refusal('second_factor_failed')
  await clearFailures(db, attempts)
  return code !== undefined ? 'code' : recovery_code !== undefined ? 'recovery_code' : 'passkey'
}

async function isOneTimeCode(db: Database, account: AccountId, person_id: string, code: string): Promise<boolean> {
  const totp = await findTotp(db, account, person_id)
  if (!totp?.isConfirmed) return false
  const step = stepOfCode(totp.secret, code)
  return step !== undefined && (await acceptTotpStep(db, account, person_id, step))
}

/** The passkey that has signed the challenge, which works once: of the owner, or of anybody. Undefined if anything about it is not right. */
export async function findSignedPasskey(
  { db, base, purpose, token }: FactorCheck,
  given: PasskeyAssertion,
  owner?: { account: AccountId; person_id: string },
): Promise<PasskeyRow | undefined> {
  const challenge = challengeIn(given.client_data)
  if (challenge === undefined || !(await useChallenge(db, { challenge, purpose, token }))) return undefined
  const passkey = await findPasskey(db, given.id)
  if (!passkey) return undefined
  // Somebody else's passkey is not changed, not even its counter.
  if (owner && (passkey.account_id !== owner.account || passkey.person_id !== owner.person_id)) return undefined
  if (given.user_handle !== undefined && given.user_handle !== userHandleOf(passkey.person_id)) return undefined
  const counter = await verifySignature(base, challenge, passkey, given)
  if (counter === undefined || !(await acceptPasskeyCounter(db, passkey, counter))) return undefined
  return passkey
}

/** A new challenge, for the passkeys of a person or for any. */
export async function passkeyRequest(
  { db, base, purpose, token }: FactorCheck,
  owner?: { account: AccountId; person_id: string },
): Promise<PasskeyRequestOptions> {
  const challenge = newChallenge()
  await createChallenge(db, { challenge, purpose, token })
  const passkeys = owner ? await listPasskeys(db, owner.account, owner.person_id) : []
  return {
    challenge,
    rp_id: relyingParty(base).rp_id,
    allow: passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  }
}
