import { askedTogether, type Batching } from './coalesced.js'
import type { Database, Reader } from './database.js'
import type { Ask } from './readers.js'
import type { AccountId } from './transaction.js'

/** A body as it is stored and sent: bytes that nobody parses on the way. */
export type RenderedBody = {
  body: Buffer
  revision: number
  /** Which resource it is, where an address may come to mean another one. */
  id: string
}

type RawQuery = { raw(): PromiseLike<Buffer[][]> }

const batching: Batching = { atOnce: 3, most: 100 }

/**
 * Finds single bodies. Those that are wanted at once are fetched together, by a query of `place, body, revision` for
 * the pairs of account and identifier at these places, counted from one. Such a query selects the arrays that it unnests:
 * where the planner sees how long they are, it finds each number of them worth a plan of its own, which takes several
 * times as long as to carry it out.
 */
export function findingBodies(
  query: (db: Database, accounts: AccountId[], ids: string[]) => RawQuery,
): (db: Database, account: AccountId, id: string) => Promise<RenderedBody | undefined> {
  type Wanted = { account: AccountId; id: string }
  const find = askedTogether<Wanted, RenderedBody>(async (db, wanted) => {
    const accounts = wanted.map(({ account }) => account)
    const ids = wanted.map(({ id }) => id)
    return inPlace(wanted.length, await query(db, accounts, ids).raw(), ([, body, revision]) => ({
      body: body as Buffer,
      revision: numberOf(revision),
      id: '',
    }))
  }, batching)
  return (db, account, id) => find(db, { account, id })
}

/** What rows that begin with their place, counted from one, come to. */
export function inPlace<Answer>(
  length: number,
  rows: Buffer[][],
  answerOf: (row: Buffer[]) => Answer | undefined,
): (Answer | undefined)[] {
  const answers = Array.from<Answer | undefined>({ length })
  for (const row of rows) answers[numberOf(row[0]) - 1] = answerOf(row)
  return answers
}

function numberOf(text: Buffer | undefined): number {
  return Number(text?.toString('latin1'))
}

/** Runs a query of `body, revision` or `body, revision, identifier` for at most one row. */
export async function oneBody(query: RawQuery): Promise<RenderedBody | undefined> {
  const [row] = await query.raw()
  return row && { body: row[0] as Buffer, revision: numberOf(row[1]), id: row[2]?.toString() ?? '' }
}

/** Which part of a list is asked for; without `take`, all that follows. */
export type Range = { skip: number; take?: number | undefined }

/** Where in a list to go on: behind this sort key and identifier, until so many rows or bytes have come. */
export type Stretch = { after: string; id: string; skip: number; limit: number; bytes: number }

// Long lists are read in stretches, each a query of its own: a slow client holds no connection and no memory.
const stretchLength = 500
const stretchBytes = 4 * 1024 * 1024

/**
 * Reads a list from queries of `body, newest_first, identifier`, a stretch at a time. Where bodies may be large, the
 * query answers the rows that have less than `bytes` before them: one at least.
 */
export async function* readList(
  ask: Ask<Reader>,
  range: Range,
  query: (db: Reader, stretch: Stretch) => RawQuery,
): AsyncGenerator<Buffer[][]> {
  let left = range.take ?? Number.POSITIVE_INFINITY
  let stretch: Stretch = { after: '-9223372036854775808', id: '', skip: range.skip, limit: 0, bytes: stretchBytes }
  while (left > 0) {
    stretch.limit = Math.min(left, stretchLength)
    const rows = await ask(async (db) => query(db, stretch).raw())
    yield rows
    const last = rows.at(-1)
    const bytes = rows.reduce((sum, [body]) => sum + (body?.length ?? 0), 0)
    if (!last || (rows.length < stretch.limit && bytes < stretchBytes)) return
    left -= rows.length
    stretch = { ...stretch, after: String(last[1]), id: String(last[2]), skip: 0 }
  }
}
