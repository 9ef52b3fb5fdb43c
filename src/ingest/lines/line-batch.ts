import type { Fault } from '../../contract/refusals.js'
import { type LineReading, readLine } from './read-line.js'

/** Lines that are read together, in the ingest process. */
export type LineBatch = {
  /** The bytes of all lines. */
  bytes: Buffer
  lines: { number: number; length: number }[]
  /** How many faults are described; further ones are only counted. */
  mostFaults: number
}

export type NumberedReading = { line: number; reading: LineReading }

export async function sendLineBatch(
  { bytes, lines, mostFaults }: LineBatch,
  send: (part: NumberedReading[]) => void,
): Promise<void> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let start = 0
  let left = mostFaults
  const readings = lines.map(({ number, length }) => {
    const reading = readLine(all.subarray(start, start + length))
    start += length
    if ('warnings' in reading && reading.warnings) reading.warnings = reading.warnings.map(shortened)
    if (!('faults' in reading)) return { line: number, reading }
    const faults = reading.faults.slice(0, left).map(shortened)
    left -= faults.length
    return { line: number, reading: { faults, moreFaults: reading.faults.length - faults.length } }
  })
  send(readings)
}

// The name of an unknown field may be as long as the line.
const longestText = 1000

function shortened({ pointer, detail }: Fault): Fault {
  return { pointer: cut(pointer), detail: cut(detail) }
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
