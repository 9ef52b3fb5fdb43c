import { type QuotasUpdate, quotaNames } from '../../contract/operator/quotas.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { changedQuotas } from '../../domain/accounts/quotas.js'
import { Transaction } from '../../ledger/transaction.js'
import { type AccountSettings, getAccountRow, updateAccountRow } from '../../store/accounts.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import { endSessionsWithoutProvider } from '../../store/sessions.js'
import type { OperatorHandler } from '../operator-context.js'
import { getAccountBySlug } from './account-record.js'

const settingNames = [
  'name',
  'suspended',
  'second_factor_required',
  'provider_only',
  'max_key_days',
  'over_shipment_percent',
] as const

export const updateAccount: OperatorHandler<'updateAccount'> = async (
  { tx, account, accountRow, actor, hasProvider },
  { body },
) => {
  if ([...settingNames, 'quotas' as const].every((each) => body[each] === undefined)) {
    throw invalid([{ pointer: '', detail: `needs ${settingNames.join(', ')} or quotas` }])
  }
  if (body.provider_only && !hasProvider) throw new Refusal('provider_not_configured')
  await changeAccount(tx, account, body, actor)
  return getAccountBySlug(tx.sql, accountRow.slug)
}

type AccountChange = { [Name in keyof AccountSettings]?: AccountSettings[Name] | undefined } & {
  quotas?: QuotasUpdate | undefined
  reason?: string | undefined
}

/** False if nothing differs from what is stored. Sessions that are no longer allowed end. */
export async function changeAccount(
  tx: Transaction,
  account: AccountId,
  { reason, ...change }: AccountChange,
  actor: Actor = { actor: tx.author },
): Promise<boolean> {
  // Read under the lock: concurrent changes of the name and of the suspension both take effect.
  const { slug, suspended_at, ...row } = await getAccountRow(tx.sql, account)
  const before: AccountSettings = { ...row, suspended: suspended_at !== null }
  const changed: Partial<AccountSettings> = Object.fromEntries(
    settingNames
      .filter((each) => change[each] !== undefined && change[each] !== before[each])
      .map((each) => [each, change[each]]),
  )
  const quotas = changedQuotas(row.quotas, change.quotas ?? {})
  const areQuotasSame = quotaNames.every((each) => quotas[each] === row.quotas[each])
  if (Object.keys(changed).length === 0 && areQuotasSame) return false
  const after = { ...before, ...changed }
  await updateAccountRow(tx.sql, account, { ...after, quotas })
  if (changed.provider_only) await endSessionsWithoutProvider(tx.sql, account)
  const { name, suspended, second_factor_required, provider_only, max_key_days, over_shipment_percent } = after
  const hasQuotas = Object.keys(quotas).length > 0 || !areQuotasSame
  const record = JSON.stringify({
    name,
    suspended,
    ...((second_factor_required || before.second_factor_required) && { second_factor_required }),
    ...((provider_only || before.provider_only) && { provider_only }),
    ...((max_key_days ?? before.max_key_days) !== null && { max_key_days }),
    ...((over_shipment_percent || before.over_shipment_percent) && { over_shipment_percent }),
    ...(hasQuotas && { quotas }),
  })
  tx.record([{ kind: 'account', id: slug, what: 'updated', record, reason }])
  const details = { ...changed, ...(!areQuotasSame && { quotas }), reason }
  await recordAudit(tx.sql, account, actor, { kind: 'setting', action: 'account_updated', details })
  return true
}
