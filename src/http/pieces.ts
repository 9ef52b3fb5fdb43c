/** Bytes that are sent one behind another: to put them together first would take memory, and the time to give it back. */
export type Pieces = Buffer | Buffer[]

export function isPieces(body: unknown): body is Pieces {
  return Buffer.isBuffer(body) || Array.isArray(body)
}

export function lengthOf(pieces: Pieces): number {
  return Buffer.isBuffer(pieces) ? pieces.length : pieces.reduce((sum, { length }) => sum + length, 0)
}

export function wholeOf(pieces: Pieces): Buffer {
  return Buffer.isBuffer(pieces) ? pieces : Buffer.concat(pieces)
}
