import type { OperatorRole } from '../contract/operator/accounts.js'
import { type AccountId, type AccountScope, forwarderAccount } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import type { ServiceSecrets } from '../database/service-secrets.js'
import { slugsOf } from './accounts.js'
import { hashOfKey } from './key-hash.js'

export type OperatorRow = {
  operator_id: string
  name: string
  role: OperatorRole
  /** The short names of the accounts that it works for; null: all of them. */
  accounts: string[] | null
  hint: string
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

export type NewOperator = {
  operator_id: string
  key: string
  name: string
  role: OperatorRole
  accounts?: AccountId[] | undefined
  expires_at?: Date | undefined
}

/** The operator of a key, and the secret that signs links to documents. */
export type OperatorPrincipal = Pick<OperatorRow, 'operator_id' | 'name' | 'role' | 'expires_at'> &
  Pick<ServiceSecrets, 'link_secret' | 'epoch'> & { accounts: AccountScope }

export async function createOperator(db: Database | TransactionSql, operator: NewOperator): Promise<void> {
  await db`
    insert into operators (operator_id, hash, hint, name, role, accounts, expires_at)
    values (${operator.operator_id}, ${hashOfKey(operator.key)}, ${operator.key.slice(-4)}, ${operator.name}, ${operator.role},
      ${operator.accounts ?? null}, ${operator.expires_at ?? null})`
}

export async function listOperators(db: Reader): Promise<OperatorRow[]> {
  return db<OperatorRow[]>`
    select operator_id, name, role, ${slugsOf(db, db`operators.accounts`)} as accounts, hint, created_at, expires_at, revoked_at
    from operators order by created_at, operator_id`
}

/** False if there is no such operator. Does not change the date of one that is revoked already. */
export async function revokeOperator(db: Database | TransactionSql, operatorId: string): Promise<boolean> {
  const rows = await db`
    update operators set revoked_at = coalesce(revoked_at, now()) where operator_id = ${operatorId} returning operator_id`
  return rows.length > 0
}

export async function findOperatorByKey(db: Reader, key: string): Promise<OperatorPrincipal | undefined> {
  const [row] = await db<(Omit<OperatorPrincipal, 'accounts'> & { accounts: AccountId[] | null })[]>`
    select operator_id, name, role, accounts, expires_at, link_secret, epoch || '.' || 'accounts'::regclass::oid as epoch
    from operators cross join service
    where hash = ${hashOfKey(key)} and revoked_at is null and (expires_at is null or expires_at > now())`
  return row && { ...row, accounts: row.accounts ?? 'all' }
}

/** Whether an operator still has access: the key works, or the person is not disabled. */
export async function isOperatorActive(db: Reader, operatorId: string): Promise<boolean> {
  const rows = await db`
    select 1 from operators
    where operator_id = ${operatorId} and revoked_at is null and (expires_at is null or expires_at > now())
    union all
    select 1 from people
    where account_id = ${forwarderAccount} and person_id = ${operatorId} and disabled_at is null`
  return rows.length > 0
}
