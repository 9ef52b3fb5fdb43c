import type { AccountId } from '../database/account-id.js'

/** The key of a row of an account. */
export type AccountKey = { account: AccountId; id: string }

export function keysOf(account: AccountId, ids: string[]): AccountKey[] {
  return ids.map((id) => ({ account, id }))
}

export function accountsOf(keys: AccountKey[]): AccountId[] {
  return keys.map(({ account }) => account)
}

export function idsOf(keys: AccountKey[]): string[] {
  return keys.map(({ id }) => id)
}
