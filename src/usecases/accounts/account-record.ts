import type { Account } from '../../contract/operator/accounts.js'
import { Refusal } from '../../contract/refusals.js'
import type { Reader } from '../../database/database.js'
import { type CountedAccount, listAccountsWithCounts } from '../../store/accounts.js'

export type AccountDetails = { name: string; suspended?: boolean | undefined }

export async function getAccountBySlug(db: Reader, slug: string): Promise<Account> {
  const [account] = await listAccountsWithCounts(db, 'all', { slug })
  if (!account) throw new Refusal('account_not_found')
  return accountOf(account)
}

export function accountOf(account: CountedAccount): Account {
  const {
    slug,
    name,
    created_at,
    suspended_at,
    second_factor_required,
    provider_only,
    max_key_days,
    over_shipment_percent,
  } = account
  const { quotas, stored_bytes, counts } = account
  return {
    slug,
    name,
    created_at: created_at.toISOString(),
    suspended: suspended_at !== null,
    ...(suspended_at && { suspended_at: suspended_at.toISOString() }),
    second_factor_required,
    provider_only,
    ...(max_key_days !== null && { max_key_days }),
    ...(over_shipment_percent > 0 && { over_shipment_percent }),
    quotas,
    stored_bytes,
    counts,
  }
}
