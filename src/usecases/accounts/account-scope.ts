import { invalid, Refusal } from '../../contract/refusals.js'
import { type AccountId, type AccountScope, includesAccount } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { findAccount } from '../../store/accounts.js'
import type { OperatorPrincipal } from '../../store/operators.js'

/** The account of a short name, or all that the operator works for. Others are refused like those that do not exist. */
export async function accountScopeOf(
  db: Reader,
  { accounts }: Pick<OperatorPrincipal, 'accounts'>,
  slug: string | undefined,
): Promise<AccountScope> {
  if (slug === undefined) return accounts
  const account = await findAccount(db, slug)
  if (account === undefined || !includesAccount(accounts, account)) throw new Refusal('account_not_found')
  return [account]
}

/** The accounts of short names, which somebody is to work for. */
export async function accountsNamed(db: Reader, slugs: readonly string[]): Promise<AccountId[]> {
  const found: AccountId[] = []
  for (const [index, slug] of slugs.entries()) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw invalid([{ pointer: `/accounts/${index}`, detail: 'there is no such account' }])
    found.push(account)
  }
  return found
}
