import type { Database, TransactionSql } from './database.js'

/**
 * The right to answer from memory without asking the database whether anybody else has written. A process takes it, for
 * itself and for those of its crew, when no other one of ours is connected, while there are requests, and for half a second
 * at a time; the database makes all others wait for its end before they end a write
 * (`migrations/0004-reading-lease.ts`, `0007`, `0008`), and a crew tells each other what it writes (`shared-writes.ts`).
 * So whoever was answered a write, wherever, is not shown what was before it.
 */
export type ReadingLease = {
  /**
   * A number for as long as the lease is held without a gap; undefined while it is not. What was read from the database
   * after a number was told holds while that number is, but for our own writes. To ask is what keeps the lease up.
   */
  current(): number | undefined
}

// In milliseconds; migration 0007 knows how long one may be granted. It is counted here from before it was asked for, in the
// database from when it was granted, and given up here earlier: so it has always ended here first.
const granted = 500
const trusted = 400
const renewedAfter = 150

// Where somebody else is, or writes, it is tried again ever more rarely.
const shortestPause = 1000
const longestPause = 60_000

// Any number that every Waybill shares: whoever waits for the end of a lease has it locked.
const waiting = 7_219_402_119

// Likewise: those of a crew ask one after another, so that none takes another for somebody who waits.
const granting = 7_219_402_120

export function readingLease(db: Database): ReadingLease {
  const crew = crewOf(db)
  let term = 0
  let until = 0
  let nextAttempt = 0
  let pause = shortestPause
  let attempt: Promise<void> | undefined
  // Of a new lease: the number of the first transaction that began after it. Those before did not know of it.
  let begunAfter: string | undefined

  async function extend(holder: string): Promise<void> {
    const sent = performance.now()
    const isGranted = await grant(db, holder)
    if (!isGranted) return pauseFor(pause * 2)
    pause = Math.max(pause * 0.98, shortestPause)
    // Granted again only after it had ended: others may have written between.
    const hasGap = performance.now() >= until
    if (hasGap) begunAfter = undefined
    if (hasGap || begunAfter !== undefined) begunAfter = await findUnsettled(db, begunAfter)
    if (hasGap) term += 1
    until = sent + trusted
    nextAttempt = sent + renewedAfter
  }

  function pauseFor(milliseconds: number): void {
    nextAttempt = performance.now() + pause
    pause = Math.min(milliseconds, longestPause)
  }

  return {
    current() {
      const now = performance.now()
      if (now >= nextAttempt && !attempt && crew !== undefined) {
        // A database that is away is told by whoever asks it something: the lease ends by itself.
        attempt = extend(crew)
          .catch(() => pauseFor(shortestPause))
          .finally(() => {
            attempt = undefined
          })
      }
      return now < until && begunAfter === undefined ? term : undefined
    },
  }
}

/**
 * How the names of all connections of a crew begin, as migration 0008 knows. One that somebody else could have, too, as one
 * that is given in the address, is not told apart from others.
 */
function crewOf(db: Database): string | undefined {
  return /^waybill [0-9a-f]{16}\b/.exec(db.options.connection.application_name ?? '')?.[0]
}

/**
 * Granted to whoever has it, or when nobody does (one that seems to last longer than any is from before the clock was set
 * back); unless somebody waits to write, or another of ours is connected.
 */
async function grant(db: Database, holder: string): Promise<boolean> {
  const rows = await db`
    insert into reading_lease as lease (holder, until)
    select ${holder}, clock_timestamp() + ${granted} * interval '1 millisecond'
    from (select pg_advisory_xact_lock(${granting}) offset 0) as turn
    where pg_try_advisory_xact_lock(${waiting}) and not exists (
      select from pg_stat_activity
      where datname = current_database() and left(application_name, ${holder.length}) <> ${holder}
        and (application_name = 'waybill' or application_name like 'waybill %')
    )
    on conflict (only_row) do update set holder = excluded.holder, until = excluded.until
    where lease.holder = ${holder} or lease.until not between clock_timestamp() and excluded.until
    returning until`
  return rows.length > 0
}

/** For whoever has locked the lease away: nobody holds it from here on. */
export async function outlastReadingLease(sql: TransactionSql): Promise<void> {
  const longest = sql`${granted} * interval '1 millisecond'`
  await sql`
    select pg_sleep(extract(epoch from least(until - clock_timestamp(), ${longest}))) from reading_lease
    where until > clock_timestamp()`
}

/**
 * Whether everything that was under way when the lease was granted has ended: undefined then, else the number to ask
 * with again. Whatever began later knows of the lease.
 */
async function findUnsettled(db: Database, before: string | undefined): Promise<string | undefined> {
  const [row] = await db<{ next: string; oldest: string }[]>`
    select pg_snapshot_xmax(now)::text as next, pg_snapshot_xmin(now)::text as oldest
    from (select pg_current_snapshot()) as current (now)`
  if (!row) throw new Error('the database does not tell its state')
  const next = before ?? row.next
  return BigInt(row.oldest) >= BigInt(next) ? undefined : next
}
