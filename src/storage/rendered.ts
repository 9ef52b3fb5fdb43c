/** A body as it is stored and sent: bytes that nobody parses on the way. */
export type RenderedBody = {
  body: Buffer
  revision: number
  /** Which resource it is, where an address may come to mean another one. */
  id: string
}

type RawQuery = { raw(): PromiseLike<Buffer[][]> }

/** Runs a query of `body, revision` or `body, revision, identifier` for at most one row. */
export async function oneBody(query: RawQuery): Promise<RenderedBody | undefined> {
  const [row] = await query.raw()
  return row && { body: row[0] as Buffer, revision: Number(row[1]?.toString('latin1')), id: row[2]?.toString() ?? '' }
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
export async function* readList(range: Range, query: (stretch: Stretch) => RawQuery): AsyncGenerator<Buffer[][]> {
  let left = range.take ?? Number.POSITIVE_INFINITY
  let stretch: Stretch = { after: '-9223372036854775808', id: '', skip: range.skip, limit: 0, bytes: stretchBytes }
  while (left > 0) {
    stretch.limit = Math.min(left, stretchLength)
    const rows = await query(stretch).raw()
    yield rows
    const last = rows.at(-1)
    const bytes = rows.reduce((sum, [body]) => sum + (body?.length ?? 0), 0)
    if (!last || (rows.length < stretch.limit && bytes < stretchBytes)) return
    left -= rows.length
    stretch = { ...stretch, after: String(last[1]), id: String(last[2]), skip: 0 }
  }
}
