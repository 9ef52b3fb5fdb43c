import type { Database } from '../database/database.js'
import { hashTextOfKey } from './key-hash.js'

/** Counters of failed sign-in attempts: by e-mail address, and by IP address. */

/** The name of a counter, and how many attempts may fail before the next one has to wait. */
export type AttemptCounter = { name: string; allowed: number }

const longestWait = 15 * 60

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts count as well. Returns 0, or the seconds to
 * wait if it must not be made yet. Unknown addresses are counted in the same way.
 */
export async function countAttempt(db: Database, counters: AttemptCounter[]): Promise<number> {
  const hashes = hashesOf(counters)
  return db.begin(async (sql) => {
    // Counters are deleted after a day without attempts.
    await sql`
      delete from sign_in_failures where subject in (
        select subject from sign_in_failures where last_at < now() - interval '1 day' for update skip locked)`
    // In a fixed order, so that concurrent attempts do not deadlock.
    await sql`
      insert into sign_in_failures (subject, failures, last_at)
      select decode(hash, 'base64'), 0, now() from unnest(${hashes}::text[]) as tried (hash) order by 1
      on conflict (subject) do update set failures = sign_in_failures.failures`
    const [row] = await sql<{ seconds: number | null }[]>`
      select max(ceil(extract(epoch from last_at - clock_timestamp()) + least(${longestWait}::integer, 2 ^ least(30, failures - allowed))))::integer as seconds
      from unnest(${hashes}::text[], ${counters.map(({ allowed }) => allowed)}::integer[]) as tried (hash, allowed)
      join sign_in_failures on subject = decode(hash, 'base64')
      where failures >= allowed`
    const seconds = Math.max(0, row?.seconds ?? 0)
    if (seconds === 0) {
      await sql`
        update sign_in_failures set failures = failures + 1, last_at = clock_timestamp()
        where subject in (select decode(hash, 'base64') from unnest(${hashes}::text[]) as tried (hash))`
    }
    return seconds
  })
}

/** After a success: resets the counter of the person, and takes back the attempt from those that others share, as of the IP address. */
export async function clearFailures(db: Database, person: AttemptCounter, ...shared: AttemptCounter[]): Promise<void> {
  await db`delete from sign_in_failures where subject = decode(${hashTextOfKey(person.name)}, 'base64')`
  if (shared.length > 0) {
    // In a fixed order, so that concurrent attempts do not deadlock.
    await db`
      with counted as (
        select subject from sign_in_failures
        where subject in (select decode(hash, 'base64') from unnest(${hashesOf(shared)}::text[]) as tried (hash))
        order by subject for update
      )
      update sign_in_failures set failures = greatest(0, failures - 1) where subject in (select subject from counted)`
  }
}

function hashesOf(counters: AttemptCounter[]): string[] {
  return counters.map(({ name }) => hashTextOfKey(name))
}
