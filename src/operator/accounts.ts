import type { Static } from 'typebox'
import type { Account, Key, KeyCreate } from '../contract/ops/accounts.js'
import { invalid, Refusal } from '../contract/refusals.js'
import { type CountedAccount, changeAccount, countAccounts, createAccountIn } from '../storage/accounts.js'
import type { Database, Reader } from '../storage/database.js'
import { type KeyRow, listKeys, revokeKey } from '../storage/keys.js'
import { asOwnWrite } from '../storage/own-writes.js'
import type { AccountId } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import { issueKeyIn, type KeyTerms } from './keys.js'

export const accountHandlers: OperatorHandlers<
  | 'getOperator'
  | 'listAccounts'
  | 'createAccount'
  | 'getAccount'
  | 'updateAccount'
  | 'listKeys'
  | 'createKey'
  | 'revokeKey'
> = {
  async getOperator({ operator: { operator_id, name, role, expires_at } }) {
    return { operator_id, name, role, ...(expires_at && { expires_at: expires_at.toISOString() }) }
  },

  async listAccounts({ db }, { query: { skip = 0, take = 100 } }) {
    return (await countAccounts(db, { skip, take })).map(accountOf)
  },

  async createAccount({ sql, author }, { body }) {
    const created = await createAccountIn(sql, body.slug, { name: body.name }, author)
    if (created === undefined) throw new Refusal('account_exists')
    return getAccount(sql, body.slug)
  },

  async getAccount({ db, accountRow }) {
    return getAccount(db, accountRow.slug)
  },

  async updateAccount({ tx, account, accountRow }, { body }) {
    if (body.name === undefined && body.suspended === undefined) {
      throw invalid([{ pointer: '', detail: 'needs name or suspended' }])
    }
    await changeAccount(tx, account, body)
    return getAccount(tx.sql, accountRow.slug)
  },

  async listKeys({ db, account }) {
    return (await listKeys(db, account)).map(keyOf)
  },

  async createKey({ tx, account }, { body }) {
    return issueKeyIn(tx, account, keyTerms(body))
  },

  async revokeKey({ tx, account }, { params: { key_id } }) {
    await revokeKey(tx, account, key_id)
    const key = (await listKeys(tx.sql, account)).find((each) => each.key_id === key_id)
    if (!key) throw new Refusal('key_not_found')
    return keyOf(key)
  },
}

/** Creates an account; undefined when the short name is taken. */
export async function createAccount(
  db: Database,
  slug: string,
  name: string,
  author = 'command-line',
): Promise<AccountId | undefined> {
  return asOwnWrite(db, 'any', () => db.begin((sql) => createAccountIn(sql, slug, { name }, author)))
}

async function getAccount(db: Reader, slug: string): Promise<Account> {
  const [account] = await countAccounts(db, { slug })
  if (!account) throw new Refusal('account_not_found')
  return accountOf(account)
}

function accountOf({ slug, name, created_at, suspended_at, counts }: CountedAccount): Account {
  return {
    slug,
    name,
    created_at: created_at.toISOString(),
    suspended: suspended_at !== null,
    ...(suspended_at && { suspended_at: suspended_at.toISOString() }),
    counts,
  }
}

/** What a key is wanted for; one that has ended before it began is refused. */
export function keyTerms({ name, scopes, expires_at }: Static<typeof KeyCreate>): KeyTerms {
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.now()) {
    throw invalid([{ pointer: '/expires_at', detail: 'must be in the future' }])
  }
  return {
    name,
    scopes: scopes ? [...new Set(scopes)] : ['read', 'write'],
    expires_at: expires_at === undefined ? undefined : new Date(expires_at),
  }
}

export function keyOf({ key_id, scopes, hint, created_at, name, expires_at, revoked_at }: KeyRow): Key {
  return {
    key_id,
    scopes,
    ends_in: hint,
    created_at: created_at.toISOString(),
    ...(name !== null && { name }),
    ...(expires_at && { expires_at: expires_at.toISOString() }),
    ...(revoked_at && { revoked_at: revoked_at.toISOString() }),
  }
}
