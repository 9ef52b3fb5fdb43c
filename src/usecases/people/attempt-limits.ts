import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { normalizedEmail } from '../../domain/people/email.js'
import { fairQueue } from '../../jobs/fair-queue.js'
import { type AttemptCounter, countAttempt as countNow } from '../../store/sign-in-failures.js'

// Attempts with one counter wait for each other in the database: two hold a connection meanwhile, the others wait here.
const queue = fairQueue(
  { concurrency: 2, jobsPerOwner: 40, jobs: 400 },
  'There are many attempts at present; try again.',
)

/** As of the store; the counters take turns. */
export function countAttempt(db: Database, counters: AttemptCounter[]): Promise<number> {
  return queue.run(counters[0]?.name ?? '', () => countNow(db, counters))
}

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

type AttemptKind = 'sign-in' | 'reset' | 'passkey' | 'provider'

/** By person where the address is known: however it is spelled, the person has one counter. */
export function attemptsByPerson(
  kind: AttemptKind,
  email: string,
  known: { person_id: string } | undefined,
): AttemptCounter {
  return { name: `${kind} ${known?.person_id ?? normalizedEmail(email)}`, allowed: 5 }
}

/** A device on which the person has signed in before: failures elsewhere do not delay it. */
export function attemptsByDevice(person_id: string, device: string): AttemptCounter {
  return { name: `sign-in ${person_id} on ${device}`, allowed: 5 }
}

// Several people may share an IP address.
export function attemptsByAddress(kind: AttemptKind, address: string): AttemptCounter {
  return { name: `${kind} from ${address}`, allowed: 50 }
}
