import type { ExceptionRules } from '../contract/operator/exceptions.js'
import type { AccountId } from '../database/account-id.js'
import { businessNowInStatement } from '../database/business-now.js'
import type { Fragment, Reader, TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'

// The forwarder's own settings are stored under this number.
const forwarder: AccountId = 0

/** The settings of the forwarder, and those of an account. */
export async function findExceptionRules(
  db: Reader,
  account: AccountId = forwarder,
): Promise<{ forwarder: ExceptionRules; account: ExceptionRules }> {
  const rows = await lookUpRules(db, [forwarder, account])
  const rulesOf = (id: AccountId) => {
    const row = rows.find(({ account_id }) => account_id === id)
    return row ? (JSON.parse(row.rules) as ExceptionRules) : {}
  }
  return { forwarder: rulesOf(forwarder), account: account === forwarder ? {} : rulesOf(account) }
}

const lookUpRules = lookup<AccountId, { account_id: AccountId; rules: string }>(
  (db, accounts) => db`
    select place, account_id, rules
    from unnest(${accounts}::integer[]) with ordinality as wanted (account_id, place) join exception_rules using (account_id)`,
)

export function saveExceptionRules(
  sql: TransactionSql,
  account: AccountId | undefined,
  rules: ExceptionRules,
  author: string,
): Fragment {
  return sql`
    insert into exception_rules (account_id, rules, changed_at, changed_by)
    values (${account ?? forwarder}, ${JSON.stringify(rules)}, ${businessNowInStatement(sql)}, ${author})
    on conflict (account_id) do update
    set rules = excluded.rules, changed_at = excluded.changed_at, changed_by = excluded.changed_by`
}
