/** An answer as it was sent. */
export type RememberedAnswer = { etag: string; body: Buffer; gzipped?: Buffer | undefined }

/**
 * Answers that are sent again as they are, within a bounded memory: what was not asked for lately is forgotten. What no
 * longer holds is never asked for, as its revision is part of its shelf's name.
 */
export class AnswerMemory {
  readonly #mostBytes: number
  /** By shelf and address: to find one, no name has to be put together. */
  readonly #shelves = new Map<string, Map<string, Kept>>()
  readonly #queue = new Set<Kept>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  find(shelf: string, url: string): RememberedAnswer | undefined {
    const kept = this.#shelves.get(shelf)?.get(url)
    if (!kept) return undefined
    kept.wasAskedFor = true
    return kept.answer
  }

  keep(shelf: string, url: string, answer: RememberedAnswer): void {
    const kept = { shelf, url, answer, wasAskedFor: false }
    // One that takes a tenth of all there is would drive out many that are asked for more often.
    if (bytesOf(kept) > this.#mostBytes / 10) return
    const before = this.#shelves.get(shelf)?.get(url)
    if (before) this.#forget(before)
    this.#add(kept)
    for (const oldest of this.#queue) {
      if (this.#bytes <= this.#mostBytes) return
      if (oldest.wasAskedFor) this.#keepOn(oldest)
      else this.#forget(oldest)
    }
  }

  // Once more through the queue: cheaper than to move an answer whenever it is asked for.
  #keepOn(kept: Kept): void {
    kept.wasAskedFor = false
    this.#queue.delete(kept)
    this.#queue.add(kept)
  }

  #add(kept: Kept): void {
    const shelf = this.#shelves.get(kept.shelf) ?? new Map<string, Kept>()
    this.#shelves.set(kept.shelf, shelf.set(kept.url, kept))
    this.#queue.add(kept)
    this.#bytes += bytesOf(kept)
  }

  #forget(kept: Kept): void {
    const shelf = this.#shelves.get(kept.shelf)
    shelf?.delete(kept.url)
    if (shelf?.size === 0) this.#shelves.delete(kept.shelf)
    this.#queue.delete(kept)
    this.#bytes -= bytesOf(kept)
  }
}

type Kept = { shelf: string; url: string; answer: RememberedAnswer; wasAskedFor: boolean }

// What an entry takes beside its bytes: objects, headers of buffers, its places in map and queue.
const overhead = 500

function bytesOf({ url, answer: { body, gzipped } }: Kept): number {
  return body.length + (gzipped?.length ?? 0) + url.length + overhead
}
