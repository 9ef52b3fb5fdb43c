import type { AccountId } from '../database/account-id.js'
import { type BatchLimits, databaseBatcher } from '../database/batcher.js'
import type { Database, Fragment, Reader, TextRow } from '../database/database.js'
import type { RunRead } from '../database/replicas.js'

/** A body as it is stored and sent, without being parsed. */
export type RenderedBody = {
  body: string | Buffer
  revision: number
  /** The resource, if the same URL may refer to another one later. */
  id: string
}

type StoredBody = Omit<RenderedBody, 'body'> & { body: Buffer }

const limits: BatchLimits = { concurrency: 3, size: 100 }

/**
 * Finds single bodies. Concurrent lookups are batched into one query of `place, body, revision` for pairs of account and
 * identifier, where `place` is the position in the arrays, from one. The query must select the arrays before it unnests
 * them: if the planner sees their length, it makes a plan for each length, which takes several times as long as executing it.
 */
export function bodyFinder(
  query: (db: Database, accounts: AccountId[], ids: string[]) => Fragment,
): (db: Database, account: AccountId, id: string) => Promise<StoredBody | undefined> {
  type Wanted = { account: AccountId; id: string }
  const find = databaseBatcher<Wanted, StoredBody>(async (db, wanted) => {
    const accounts = wanted.map(({ account }) => account)
    const ids = wanted.map(({ id }) => id)
    const found = new Map<number, StoredBody>()
    for (const [place, body, revision] of await query(db, accounts, ids).bytes<[string, Buffer, string]>()) {
      found.set(Number(place) - 1, { body, revision: Number(revision), id: '' })
    }
    return wanted.map((_, index) => found.get(index))
  }, limits)
  return (db, account, id) => find(db, { account, id })
}

/** Runs a query of `body, revision` or `body, revision, identifier` for at most one row. */
export async function oneBody(query: Fragment): Promise<StoredBody | undefined> {
  const [row] = await query.bytes<[Buffer, string, Buffer?]>()
  return row && { body: row[0], revision: Number(row[1]), id: row[2]?.toString() ?? '' }
}

/** The requested part of a list; without `take`, everything after `skip`. */
export type Range = { skip: number; take?: number | undefined }

/** Where in a list to continue: after this sort key and identifier, up to a number of rows or bytes. */
export type Chunk = { after: string; id: string; skip: number; limit: number; bytes: number }

// Long lists are read in chunks, one query each, so that a slow client holds neither a connection nor memory.
const chunkLength = 500
const chunkBytes = 4 * 1024 * 1024

/**
 * Reads a list in chunks, from queries of `body, newest_first, identifier`. If bodies can be large, the query returns rows
 * until `bytes` is exceeded: at least one.
 */
export async function* readList(
  ask: RunRead<Reader>,
  range: Range,
  query: (db: Reader, chunk: Chunk) => Fragment,
): AsyncGenerator<TextRow[]> {
  let left = range.take ?? Number.POSITIVE_INFINITY
  let chunk: Chunk = { after: '-9223372036854775808', id: '', skip: range.skip, limit: 0, bytes: chunkBytes }
  while (left > 0) {
    chunk.limit = Math.min(left, chunkLength)
    const rows = await ask((db) => query(db, chunk).text())
    yield rows
    const last = rows.at(-1)
    const bytes = rows.reduce((sum, [body]) => sum + Buffer.byteLength(body ?? ''), 0)
    if (!last || (rows.length < chunk.limit && bytes < chunkBytes)) return
    left -= rows.length
    chunk = { ...chunk, after: last[1] as string, id: last[2] as string, skip: 0 }
  }
}
