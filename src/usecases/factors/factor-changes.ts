import type { FactorAdded, Factors } from '../../contract/portal/factors.js'
import type { Language } from '../../contract/portal/people.js'
import type { Site } from '../../contract/portal/sites.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader, TransactionSql } from '../../database/database.js'
import { type FactorChange, factorMail } from '../../mail/factor-messages.js'
import { type SendMail, settingsLink } from '../../mail/messages.js'
import { recordAudit } from '../../store/audit.js'
import {
  deleteFactors,
  getFactorSummary,
  isSecondFactorRequired,
  lockFactors,
  replaceRecoveryCodes,
} from '../../store/factors.js'
import { listPasskeys } from '../../store/passkeys.js'
import type { PersonContext } from '../portal-context.js'
import { canonicalRecoveryCode, newRecoveryCodes } from './one-time-codes.js'

/** What changes of second factors share: one at a time for a person, and a mail about each. */

export async function factorsOf(db: Reader, account: AccountId, person_id: string): Promise<Factors> {
  const { totp_created_at, recovery_codes } = await getFactorSummary(db, account, person_id)
  const passkeys = await listPasskeys(db, account, person_id)
  return {
    ...(totp_created_at && { totp: { created_at: totp_created_at.toISOString() } }),
    passkeys: passkeys.map(({ passkey_id, name, created_at, last_used_at }) => ({
      passkey_id,
      name,
      created_at: created_at.toISOString(),
      ...(last_used_at && { last_used_at: last_used_at.toISOString() }),
    })),
    recovery_codes,
    required: await isSecondFactorRequired(db, account),
  }
}

/** The entries of the audit log. */
const acts = {
  totp_added: { action: 'factor_added', details: { factor: 'totp' } },
  totp_removed: { action: 'factor_removed', details: { factor: 'totp' } },
  passkey_added: { action: 'factor_added', details: { factor: 'passkey' } },
  passkey_removed: { action: 'factor_removed', details: { factor: 'passkey' } },
  recovery_codes_renewed: { action: 'recovery_codes_created', details: {} },
} as const

/** Changes the factors of the signed-in person in one transaction, and sends them a mail about it. */
export async function changeFactors<Result>(
  context: PersonContext,
  change: keyof typeof acts,
  work: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const { db, account, person, actor } = context
  const result = await db.begin(async (sql) => {
    await lockFactors(sql, account, person.person_id)
    const done = await work(sql)
    await recordAudit(sql, account, actor, { kind: 'second_factor', subject: person.person_id, ...acts[change] })
    return done
  })
  await mailFactorChange({ ...context, accountName: context.session.accountName }, person, change)
  return result
}

type Mailing = { sendMail: SendMail; base: string; site: Site; forwarderName: string; accountName: string }
type Recipient = { email: string; name: string; language: Language }

export async function mailFactorChange(mailing: Mailing, to: Recipient, change: FactorChange): Promise<void> {
  const { sendMail, base, site, forwarderName, accountName } = mailing
  const link = settingsLink(base, site)
  await sendMail(factorMail(change, to, { name: to.name, accountName, site, forwarderName, link }))
}

/** New recovery codes for somebody who has none: with their first factor. */
export async function addedFactor(sql: TransactionSql, account: AccountId, person_id: string): Promise<FactorAdded> {
  const { recovery_codes } = await getFactorSummary(sql, account, person_id)
  const codes = recovery_codes === 0 ? await renewCodes(sql, account, person_id) : undefined
  return { factors: await factorsOf(sql, account, person_id), ...(codes && { recovery_codes: codes }) }
}

export async function renewCodes(sql: TransactionSql, account: AccountId, person_id: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(sql, account, person_id, codes.map(canonicalRecoveryCode))
  return codes
}

/** After a factor was removed: refuses if the account requires one and it was the last; recovery codes alone are no factor. */
export async function remainingFactors(sql: TransactionSql, account: AccountId, person_id: string): Promise<Factors> {
  const { totp_created_at, passkeys } = await getFactorSummary(sql, account, person_id)
  if (!totp_created_at && passkeys === 0) {
    if (await isSecondFactorRequired(sql, account)) throw new Refusal('last_factor')
    await deleteFactors(sql, account, person_id)
  }
  return factorsOf(sql, account, person_id)
}
