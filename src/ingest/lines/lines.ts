const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export type Line = {
  number: number
  bytes: Buffer
  /** The line with its line feed. */
  raw: Buffer
}

/** The lines of a stream that are not blank, as bytes. Only a line feed ends a line: U+2028 and the like do not. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0
  let pieces: Buffer[] = []
  for await (const chunk of stream) {
    let start = pieces.length === 0 ? afterEmptyLines(chunk, 0) : 0
    number += start
    for (let end = chunk.indexOf(lineFeed, start); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      pieces.push(chunk.subarray(start, end + 1))
      number += 1
      yield* lineOf(number, pieces)
      pieces = []
      start = afterEmptyLines(chunk, end + 1)
      number += start - end - 1
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start))
  }
  yield* lineOf(number + 1, pieces)
}

// A file may consist of millions of empty lines: they are skipped without a call or an allocation for each.
function afterEmptyLines(chunk: Buffer, start: number): number {
  let next = start
  while (chunk[next] === lineFeed) next += 1
  return next
}

function* lineOf(number: number, pieces: Buffer[]): Generator<Line> {
  const raw = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
  let bytes = raw.at(-1) === lineFeed ? raw.subarray(0, -1) : raw
  if (bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1)
  if (number === 1 && bytes.subarray(0, 3).equals(byteOrderMark)) bytes = bytes.subarray(3)
  if (!isBlank(bytes)) yield { number, bytes, raw }
}

// A longer line is not looked through.
const longestBlank = 64 * 1024

// Most lines are decided by their first byte.
function isBlank(bytes: Buffer): boolean {
  if (bytes.length > longestBlank) return false
  return bytes.every((byte) => String.fromCharCode(byte).trim() === '')
}
