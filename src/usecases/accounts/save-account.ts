import type { TransactionSql } from '../../database/database.js'
import { commitWithin } from '../../ledger/commit.js'
import { findAccount } from '../../store/accounts.js'
import type { AccountDetails } from './account-record.js'
import { createAccountIn } from './create-account.js'
import { changeAccount } from './update-account.js'

/** Creates the account, or updates the name of an existing one; its suspension changes only if it is given. */
export async function saveAccount(
  sql: TransactionSql,
  slug: string,
  given: AccountDetails,
  author: string,
): Promise<'created' | 'updated' | 'unchanged'> {
  if ((await createAccountIn(sql, slug, given, { actor: author })) !== undefined) return 'created'
  const account = await findAccount(sql, slug)
  if (account === undefined) return 'unchanged'
  const hasChanged = await commitWithin(sql, account, author, (tx) => changeAccount(tx, account, given))
  return hasChanged ? 'updated' : 'unchanged'
}
