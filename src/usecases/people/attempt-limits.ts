import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { type AttemptCounter, countAttempt } from '../../store/sign-in-failures.js'

/** Counts an attempt, or refuses it if too many attempts have failed. */
export async function limitAttempts(
  db: Database,
  counters: AttemptCounter[],
  code: 'sign_in_slowed' | 'rate_limited' = 'sign_in_slowed',
): Promise<void> {
  const seconds = await countAttempt(db, counters)
  if (seconds === 0) return
  throw new Refusal(code, `Try again in ${seconds} s.`, { headers: { 'retry-after': String(seconds) } })
}

type AttemptKind = 'sign-in' | 'reset' | 'passkey'

export function attemptsByEmail(kind: AttemptKind, email: string): AttemptCounter {
  return { name: `${kind} ${email.toLowerCase()}`, allowed: 5 }
}

// Several people may share an IP address.
export function attemptsByAddress(kind: AttemptKind, address: string): AttemptCounter {
  return { name: `${kind} from ${address}`, allowed: 50 }
}
