import { randomBytes } from 'node:crypto'
import { fairQueue } from '../../jobs/fair-queue.js'
import { workerThread } from '../../jobs/worker-thread.js'

/**
 * Passwords are stored as argon2id hashes. Hashing is slow on purpose, so it runs in a thread of its own: in Node's thread pool
 * many sign-ins would delay the compression of responses, files and name resolution. People take turns; visitors, who already
 * take turns (`visitor-queue.ts`), count as one.
 */

/** `stored`: the hash to compare with; undefined: create one. */
export type PasswordTask = { password: string; stored: string | undefined }

// The built file, in tests too: a worker thread cannot load TypeScript.
const workerPath = import.meta.url.endsWith('.ts')
  ? '../../../dist/people/password-worker.js'
  : '../people/password-worker.js'

const inThread = workerThread<string | boolean>(new URL(workerPath, import.meta.url), {
  milliseconds: 30_000,
  megabytes: 64,
})
// A hash takes some 30 ms: the last of 200 waits for 6 s.
const queue = fairQueue(
  { concurrency: 1, jobsPerOwner: 20, jobs: 200 },
  'Too many passwords are being changed; try again.',
)

/** `person`: the signed-in person, for turns. */
export async function hashPassword(password: string, person = ''): Promise<string> {
  return (await queue.run(person, () => inThread({ password, stored: undefined } satisfies PasswordTask))) as string
}

let placeholderHash: Promise<string> | undefined

function placeholder(): Promise<string> {
  placeholderHash ??= hashPassword(newToken()).catch((error: unknown) => {
    placeholderHash = undefined
    throw error
  })
  return placeholderHash
}

/** Takes the same time for an unknown person or one without a password, so that timing reveals neither. */
export async function isPassword(stored: string | null | undefined, given: string, person = ''): Promise<boolean> {
  const unknown = await placeholder()
  const isRight = await queue.run(person, () =>
    inThread({ password: given, stored: stored ?? unknown } satisfies PasswordTask),
  )
  return isRight === true && typeof stored === 'string'
}

/** A token for a session or a link: 192 random bits. */
export function newToken(): string {
  return randomBytes(24).toString('base64url')
}
