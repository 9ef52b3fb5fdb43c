import { type AccountScope, includesAccount } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type AccountRow, findAccountRow } from '../../store/accounts.js'

/**
 * The accounts of these names that exist and are in the scope, in the order of their numbers: writes that span accounts lock them in this order, and
 * never wait for each other in a circle.
 */
export async function findNamedAccounts(db: Reader, scope: AccountScope, slugs: string[]): Promise<AccountRow[]> {
  const rows = await Promise.all([...new Set(slugs)].map((slug) => findAccountRow(db, slug)))
  return rows
    .flatMap((row) => (row && includesAccount(scope, row.account_id) ? row : []))
    .toSorted((one, other) => one.account_id - other.account_id)
}
