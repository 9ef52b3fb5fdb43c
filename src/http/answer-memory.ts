import type { AnswerFile, Loan, Place } from './answer-file.js'
import { lengthOf, type Pieces } from './pieces.js'

/** An answer as it was sent. */
export type RememberedAnswer = {
  etag: string
  body: Buffer
  gzipped?: Buffer | undefined
  /** Its bytes are on loan: whoever has sent them may say so. */
  giveBack?: (() => void) | undefined
}

/** One that is to be kept. */
type NewAnswer = { etag: string; body: Pieces; gzipped?: Buffer | undefined }

/** One whose bytes have to be recalled: what there was to tell of it is known. */
export type FiledAnswer = {
  etag: string
  /** Undefined when they are no longer there. */
  recall(): RememberedAnswer | undefined | Promise<RememberedAnswer | undefined>
}

/**
 * Answers that are sent again as they are, within a bounded memory: what was not asked for lately makes room. Long ones go
 * to a file then, if there is one, and come back when they are asked for again and again; all others are forgotten. What
 * no longer holds is never asked for, as its revision is part of its shelf's name.
 *
 * Their bytes are copied into large slabs, which are given up whole. Each in a piece of memory of its own, they would lie
 * scattered among what lives for a request only, and the process would grow to twice of what it uses.
 */
export class AnswerMemory {
  readonly #mostBytes: number
  readonly #slabBytes: number
  readonly #file: AnswerFile | undefined
  readonly #onFault: (error: unknown) => void
  /** By shelf and address: to find one, no name has to be put together. */
  readonly #shelves = new Map<string, Map<string, Kept>>()
  /** The oldest first; the last one is being filled. */
  readonly #slabs: Slab[] = []
  #bytes = 0
  #hits = 0
  #misses = 0
  #restsUntil = 0

  constructor(mostBytes: number, file?: AnswerFile, onFault: (error: unknown) => void = () => {}) {
    this.#mostBytes = mostBytes
    this.#slabBytes = Math.min(largestSlab, Math.ceil(mostBytes / fewestSlabs))
    this.#file = file
    this.#onFault = onFault
  }

  find(shelf: string, url: string): RememberedAnswer | FiledAnswer | undefined {
    const kept = this.#shelves.get(shelf)?.get(url)
    if (!kept) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    kept.wasAskedFor = true
    return kept.answer
  }

  /** How much it holds, and how often what was asked for was there. */
  tally(): { answers: number; bytes: number; mostBytes: number; hits: number; misses: number } {
    let answers = 0
    for (const shelved of this.#shelves.values()) answers += shelved.size
    return { answers, bytes: this.#bytes, mostBytes: this.#mostBytes, hits: this.#hits, misses: this.#misses }
  }

  /** Answers what is kept from here on; undefined where nothing is. */
  keep(shelf: string, url: string, answer: NewAnswer): RememberedAnswer | undefined {
    // One that takes a tenth of all there is would drive out many that are asked for more often.
    if (bytesOf(answer) + overhead > this.#mostBytes / 10) return undefined
    const kept: Kept = { shelf, url, answer: { etag: '', body: nothing }, wasAskedFor: false, filed: undefined }
    const shelved = this.#shelves.get(shelf) ?? new Map<string, Kept>()
    this.#shelves.set(shelf, shelved.set(url, kept))
    const placed = this.#place(kept, answer)
    this.#makeRoom()
    return placed
  }

  /** Copies its bytes to where the newest are. */
  #place(kept: Kept, answer: NewAnswer): RememberedAnswer {
    const { etag, body, gzipped } = answer
    const slab = this.#slabFor(bytesOf(answer))
    const placed = { etag, body: copyInto(slab, body), gzipped: gzipped && copyInto(slab, gzipped) }
    kept.answer = placed
    kept.wasAskedFor = false
    slab.kept.push(kept as KeptInMemory)
    this.#bytes += overhead
    return placed
  }

  #makeRoom(): void {
    while (this.#bytes > this.#mostBytes && this.#slabs.length > 1) this.#giveUpOldest()
  }

  #slabFor(bytes: number): Slab {
    const last = this.#slabs.at(-1)
    if (last && last.used + bytes <= last.bytes.length) return last
    const fresh = { bytes: Buffer.allocUnsafeSlow(Math.max(bytes, this.#slabBytes)), used: 0, kept: [] }
    this.#slabs.push(fresh)
    this.#bytes += fresh.bytes.length
    return fresh
  }

  // Never written to again: some of it may still be on its way to a client. What was asked for since it was kept is copied
  // once more, up to half of it, so that there is room afterwards.
  #giveUpOldest(): void {
    const slab = this.#slabs.shift()
    if (!slab) return
    this.#bytes -= slab.bytes.length + slab.kept.length * overhead
    const file = performance.now() < this.#restsUntil ? undefined : this.#file
    let room = slab.bytes.length / 2
    const leaving: KeptInMemory[] = []
    for (const kept of slab.kept) {
      // Otherwise another one has taken its place.
      if (!this.#isShelved(kept)) continue
      const { answer, filed, wasAskedFor } = kept
      const bytes = bytesOf(answer)
      if (wasAskedFor && bytes <= room) {
        room -= bytes
        this.#place(kept, answer)
      } else if (filed) letGo(kept, filed)
      else if (file && bytes >= leastFiled) leaving.push(kept)
      else this.#forget(kept)
    }
    if (file && leaving.length > 0) void this.#moveTo(file, leaving)
  }

  /** Until they are in the file, they are found where they were. */
  async #moveTo(file: AnswerFile, leaving: KeptInMemory[]): Promise<void> {
    let filed = 0
    const forgetAll = () => {
      for (const kept of leaving) this.#forget(kept)
    }
    const onGone = () => {
      for (const kept of leaving) {
        kept.filed = undefined
        if ('recall' in kept.answer) this.#forget(kept)
      }
      this.#bytes -= filed * overhead
    }
    try {
      const things = leaving.map(({ answer }) => [answer.body, answer.gzipped ?? nothing])
      const places = await file.write(things, onGone)
      if (!places) return forgetAll()
      for (const [index, kept] of leaving.entries()) letGo(kept, this.#filedAnswer(file, kept, places[index] as Place))
      filed = leaving.length
      this.#bytes += filed * overhead
    } catch (error) {
      forgetAll()
      this.#restsUntil = performance.now() + restAfterFault
      this.#onFault(error)
    }
  }

  #filedAnswer(file: AnswerFile, kept: KeptInMemory, place: Place): FiledAnswer {
    const { etag, body } = kept.answer
    const { length } = body
    let times = 0
    let underWay: Promise<RememberedAnswer | undefined> | undefined
    const take = (loan: Loan | undefined): RememberedAnswer | undefined => {
      if (!loan) return undefined
      const { bytes, giveBack } = loan
      const gzipped = bytes.length > length ? bytes.subarray(length) : undefined
      const answer = { etag, body: bytes.subarray(0, length), gzipped, giveBack }
      times += 1
      if (times % oftenRecalled !== 0 || kept.answer !== filed || !this.#isShelved(kept)) return answer
      kept.filed = filed
      const placed = this.#place(kept, answer)
      giveBack()
      this.#makeRoom()
      return placed
    }
    const filed: FiledAnswer = {
      etag,
      recall() {
        // Whoever asks while it is being read gets the same bytes.
        if (underWay) return underWay
        const read = file.read(place)
        if (!(read instanceof Promise)) return take(read)
        underWay = read.then(take).finally(() => {
          underWay = undefined
        })
        return underWay
      },
    }
    return filed
  }

  #isShelved(kept: Kept): boolean {
    return this.#shelves.get(kept.shelf)?.get(kept.url) === kept
  }

  #forget(kept: Kept): void {
    if (!this.#isShelved(kept)) return
    const shelved = this.#shelves.get(kept.shelf)
    shelved?.delete(kept.url)
    if (shelved?.size === 0) this.#shelves.delete(kept.shelf)
  }
}

const largestSlab = 2 * 1024 * 1024
const fewestSlabs = 16

// Shorter ones are made again at little more than what it costs to recall them; and each takes memory beside the file.
const leastFiled = 16 * 1024

type Slab = { bytes: Buffer; used: number; kept: KeptInMemory[] }

type Kept = {
  shelf: string
  url: string
  answer: RememberedAnswer | FiledAnswer
  wasAskedFor: boolean
  /** Where it is found when it has to leave the memory once more. */
  filed: FiledAnswer | undefined
}
type KeptInMemory = Kept & { answer: RememberedAnswer }

// What is recalled once in a while is not worth driving others out.
const oftenRecalled = 16

// What an entry takes beside its bytes: its address, objects, headers of buffers, its place in a shelf.
const overhead = 600

// A disk that is full is not tried again at once.
const restAfterFault = 60_000

const nothing = Buffer.alloc(0)

function bytesOf({ body, gzipped }: NewAnswer): number {
  return lengthOf(body) + (gzipped?.length ?? 0)
}

function copyInto(slab: Slab, pieces: Pieces): Buffer {
  const from = slab.used
  for (const piece of Buffer.isBuffer(pieces) ? [pieces] : pieces) slab.used += piece.copy(slab.bytes, slab.used)
  return slab.bytes.subarray(from, slab.used)
}

function letGo(kept: Kept, filed: FiledAnswer): void {
  kept.answer = filed
  kept.filed = undefined
}
