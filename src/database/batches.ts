// Rows and record bytes per batch: large enough to save round trips, small enough for memory.
export const batchLength = 500
export const batchBytes = 2 * 1024 * 1024

/**
 * Reads rows in batches by keyset pagination. `bytes` is the memory that a row takes: a batch ends with the row that exceeds
 * the limit, so it is never empty. Queries that return the records themselves apply the same limit.
 */
export async function* inBatches<Row extends { bytes: number }>(
  keyOf: (row: Row) => string,
  read: (after: string) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Row[] = await read(after)
    const { batch, bytes } = limitBytes(rows)
    if (batch.length > 0) yield batch
    const last: Row | undefined = batch.at(-1)
    const ended: boolean = batch.length < batchLength && bytes < batchBytes
    after = last === undefined || ended ? undefined : keyOf(last)
  }
}

function limitBytes<Row extends { bytes: number }>(rows: Row[]): { batch: Row[]; bytes: number } {
  let bytes = 0
  const full = rows.findIndex((row) => {
    bytes += row.bytes
    return bytes >= batchBytes
  })
  return { batch: full === -1 ? rows : rows.slice(0, full + 1), bytes }
}

/** Splits rows into batches within the same limits. */
export function* batchesOf<Row>(rows: Row[], bytesOf: (row: Row) => number): Generator<Row[]> {
  if (rows.length === 1) return yield rows
  let batch: Row[] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row)
    bytes += bytesOf(row)
    if (batch.length < batchLength && bytes < batchBytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
