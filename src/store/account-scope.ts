import type { AccountScope } from '../database/account-id.js'
import type { Fragment, Reader } from '../database/database.js'

/** The condition that a row is of one of the accounts. Each form is planned as it is written. */
export function inScope(db: Reader, scope: AccountScope, column: Fragment = db`account_id`): Fragment {
  if (scope === 'all') return db`true`
  const [only] = scope
  return scope.length === 1 && only !== undefined
    ? db`${column} = ${only}`
    : db`${column} = any(${[...scope]}::integer[])`
}

/** The condition of a list of messages, after others. Whoever works for some accounts sees what concerns these alone. */
export function concerning(db: Reader, scope: AccountScope): Fragment {
  return scope === 'all' ? db`` : db`and accounts <> '{}' and accounts <@ ${[...scope]}::integer[]`
}
