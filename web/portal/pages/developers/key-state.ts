import type { UsedKey } from '../../../../src/contract/portal/keys.js'

export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked'

const soon = 14 * 86_400_000

export function stateOf({ revoked_at, expires_at }: UsedKey, now: number): KeyState {
  if (revoked_at !== undefined) return 'revoked'
  if (expires_at === undefined) return 'active'
  const left = Date.parse(expires_at) - now
  return left <= 0 ? 'expired' : left < soon ? 'expiring' : 'active'
}

/** Working keys first, then by creation, the newest first. */
export function inOrder(keys: UsedKey[], now: number): UsedKey[] {
  const isOver = (key: UsedKey) => ['expired', 'revoked'].includes(stateOf(key, now))
  return keys.toSorted(
    (one, other) => Number(isOver(one)) - Number(isOver(other)) || other.created_at.localeCompare(one.created_at),
  )
}
