import type { Database } from './database.js'
import { hashTextOfKey } from './key-hash.js'

/** How often somebody failed lately to sign in: with an address of a person, or from an address of a machine. */

/** What attempts are counted by, and how many may fail before the next has to wait. */
export type Subject = { name: string; freely: number }

const longestWait = 15 * 60

/**
 * Counts an attempt as failed before it is made, so that many that are made at once count as well. Answers for how many
 * seconds it has to wait instead; 0: it may be made. Known or not, addresses are told alike.
 */
export async function countAttempt(db: Database, subjects: Subject[]): Promise<number> {
  const hashes = hashesOf(subjects)
  return db.begin(async (sql) => {
    // After a quiet day all is forgotten.
    await sql`
      delete from sign_in_failures where subject in (
        select subject from sign_in_failures where last_at < now() - interval '1 day' for update skip locked)`
    // In the same order by everybody: nobody waits for somebody who waits for them.
    await sql`
      insert into sign_in_failures (subject, failures, last_at)
      select decode(hash, 'base64'), 0, now() from unnest(${hashes}::text[]) as tried (hash) order by 1
      on conflict (subject) do update set failures = sign_in_failures.failures`
    const [row] = await sql<{ seconds: number | null }[]>`
      select max(ceil(extract(epoch from last_at - clock_timestamp()) + least(${longestWait}::integer, 2 ^ least(30, failures - freely))))::integer as seconds
      from unnest(${hashes}::text[], ${subjects.map(({ freely }) => freely)}::integer[]) as tried (hash, freely)
      join sign_in_failures on subject = decode(hash, 'base64')
      where failures >= freely`
    const seconds = Math.max(0, row?.seconds ?? 0)
    if (seconds === 0) {
      await sql`
        update sign_in_failures set failures = failures + 1, last_at = clock_timestamp()
        where subject in (select decode(hash, 'base64') from unnest(${hashes}::text[]) as tried (hash))`
    }
    return seconds
  })
}

/** Somebody has shown who they are: their failures are forgotten, and the machine's last attempt was none. */
export async function forgetFailures(db: Database, person: Subject, machine?: Subject): Promise<void> {
  await db`delete from sign_in_failures where subject = decode(${hashTextOfKey(person.name)}, 'base64')`
  if (machine) {
    await db`
      update sign_in_failures set failures = greatest(0, failures - 1)
      where subject = decode(${hashTextOfKey(machine.name)}, 'base64')`
  }
}

function hashesOf(subjects: Subject[]): string[] {
  return subjects.map(({ name }) => hashTextOfKey(name))
}
