import type { GatheredRead } from './gathering.js'
import type { Reader } from './transact.js'

/** Finds rows by keys; within a transaction together with other lookups of its form. */
export function lookup<Key, Row>(read: GatheredRead<Reader, Key, Row>): (db: Reader, keys: Key[]) => Promise<Row[]> {
  return async (db, keys) => {
    if (keys.length === 0) return []
    return db.gathering ? db.gathering.read(read, keys) : read(db, keys)
  }
}
