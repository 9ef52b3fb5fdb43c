import type { Database } from './database.js'
import type { Replica } from './replicas.js'
import { withTimeout } from './timeout.js'

/**
 * Reads while there is no primary. With synchronous replication every acknowledged write is on the primary and on its synchronous
 * standbys: as many servers as there are, less the number of synchronous standbys, include one that has it.
 */

/** The results of as many standbys as have to respond, each with all that it has received; undefined: too few do. */
export type ReadQuorum = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result[] | undefined>

const timeout = 2000
// Reads that a server has not completed: further ones would wait in its pool.
const mostPending = 4

export function readQuorum(replicas: Replica[], quorum: number): ReadQuorum {
  const pending = new Map<Replica, number>()

  async function readStandby<Result>(replica: Replica, read: (db: Database) => Promise<Result>) {
    const before = pending.get(replica) ?? 0
    if (before >= mostPending) return undefined
    pending.set(replica, before + 1)
    const reading = readReplayed(replica.db, read).finally(() =>
      pending.set(replica, (pending.get(replica) as number) - 1),
    )
    return withTimeout(reading, timeout).catch(() => undefined)
  }

  return <Result>(read: (db: Database) => Promise<Result>) =>
    new Promise<Result[] | undefined>((resolve) => {
      const results: Result[] = []
      let left = replicas.length
      for (const replica of replicas) {
        void readStandby(replica, read).then((found) => {
          left -= 1
          if (found) results.push(found.result)
          // Does not wait for the server that has failed.
          if (results.length === quorum) resolve(results.slice())
          else if (left === 0) resolve(undefined)
        })
      }
    })
}

/** What a standby has replayed by now includes every write that it had confirmed before. */
async function readReplayed<Result>(
  db: Database,
  read: (db: Database) => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  const [row] = await db<{ isReplayed: boolean }[]>`
    select pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn(), false) as "isReplayed"`
  return row?.isReplayed ? { result: await read(db) } : undefined
}
