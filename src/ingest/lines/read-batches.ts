import { Refusal } from '../../contract/refusals.js'
import { fairQueue } from '../../jobs/fair-queue.js'
import { ProcessLimitReached } from '../../jobs/limited-process.js'
import { runIngestTask } from '../ingest-process.js'
import type { LineBatch, NumberedReading } from './line-batch.js'
import { type Line, readLines } from './lines.js'
import { readLine } from './read-line.js'

/** Reads the lines of a stream, in batches. */
export type ReadStream = (stream: AsyncIterable<Buffer>) => AsyncIterable<NumberedReading[]>

/** For commands, which keep nobody else waiting. Each line is read before the next one is taken from the stream. */
export const readInThisProcess: ReadStream = async function* (stream) {
  for await (const { number, bytes } of readLines(stream)) yield [{ line: number, reading: readLine(bytes) }]
}

// Small enough to be sent and received without a delay for others.
const batchBytes = 256 * 1024
const batchLines = 1000
// A batch takes some milliseconds, a document of 12 MiB a tenth of a second.
const milliseconds = 20_000

// Callers are limited elsewhere: an import has one batch here at a time.
const queue = fairQueue(
  { concurrency: 2, jobsPerOwner: Number.POSITIVE_INFINITY, jobs: Number.POSITIVE_INFINITY },
  'Many imports are being read; try again.',
)

/**
 * For requests: a line of 4 MB, or thousands of invalid ones, take seconds to validate. A process with limits does it, in which
 * owners take turns, batch by batch. Faults beyond the first ones are only counted.
 */
export function readInLimitedProcess(owner: string, mostFaults: number, signal: AbortSignal): ReadStream {
  let left = mostFaults

  async function read(lines: Line[]): Promise<NumberedReading[]> {
    const result: NumberedReading[] = []
    const onPart = (part: NumberedReading[]) => void result.push(...part)
    const batch = batchOf(lines, left)
    try {
      await queue.run(owner, () => runIngestTask('lines', batch, { milliseconds, signal, onPart }), signal)
    } catch (error) {
      if (error instanceof ProcessLimitReached) throw tooCostly(lines)
      throw error
    }
    for (const { reading } of result) if ('faults' in reading) left -= reading.faults.length
    return result
  }

  return async function* (stream) {
    let lines: Line[] = []
    let bytes = 0
    for await (const line of readLines(stream)) {
      lines.push(line)
      bytes += line.bytes.length
      if (bytes < batchBytes && lines.length < batchLines) continue
      yield await read(lines)
      lines = []
      bytes = 0
    }
    if (lines.length > 0) yield await read(lines)
  }
}

function batchOf(lines: Line[], mostFaults: number): LineBatch {
  return {
    bytes: lines.length === 1 ? (lines[0] as Line).bytes : Buffer.concat(lines.map(({ bytes }) => bytes)),
    lines: lines.map(({ number, bytes }) => ({ number, length: bytes.length })),
    mostFaults,
  }
}

function tooCostly(lines: Line[]): Refusal {
  const [first, last] = [lines[0]?.number, lines.at(-1)?.number]
  const which = first === last ? `Line ${first} takes` : `Lines ${first} to ${last} take`
  return new Refusal('payload_too_large', `${which} too long, or too much memory, to be read.`)
}
