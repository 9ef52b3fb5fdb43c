import type { KeyHolder } from './keys.js'

/** Whose key was known before: whether it still may is for the statement to see that does what they want. */
export type KnownCaller = Pick<KeyHolder, 'key_id' | 'secrets'>

/** Whether a key of an account may write by now, for a statement that names both. A look into the index for each. */
export function mayWrite(account: string, key: string): string {
  return `exists (
      select from keys
      where keys.account_id = ${account} and keys.key_id = ${key} and 'write' = any(scopes)
        and revoked_at is null and (expires_at is null or expires_at > now()) offset 0
    )`
}
