import type { SecondFactorMethod } from '../../contract/portal/factors.js'
import { Refusal } from '../../contract/refusals.js'
import { type AccountId, forwarderAccount } from '../../database/account-id.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { getFactorSummary } from '../../store/factors.js'
import { findPasskey, type PasskeyRow } from '../../store/passkeys.js'
import {
  createPendingSignIn,
  endPendingSignIn,
  findPendingSignIn,
  type PendingSignInRow,
} from '../../store/pending-sign-ins.js'
import { findPerson } from '../../store/people.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { attemptsByAddress, limitAttempts } from '../people/attempt-limits.js'
import { newToken } from '../people/passwords.js'
import { personActor } from '../people/person-record.js'
import { recordReauthentication } from '../people/reauthenticate.js'
import { startSession } from '../people/session.js'
import type { NewSession, PendingSignIn, PortalHandler, Visitor, VisitorContext } from '../portal-context.js'
import { mailFactorChange } from './factor-changes.js'
import { findSignedPasskey, passkeyRequest, verifyFactor } from './verify-factor.js'

/**
 * After a right password: a session, or a pending sign-in if the person has a second factor. Recovery codes alone count: after
 * a restore, which has no secrets of authenticator apps, nobody signs in with a password alone who could not before.
 */
export async function startSessionOrPending(
  sql: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  client: Visitor,
): Promise<NewSession | PendingSignIn> {
  const methods = await methodsOf(sql, account, person_id)
  if (methods.length === 0) return startSession(sql, account, person_id, 'password', client)
  const pending = newToken()
  await createPendingSignIn(sql, account, person_id, pending)
  return { pending }
}

async function methodsOf(
  sql: Database | TransactionSql,
  account: AccountId,
  person_id: string,
): Promise<SecondFactorMethod[]> {
  const { totp_created_at, passkeys, recovery_codes } = await getFactorSummary(sql, account, person_id)
  return [
    ...(totp_created_at ? (['totp'] as const) : []),
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(recovery_codes > 0 ? (['recovery_code'] as const) : []),
  ]
}

async function getPending({ db, site, pendingToken }: VisitorContext): Promise<PendingSignInRow & { token: string }> {
  const found = pendingToken === undefined ? undefined : await findPendingSignIn(db, site, pendingToken)
  if (!found || pendingToken === undefined) throw new Refusal('sign_in_not_pending')
  return { ...found, token: pendingToken }
}

export const getPendingSignIn: PortalHandler<'getPendingSignIn'> = async (context) => {
  const { account_id, person_id } = await getPending(context)
  return { methods: await methodsOf(context.db, account_id, person_id) }
}

export const startSecondFactorPasskey: PortalHandler<'startSecondFactorPasskey'> = async (context) => {
  const { db, base } = context
  const { account_id, person_id, token } = await getPending(context)
  // Whoever knows the password could create any number of challenges.
  await limitAttempts(db, [{ name: `passkey challenge ${account_id} ${person_id}`, allowed: 50 }])
  return passkeyRequest({ db, base, purpose: 'second factor', token }, { account: account_id, person_id })
}

export const completeSignIn: PortalHandler<'completeSignIn'> = async (context, { body }) => {
  const { db, base, client, visitor } = context
  const pending = await getPending(context)
  const { account_id, person_id, token } = pending
  const actor = personActor(pending, visitor)
  const check = { db, base, purpose: 'second factor', token } as const
  const used = await verifyFactor(check, account_id, person_id, body).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'second_factor_failed') {
      const act = { kind: 'sign_in', action: 'sign_in_failed', details: { reason: error.code } } as const
      await recordAudit(db, account_id, actor, act)
    }
    throw error
  })
  const session = await db.begin(async (sql) => {
    if (!(await endPendingSignIn(sql, pending, token))) throw new Refusal('sign_in_not_pending')
    if (used === 'recovery_code') {
      await recordAudit(sql, account_id, actor, { kind: 'second_factor', action: 'recovery_code_used' })
    }
    return startSession(sql, account_id, person_id, 'password', client)
  })
  await clearFailures(db, { name: `passkey challenge ${account_id} ${person_id}`, allowed: 50 })
  if (used === 'recovery_code') {
    await mailFactorChange({ ...context, accountName: pending.account_name }, pending, 'recovery_code_used')
  }
  return session
}

export const startPasskeySignIn: PortalHandler<'startPasskeySignIn'> = async ({ db, base, address }) => {
  await limitAttempts(db, [attemptsByAddress('passkey', address)])
  return passkeyRequest({ db, base, purpose: 'sign-in' })
}

/** The passkey says who it is, and its authenticator has verified them: nothing else is needed. */
export const signInWithPasskey: PortalHandler<'signInWithPasskey'> = async (context, { body: { passkey } }) => {
  const { db, site, base, address, client } = context
  const found = await findSignedPasskey({ db, base, purpose: 'sign-in' }, passkey)
  const person = found && (await findPerson(db, found.account_id, found.person_id))
  if (!found || !person || !isOfSite(found, site) || person.disabled_at) {
    await recordRefusedPasskey(context, passkey.id)
    throw new Refusal('passkey_refused')
  }
  const session = await startSession(db, found.account_id, found.person_id, 'passkey', client)
  await clearFailures(db, attemptsByAddress('passkey', address))
  return session
}

function isOfSite({ account_id }: PasskeyRow, site: VisitorContext['site']): boolean {
  return (account_id === forwarderAccount) === (site === 'office')
}

/** In the log of the passkey's account, or of the forwarder if nobody has it. Counted, so that nobody can fill the log. */
async function recordRefusedPasskey({ db, site, address, visitor }: VisitorContext, credential: string): Promise<void> {
  await limitAttempts(db, [attemptsByAddress('passkey', address)])
  const known = await findPasskey(db, credential)
  const person = known && isOfSite(known, site) && (await findPerson(db, known.account_id, known.person_id))
  const act = { kind: 'sign_in', action: 'sign_in_failed', details: { with: 'passkey' } } as const
  if (!person) return recordAudit(db, forwarderLog, visitor, act)
  const details = { ...act.details, ...(person.disabled_at && { reason: 'person_disabled' }) }
  await recordAudit(db, known.account_id, personActor(person, visitor), { ...act, details })
}

export const startPasskeyReauthentication: PortalHandler<'startPasskeyReauthentication'> = ({
  db,
  base,
  account,
  person: { person_id },
  token,
}) => passkeyRequest({ db, base, purpose: 'reauthentication', token }, { account, person_id })

/** Proves again who the person is, with a second factor instead of the password. */
export const reauthenticateWithFactor: PortalHandler<'reauthenticateWithFactor'> = async (context, { body }) => {
  const { db, base, account, person, token, actor } = context
  const check = { db, base, purpose: 'reauthentication', token } as const
  const used = await verifyFactor(check, account, person.person_id, body).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'second_factor_failed') {
      const proof = body.passkey ? 'passkey' : body.recovery_code === undefined ? 'code' : 'recovery_code'
      const act = { kind: 'sign_in', action: 'reauthentication_failed', details: { with: proof } } as const
      await recordAudit(db, account, actor, act)
    }
    throw error
  })
  if (used === 'recovery_code') {
    await recordAudit(db, account, actor, { kind: 'second_factor', action: 'recovery_code_used' })
    await mailFactorChange({ ...context, accountName: context.session.accountName }, person, 'recovery_code_used')
  }
  await recordReauthentication(context, used)
  return { accepted: true }
}
