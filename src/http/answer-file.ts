import { randomUUID } from 'node:crypto'
import { readSync } from 'node:fs'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { lengthOf } from './pieces.js'

/** Where something lies in the file, for as long as it does. */
export type Place = { at: number; length: number; stretch: Stretch }

/** What was read. Whoever is done with it, for good, may give its memory back for what is read next. */
export type Loan = { bytes: Buffer; giveBack(): void }

/** What was written at once. It goes when its place in the file is needed. */
type Stretch = { from: number; to: number; isGone: boolean; onGone(): void }

/**
 * Answers that there is no more room for in memory, in a file that has no name: nobody else can open it, and it ends with
 * the process. The system holds in its own memory what of it is read, and gives that up when others need it.
 *
 * What is newest is written over what is oldest, from the beginning to the end and again from the beginning.
 */
export class AnswerFile {
  readonly #handle: FileHandle
  readonly #mostBytes: number
  #stretches: Stretch[] = []
  #next = 0
  #writing: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #spare: Buffer[] = []
  #patientUntil = 0

  constructor(handle: FileHandle, mostBytes: number) {
    this.#handle = handle
    this.#mostBytes = mostBytes
  }

  /**
   * Writes things of one or more parts, one behind another, and answers where each lies. Undefined when others wait
   * already, or when they are too many: what is lost by that can be made again.
   */
  async write(things: Buffer[][], onGone: () => void): Promise<Place[] | undefined> {
    const parts = things.flat()
    const length = lengthOf(parts)
    if (this.#waiting >= mostWaiting || length > this.#mostBytes / 2) return undefined
    this.#waiting += 1
    const written = this.#writing.then(async () => {
      const stretch = this.#makeRoom(length, onGone)
      await writeAll(this.#handle, parts, stretch.from)
      this.#stretches.push(stretch)
      return placesOf(things, stretch)
    })
    this.#writing = written.catch(() => {}).finally(() => (this.#waiting -= 1))
    return written
  }

  /**
   * Undefined when something else was written there. It is read right here, where the system has it in memory: to have it
   * done elsewhere takes several times as long. Where the disk was waited for, that is what is done for a while.
   */
  read(place: Place): Loan | undefined | Promise<Loan | undefined> {
    if (place.stretch.isGone) return undefined
    const isPatient = place.length > spareBytes || performance.now() < this.#patientUntil
    return isPatient ? this.#readElsewhere(place) : this.#readHere(place)
  }

  #readHere({ at, length }: Place): Loan | undefined {
    const started = performance.now()
    const memory = this.#spare.pop() ?? Buffer.allocUnsafeSlow(spareBytes)
    const bytesRead = readSync(this.#handle.fd, memory, 0, length, at)
    const ended = performance.now()
    if (ended - started > longestHere) this.#patientUntil = ended + patientFor
    if (bytesRead < length) return undefined
    let isLent = true
    const giveBack = () => {
      if (isLent && this.#spare.length < mostSpare) this.#spare.push(memory)
      isLent = false
    }
    return { bytes: memory.subarray(0, length), giveBack }
  }

  async #readElsewhere({ at, length, stretch }: Place): Promise<Loan | undefined> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafeSlow(length), 0, length, at)
    // Something else was written there meanwhile.
    return stretch.isGone || bytesRead < length ? undefined : { bytes: buffer, giveBack() {} }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  // Told before anything is written over it: whoever is reading there finds out when they are done.
  #makeRoom(length: number, onGone: () => void): Stretch {
    const from = this.#next + length > this.#mostBytes ? 0 : this.#next
    const to = from + length
    const isInTheWay = (stretch: Stretch) => stretch.from < to && from < stretch.to
    for (const stretch of this.#stretches.filter(isInTheWay)) {
      stretch.isGone = true
      stretch.onGone()
    }
    this.#stretches = this.#stretches.filter(({ isGone }) => !isGone)
    this.#next = to
    return { from, to, isGone: false, onGone }
  }
}

// What waits for the disk is still in memory.
const mostWaiting = 4

// Longer ones are rare. So many as are on their way to clients at once, most of the time.
const spareBytes = 512 * 1024
const mostSpare = 16

// In milliseconds. From memory it takes a fraction of one, unless the process itself has to wait for its turn.
const longestHere = 10
const patientFor = 5000

/** In a folder of ours. */
export async function openAnswerFile(folder: string, mostBytes: number): Promise<AnswerFile> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `answers-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return new AnswerFile(handle, mostBytes)
}

// A disk that is nearly full takes a part of it.
async function writeAll(handle: FileHandle, parts: Buffer[], from: number): Promise<void> {
  const length = lengthOf(parts)
  const { bytesWritten } = await handle.writev(parts, from)
  if (bytesWritten < length) throw new Error(`only ${bytesWritten} of ${length} bytes were written`)
}

function placesOf(things: Buffer[][], stretch: Stretch): Place[] {
  let at = stretch.from
  return things.map((parts) => {
    const place = { at, length: lengthOf(parts), stretch }
    at += place.length
    return place
  })
}
