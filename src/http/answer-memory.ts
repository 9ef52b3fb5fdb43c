/** An answer as it was sent, under the name of the request and the revision that it holds for. */
export type RememberedAnswer = { etag: string; body: Buffer; gzipped?: Buffer | undefined }

/**
 * Answers that are sent again as they are, within a bounded memory: what was asked for least lately is forgotten. What
 * no longer holds is never asked for, as its revision is part of its name.
 */
export class AnswerMemory {
  readonly #mostBytes: number
  /** In the order in which they were last asked for. */
  readonly #answers = new Map<string, RememberedAnswer>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get isOff(): boolean {
    return this.#mostBytes === 0
  }

  find(name: string): RememberedAnswer | undefined {
    const answer = this.#answers.get(name)
    if (!answer) return undefined
    this.#answers.delete(name)
    this.#answers.set(name, answer)
    return answer
  }

  keep(name: string, answer: RememberedAnswer): void {
    // One that takes a tenth of all there is would drive out many that are asked for more often.
    if (bytesOf(name, answer) > this.#mostBytes / 10) return
    this.#forget(name)
    this.#answers.set(name, answer)
    this.#bytes += bytesOf(name, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#mostBytes) return
      this.#forget(oldest)
    }
  }

  #forget(name: string): void {
    const answer = this.#answers.get(name)
    if (!answer) return
    this.#answers.delete(name)
    this.#bytes -= bytesOf(name, answer)
  }
}

// What an entry takes beside its bytes: objects, headers of buffers, its place in the map.
const overhead = 400

function bytesOf(name: string, { body, gzipped }: RememberedAnswer): number {
  return body.length + (gzipped?.length ?? 0) + name.length + overhead
}
