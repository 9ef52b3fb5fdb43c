import type { Key } from '../../contract/operator/accounts.js'
import type { UsedKey } from '../../contract/portal/keys.js'
import type { Scope } from '../../contract/public/operations.js'
import type { KeyRow, UsedKeyRow } from '../../store/keys.js'

export type KeyTerms = {
  scopes: Scope[]
  name?: string | undefined
  expires_at?: Date | undefined
  networks?: string[] | undefined
}

export function keyOf(row: KeyRow): Key {
  const { key_id, scopes, hint, created_at, name, expires_at, revoked_at } = row
  const { created_by, created_by_name, owner, networks, replaces } = row
  return {
    key_id,
    scopes,
    ends_in: hint,
    created_at: created_at.toISOString(),
    ...(name !== null && { name }),
    ...(expires_at && { expires_at: expires_at.toISOString() }),
    ...(revoked_at && { revoked_at: revoked_at.toISOString() }),
    ...(networks && { networks }),
    ...(created_by !== null && { created_by }),
    ...(created_by_name !== null && { created_by_name }),
    ...(owner !== null && { owner }),
    ...(replaces !== null && { replaces }),
  }
}

export function usedKeyOf(row: UsedKeyRow): UsedKey {
  return { ...keyOf(row), ...(row.last_used_at && { last_used_at: row.last_used_at.toISOString() }) }
}
