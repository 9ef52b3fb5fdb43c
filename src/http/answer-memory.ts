/** An answer as it was sent, under the name of the request and the revision that it holds for. */
export type RememberedAnswer = { etag: string; body: Buffer; gzipped?: Buffer | undefined }

/**
 * Answers that are sent again as they are, within a bounded memory: what was not asked for lately is forgotten. What no
 * longer holds is never asked for, as its revision is part of its name.
 */
export class AnswerMemory {
  readonly #mostBytes: number
  readonly #answers = new Map<string, Kept>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get isOff(): boolean {
    return this.#mostBytes === 0
  }

  find(name: string): RememberedAnswer | undefined {
    const kept = this.#answers.get(name)
    if (!kept) return undefined
    kept.wasAskedFor = true
    return kept.answer
  }

  keep(name: string, answer: RememberedAnswer): void {
    // One that takes a tenth of all there is would drive out many that are asked for more often.
    if (bytesOf(name, answer) > this.#mostBytes / 10) return
    this.#forget(name)
    this.#answers.set(name, { answer, wasAskedFor: false })
    this.#bytes += bytesOf(name, answer)
    for (const [oldest, kept] of this.#answers) {
      if (this.#bytes <= this.#mostBytes) return
      if (kept.wasAskedFor) this.#keepOn(oldest, kept)
      else this.#forget(oldest)
    }
  }

  // Once more through the queue: cheaper than to move an answer whenever it is asked for.
  #keepOn(name: string, { answer }: Kept): void {
    this.#answers.delete(name)
    this.#answers.set(name, { answer, wasAskedFor: false })
  }

  #forget(name: string): void {
    const kept = this.#answers.get(name)
    if (!kept) return
    this.#answers.delete(name)
    this.#bytes -= bytesOf(name, kept.answer)
  }
}

type Kept = { answer: RememberedAnswer; wasAskedFor: boolean }

// What an entry takes beside its bytes: objects, headers of buffers, its place in the map.
const overhead = 400

function bytesOf(name: string, { body, gzipped }: RememberedAnswer): number {
  return body.length + (gzipped?.length ?? 0) + name.length + overhead
}
