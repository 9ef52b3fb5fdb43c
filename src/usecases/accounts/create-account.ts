import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { commitWithin } from '../../ledger/commit.js'
import { insertAccount } from '../../store/accounts.js'
import type { OperatorHandler } from '../operator-context.js'
import { type AccountDetails, getAccountBySlug } from './account-record.js'

/** Creates an account; undefined if the slug is taken. */
export async function createAccount(
  db: Database,
  slug: string,
  name: string,
  author = 'command-line',
): Promise<AccountId | undefined> {
  return db.begin((sql) => createAccountIn(sql, slug, { name }, author))
}

export async function createAccountIn(
  sql: TransactionSql,
  slug: string,
  { name, suspended = false }: AccountDetails,
  author: string,
): Promise<AccountId | undefined> {
  const account = await insertAccount(sql, slug, { name, suspended })
  if (account === undefined) return undefined
  await commitWithin(sql, account, author, async (tx) =>
    tx.record([{ kind: 'account', id: slug, what: 'created', record: JSON.stringify({ name, suspended }) }]),
  )
  return account
}

export const createAccountHandler: OperatorHandler<'createAccount'> = async ({ sql, author }, { body }) => {
  const created = await createAccountIn(sql, body.slug, { name: body.name }, author)
  if (created === undefined) throw new Refusal('account_exists')
  return getAccountBySlug(sql, body.slug)
}
