import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { commitWithin } from '../../ledger/commit.js'
import { insertAccount } from '../../store/accounts.js'
import { type Actor, commandLine, forwarderLog, recordAudit } from '../../store/audit.js'
import { watchNewAccount } from '../../store/exception-watches.js'
import type { OperatorHandler } from '../operator-context.js'
import { type AccountDetails, getAccountBySlug } from './account-record.js'

/** Creates an account; undefined if the slug is taken. */
export async function createAccount(
  db: Database,
  slug: string,
  name: string,
  actor = commandLine,
): Promise<AccountId | undefined> {
  return db.begin((sql) => createAccountIn(sql, slug, { name }, actor))
}

export async function createAccountIn(
  sql: TransactionSql,
  slug: string,
  { name, suspended = false }: AccountDetails,
  actor: Actor,
): Promise<AccountId | undefined> {
  const account = await insertAccount(sql, slug, { name, suspended })
  if (account === undefined) return undefined
  sql.send(watchNewAccount(sql, account))
  const act = { kind: 'setting', action: 'account_created', subject: slug, details: { name } } as const
  await recordAudit(sql, forwarderLog, actor, act)
  await commitWithin(sql, account, actor.actor, async (tx) =>
    tx.record([{ kind: 'account', id: slug, what: 'created', record: JSON.stringify({ name, suspended }) }]),
  )
  return account
}

export const createAccountHandler: OperatorHandler<'createAccount'> = async ({ sql, actor }, { body }) => {
  const created = await createAccountIn(sql, body.slug, { name: body.name }, actor)
  if (created === undefined) throw new Refusal('account_exists')
  return getAccountBySlug(sql, body.slug)
}
