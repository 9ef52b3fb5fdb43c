import { type QuotasUpdate, quotaNames } from '../../contract/operator/quotas.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { changedQuotas } from '../../domain/accounts/quotas.js'
import { Transaction } from '../../ledger/transaction.js'
import { getAccountRow, updateAccountRow } from '../../store/accounts.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import type { OperatorHandler } from '../operator-context.js'
import { getAccountBySlug } from './account-record.js'

export const updateAccount: OperatorHandler<'updateAccount'> = async ({ tx, account, accountRow, actor }, { body }) => {
  if (body.name === undefined && body.suspended === undefined && body.quotas === undefined) {
    throw invalid([{ pointer: '', detail: 'needs name, suspended or quotas' }])
  }
  await changeAccount(tx, account, body, actor)
  return getAccountBySlug(tx.sql, accountRow.slug)
}

/** False if nothing differs from what is stored. */
export async function changeAccount(
  tx: Transaction,
  account: AccountId,
  change: {
    name?: string | undefined
    suspended?: boolean | undefined
    quotas?: QuotasUpdate | undefined
    reason?: string | undefined
  },
  actor: Actor = { actor: tx.author },
): Promise<boolean> {
  // Read under the lock: concurrent changes of the name and of the suspension both take effect.
  const before = await getAccountRow(tx.sql, account)
  const wasSuspended = before.suspended_at !== null
  const { name = before.name, suspended = wasSuspended, reason } = change
  const quotas = changedQuotas(before.quotas, change.quotas ?? {})
  const areQuotasSame = quotaNames.every((each) => quotas[each] === before.quotas[each])
  if (name === before.name && suspended === wasSuspended && areQuotasSame) return false
  await updateAccountRow(tx.sql, account, { name, suspended, quotas })
  const hasQuotas = Object.keys(quotas).length > 0 || !areQuotasSame
  const record = JSON.stringify({ name, suspended, ...(hasQuotas && { quotas }) })
  tx.record([{ kind: 'account', id: before.slug, what: 'updated', record, reason }])
  const details = { name, suspended, quotas, reason }
  await recordAudit(tx.sql, account, actor, { kind: 'setting', action: 'account_updated', details })
  return true
}
