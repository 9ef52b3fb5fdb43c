import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { getAccountRow } from '../../store/accounts.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import { deleteFactors } from '../../store/factors.js'
import { findCredentials, type PersonRow } from '../../store/people.js'
import { changeAccount } from '../accounts/update-account.js'
import type { OperatorHandler } from '../operator-context.js'
import { getPerson } from '../people/person-record.js'
import type { PortalHandler } from '../portal-context.js'
import { mailFactorChange } from './factor-changes.js'

/** What admins do about the second factors of others. */

/** Removes all factors of somebody who has lost them. Refuses if there is no such person. */
export async function removeFactorsOf(
  tx: Transaction,
  account: AccountId,
  person_id: string,
  actor: Actor,
): Promise<{ person: PersonRow; hadFactors: boolean }> {
  const person = await getPerson(tx, account, person_id)
  const hadFactors = await deleteFactors(tx.sql, account, person_id)
  const details = { factor: 'all', email: person.email }
  const act = { kind: 'second_factor', action: 'factor_removed', subject: person_id, details } as const
  if (hadFactors) await recordAudit(tx.sql, account, actor, act)
  return { person, hadFactors }
}

export const removeFactors: PortalHandler<'removeFactors'> = async (context, { params: { person_id } }) => {
  const { db, account, actor, session } = context
  const { person, hadFactors } = await commit(db, account, actor.actor, (tx) =>
    removeFactorsOf(tx, account, person_id, actor),
  )
  if (hadFactors) await mailFactorChange({ ...context, accountName: session.accountName }, person, 'factors_removed')
  return { accepted: true }
}

/** For operators, who know people by their address. */
export const removeFactorsByEmail: OperatorHandler<'removeFactors'> = async (context, { body: { email } }) => {
  const { tx, account, accountRow, actor, afterCommit } = context
  const found = await findCredentials(tx.sql, 'portal', email)
  if (found?.account_id !== account) return { email, removed: false }
  const { person, hadFactors } = await removeFactorsOf(tx, account, found.person_id, actor)
  if (hadFactors) {
    afterCommit(() =>
      mailFactorChange({ ...context, site: 'portal', accountName: accountRow.name }, person, 'factors_removed'),
    )
  }
  return { email: person.email, removed: hadFactors }
}

export const getAccountSecurity: PortalHandler<'getAccountSecurity'> = async ({ db, account }) =>
  signInRulesOf(db, account)

export const updateAccountSecurity: PortalHandler<'updateAccountSecurity'> = async (context, { body }) => {
  const { db, account, actor, session, provider } = context
  if (body.second_factor_required === undefined && body.provider_only === undefined) {
    throw invalid([{ pointer: '', detail: 'needs second_factor_required or provider_only' }])
  }
  if (body.provider_only) {
    if (!provider) throw new Refusal('provider_not_configured')
    // Nobody locks out themselves, and with them perhaps the last admin.
    if (session.signedInWith !== 'provider') throw new Refusal('provider_not_used')
  }
  return commit(db, account, actor.actor, async (tx) => {
    await changeAccount(tx, account, body, actor)
    return signInRulesOf(tx.sql, account)
  })
}

async function signInRulesOf(db: Reader, account: AccountId) {
  const { second_factor_required, provider_only } = await getAccountRow(db, account)
  return { second_factor_required, provider_only }
}
