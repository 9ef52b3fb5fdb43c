import { expect, vi } from 'vitest'
import type { Database } from '../../src/storage/database.js'

const lock = 4711

/** New orders are stored, but not for good, until they are let: whoever stores one waits right before its end. */
export async function holdNewOrders(db: Database) {
  await db`create function wait_at_end() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock_shared(4711); return null; end'`
  await db`create constraint trigger wait_at_end after insert on purchase_orders
    deferrable initially deferred for each row execute function wait_at_end()`
  await db`select pg_advisory_lock(${lock})`
  return {
    /** The name of the connection that waits, as soon as there is one. */
    held: () =>
      vi.waitFor(
        async () => {
          const [row] = await db<{ application_name: string }[]>`
            select application_name from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
          expect(row).toBeDefined()
          return row?.application_name ?? ''
        },
        { timeout: 10_000 },
      ),
    async release() {
      await db`select pg_advisory_unlock(${lock})`
    },
  }
}
