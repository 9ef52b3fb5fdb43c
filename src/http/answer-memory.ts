/** An answer as it was sent, under the name of the request and the revision that it holds for. */
export type RememberedAnswer = { etag: string; body: Buffer; gzipped?: Buffer | undefined }

/**
 * Answers that are sent again as they are, within a bounded memory. What was not asked for since half of it was filled
 * anew is forgotten; what no longer holds is never asked for, as its revision is part of its name.
 */
export class AnswerMemory {
  readonly #mostBytes: number
  #recent = new Map<string, RememberedAnswer>()
  #earlier = new Map<string, RememberedAnswer>()
  #recentBytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  find(name: string): RememberedAnswer | undefined {
    const recent = this.#recent.get(name)
    if (recent) return recent
    const earlier = this.#earlier.get(name)
    if (earlier) this.keep(name, earlier)
    return earlier
  }

  keep(name: string, answer: RememberedAnswer): void {
    const bytes = answer.body.length + (answer.gzipped?.length ?? 0) + 2 * name.length
    // One that takes a tenth of all there is would drive out many that are asked for more often.
    if (bytes > this.#mostBytes / 10) return
    if (this.#recentBytes + bytes > this.#mostBytes / 2) {
      this.#earlier = this.#recent
      this.#recent = new Map()
      this.#recentBytes = 0
    }
    this.#recent.set(name, answer)
    this.#recentBytes += bytes
  }
}
