/** An encoded response. */
export type CachedResponse = { etag: string; body: Buffer; gzipped?: Buffer | undefined }

/**
 * Encoded responses within a memory limit. The oldest are evicted unless they were used since. A cache key includes the
 * revision, so outdated responses are never looked up again.
 *
 * Bodies are copied into large slabs that are freed as a whole. With one allocation per body, the heap fragments and the
 * process grows to twice the memory it uses.
 */
export class ResponseCache {
  readonly #maxBytes: number
  readonly #slabBytes: number
  /** By cache key and URL: nested maps, so that a lookup builds no string. */
  readonly #entries = new Map<string, Map<string, Entry>>()
  /** Oldest first; the last one is being filled. */
  readonly #slabs: Slab[] = []
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#slabBytes = Math.min(maxSlabBytes, Math.ceil(maxBytes / minSlabs))
  }

  /** `canonical` is evaluated if nothing is stored under the URL itself, as clients write one URL in many ways. */
  find(cacheKey: string, url: string, canonical = () => url): CachedResponse | undefined {
    const entries = this.#entries.get(cacheKey)
    const entry = entries && (entries.get(url) ?? entries.get(canonical()))
    if (!entry) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    entry.wasUsed = true
    return entry.response
  }

  /** Returns the stored copy, or the response itself if it is too large to store. */
  store(cacheKey: string, url: string, response: CachedResponse): CachedResponse {
    // A response of a tenth of the cache would evict many that are used more often.
    const entry: Entry = { cacheKey, url, response, wasUsed: false }
    if (bytesOf(response) + overheadOf(entry) > this.#maxBytes / 10) return response
    const entries = this.#entries.get(cacheKey) ?? new Map<string, Entry>()
    this.#entries.set(cacheKey, entries.set(url, entry))
    this.#place(entry)
    while (this.#bytes > this.#maxBytes && this.#slabs.length > 1) this.#evictOldest()
    return entry.response
  }

  statistics(): { responses: number; bytes: number; maxBytes: number; hits: number; misses: number } {
    let responses = 0
    for (const entries of this.#entries.values()) responses += entries.size
    return { responses, bytes: this.#bytes, maxBytes: this.#maxBytes, hits: this.#hits, misses: this.#misses }
  }

  /** Copies the bytes of an entry into the current slab. */
  #place(entry: Entry): void {
    const { etag, body, gzipped } = entry.response
    const slab = this.#slabFor(bytesOf(entry.response))
    entry.response = { etag, body: copyInto(slab, body), gzipped: gzipped && copyInto(slab, gzipped) }
    entry.wasUsed = false
    slab.entries.push(entry)
    slab.overhead += overheadOf(entry)
    this.#bytes += overheadOf(entry)
  }

  #slabFor(bytes: number): Slab {
    const last = this.#slabs.at(-1)
    // The overhead is limited as well: a slab of empty lists would never be full.
    if (last && last.used + bytes <= last.bytes.length && last.overhead <= this.#slabBytes) return last
    const slab = { bytes: Buffer.allocUnsafeSlow(Math.max(bytes, this.#slabBytes)), used: 0, overhead: 0, entries: [] }
    this.#slabs.push(slab)
    this.#bytes += slab.bytes.length
    return slab
  }

  // Slabs are never overwritten: parts of them may still be in a socket's write queue. Entries used since they were stored
  // are copied to the current slab, up to half a slab, so that eviction always frees memory.
  #evictOldest(): void {
    const slab = this.#slabs.shift()
    if (!slab) return
    this.#bytes -= slab.bytes.length + slab.overhead
    let room = slab.bytes.length / 2
    for (const entry of slab.entries) {
      const entries = this.#entries.get(entry.cacheKey)
      // A newer response may have replaced it.
      if (entries?.get(entry.url) !== entry) continue
      const bytes = bytesOf(entry.response)
      if (entry.wasUsed && bytes <= room) {
        room -= bytes
        this.#place(entry)
        continue
      }
      entries.delete(entry.url)
      if (entries.size === 0) this.#entries.delete(entry.cacheKey)
    }
  }
}

const maxSlabBytes = 2 * 1024 * 1024
const minSlabs = 16

type Slab = { bytes: Buffer; used: number; overhead: number; entries: Entry[] }
type Entry = { cacheKey: string; url: string; response: CachedResponse; wasUsed: boolean }

// Estimated bytes per entry besides its bodies: objects, buffer headers, map slot; and its keys, which are ASCII.
const entryBytes = 600

function overheadOf({ cacheKey, url }: Entry): number {
  return entryBytes + cacheKey.length + url.length
}

function bytesOf({ body, gzipped }: CachedResponse): number {
  return body.length + (gzipped?.length ?? 0)
}

function copyInto(slab: Slab, bytes: Buffer): Buffer {
  const from = slab.used
  slab.used += bytes.copy(slab.bytes, from)
  return slab.bytes.subarray(from, slab.used)
}
