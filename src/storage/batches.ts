// Large enough to make round trips cheap, small enough to hold: rows of a batch, and bytes of its records.
export const batchLength = 500
export const batchBytes = 8 * 1024 * 1024

/**
 * Reads on behind the key of the last row, a batch at a time. `bytes` is what a row brings into memory: a batch ends
 * with the row that fills it, so there is always one. Queries that bring the records along end there themselves.
 */
export async function* inBatches<Row extends { bytes: number }>(
  keyOf: (row: Row) => string,
  read: (after: string) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Row[] = await read(after)
    const { batch, bytes } = filled(rows)
    if (batch.length > 0) yield batch
    const last: Row | undefined = batch.at(-1)
    const ended: boolean = batch.length < batchLength && bytes < batchBytes
    after = last === undefined || ended ? undefined : keyOf(last)
  }
}

function filled<Row extends { bytes: number }>(rows: Row[]): { batch: Row[]; bytes: number } {
  let bytes = 0
  const full = rows.findIndex((row) => {
    bytes += row.bytes
    return bytes >= batchBytes
  })
  return { batch: full === -1 ? rows : rows.slice(0, full + 1), bytes }
}

/** The same for rows that are at hand, to be written. */
export function* batchesOf<Row>(rows: Row[], bytesOf: (row: Row) => number): Generator<Row[]> {
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
