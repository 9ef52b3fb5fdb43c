/** An answer as it was sent. */
export type RememberedAnswer = { etag: string; body: Buffer; gzipped?: Buffer | undefined }

/**
 * Answers that are sent again as they are, within a bounded memory: what was not asked for lately is forgotten. What no
 * longer holds is never asked for, as its revision is part of its shelf's name.
 *
 * Their bytes are copied into large slabs, which are given up whole. Each in a piece of memory of its own, they would lie
 * scattered among what lives for a request only, and the process would grow to twice of what it uses.
 */
export class AnswerMemory {
  readonly #mostBytes: number
  readonly #slabBytes: number
  /** By shelf and address: to find one, no name has to be put together. */
  readonly #shelves = new Map<string, Map<string, Kept>>()
  /** The oldest first; the last one is being filled. */
  readonly #slabs: Slab[] = []
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
    this.#slabBytes = Math.min(largestSlab, Math.ceil(mostBytes / fewestSlabs))
  }

  find(shelf: string, url: string): RememberedAnswer | undefined {
    const kept = this.#shelves.get(shelf)?.get(url)
    if (!kept) return undefined
    kept.wasAskedFor = true
    return kept.answer
  }

  keep(shelf: string, url: string, answer: RememberedAnswer): void {
    // One that takes a tenth of all there is would drive out many that are asked for more often.
    if (bytesOf(answer) + overhead > this.#mostBytes / 10) return
    this.#add(shelf, url, answer)
    while (this.#bytes > this.#mostBytes) this.#giveUpOldest()
  }

  #add(shelf: string, url: string, { etag, body, gzipped }: RememberedAnswer): void {
    const slab = this.#slabFor(body.length + (gzipped?.length ?? 0))
    const answer = { etag, body: copyInto(slab, body), gzipped: gzipped && copyInto(slab, gzipped) }
    const kept = { shelf, url, answer, wasAskedFor: false }
    const shelved = this.#shelves.get(shelf) ?? new Map<string, Kept>()
    this.#shelves.set(shelf, shelved.set(url, kept))
    slab.kept.push(kept)
    this.#bytes += overhead
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
    let room = slab.bytes.length / 2
    for (const kept of slab.kept) {
      const { shelf, url, answer, wasAskedFor } = kept
      const shelved = this.#shelves.get(shelf)
      // Another one has taken its place.
      if (shelved?.get(url) !== kept) continue
      room -= wasAskedFor ? bytesOf(answer) : 0
      if (wasAskedFor && room >= 0) {
        this.#add(shelf, url, answer)
        continue
      }
      shelved.delete(url)
      if (shelved.size === 0) this.#shelves.delete(shelf)
    }
  }
}

const largestSlab = 2 * 1024 * 1024
const fewestSlabs = 16

type Slab = { bytes: Buffer; used: number; kept: Kept[] }

type Kept = { shelf: string; url: string; answer: RememberedAnswer; wasAskedFor: boolean }

// What an entry takes beside its bytes: its address, objects, headers of buffers, its place in a shelf.
const overhead = 600

function bytesOf({ body, gzipped }: RememberedAnswer): number {
  return body.length + (gzipped?.length ?? 0)
}

function copyInto(slab: Slab, bytes: Buffer): Buffer {
  const from = slab.used
  slab.used += bytes.copy(slab.bytes, from)
  return slab.bytes.subarray(from, slab.used)
}
