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
  const { name, suspended, second_factor_required, quotas } = body
  if ([name, suspended, second_factor_required, quotas].every((each) => each === undefined)) {
    throw invalid([{ pointer: '', detail: 'needs name, suspended, second_factor_required or quotas' }])
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
    second_factor_required?: boolean | undefined
    quotas?: QuotasUpdate | undefined
    reason?: string | undefined
  },
  actor: Actor = { actor: tx.author },
): Promise<boolean> {
  // Read under the lock: concurrent changes of the name and of the suspension both take effect.
  const before = await getAccountRow(tx.sql, account)
  const wasSuspended = before.suspended_at !== null
  const { name = before.name, suspended = wasSuspended, reason } = change
  const { second_factor_required = before.second_factor_required } = change
  const isSame =
    name === before.name && suspended === wasSuspended && second_factor_required === before.second_factor_required
  const quotas = changedQuotas(before.quotas, change.quotas ?? {})
  const areQuotasSame = quotaNames.every((each) => quotas[each] === before.quotas[each])
  if (isSame && areQuotasSame) return false
  await updateAccountRow(tx.sql, account, { name, suspended, second_factor_required, quotas })
  const hasQuotas = Object.keys(quotas).length > 0 || !areQuotasSame
  const record = JSON.stringify({
    name,
    suspended,
    ...((second_factor_required || before.second_factor_required) && { second_factor_required }),
    ...(hasQuotas && { quotas }),
  })
  tx.record([{ kind: 'account', id: before.slug, what: 'updated', record, reason }])
  const details = { name, suspended, second_factor_required, quotas, reason }
  await recordAudit(tx.sql, account, actor, { kind: 'setting', action: 'account_updated', details })
  return true
}
