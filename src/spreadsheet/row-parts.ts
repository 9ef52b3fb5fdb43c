import { takeTurns } from '../jobs/in-slices.js'
import type { Cell } from './cell.js'

export type RowBatches = AsyncIterable<Cell[][]> | Iterable<Cell[][]>

const longestPart = 500

/** Rows in parts of bounded length, between which others have their turn: an entry of a list may have thousands of rows. */
export async function* rowParts(batches: RowBatches): AsyncGenerator<Cell[][]> {
  const others = takeTurns()
  for await (const batch of batches) {
    for (let start = 0; start < batch.length; start += longestPart) {
      yield batch.slice(start, start + longestPart)
      await others()
    }
  }
}
