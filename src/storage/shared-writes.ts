import { randomUUID } from 'node:crypto'
import { openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.js'
import type { Writes } from './own-writes.js'
import type { AccountId } from './transaction.js'

/**
 * Where the processes of one crew tell each other what they write: a file without a name that all of them have open, which
 * the system keeps in its memory. For each account, or those that share its place, and each post of the crew there are two
 * numbers: how many writes were begun, and how many have ended. Only who holds the post changes them.
 *
 * A write is told before it can have happened, and whoever is asked something looks before they answer from what they
 * remember: so what one process was answered for is seen by every other, without a word between them.
 */
export type WritesFile = { descriptor: number; posts: number }

// The first is for writes to any account. Those that share a place are looked up once too often, no more.
const places = 16_384
const bytesOfPost = 2 * Float64Array.BYTES_PER_ELEMENT

/** In memory where the system has a folder for that: where files lie on a disk, others who write there are waited for. */
export function openWritesFile(posts: number): WritesFile {
  const descriptor = openUnnamed(['/dev/shm', tmpdir()])
  // All of it now: there may be no room for it later.
  const empty = Buffer.alloc(places * posts * bytesOfPost)
  writeSync(descriptor, empty, 0, empty.length, 0)
  return { descriptor, posts }
}

function openUnnamed([folder = '', ...others]: string[]): number {
  const path = join(folder, `waybill-writes-${randomUUID()}`)
  try {
    const descriptor = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return descriptor
  } catch (error) {
    if (others.length === 0) throw error
    return openUnnamed(others)
  }
}

/** What all processes of a crew write, as one of them sees and tells it. */
export class SharedWrites implements Writes {
  readonly #descriptor: number
  readonly #post: number
  readonly #bytesOfPlace: number
  // Of this post, as they stand in the file: begun, ended, begun, ended, ...
  readonly #own = new Float64Array(2 * places)
  /** By place: what whoever held the post before has begun, and has not told the end of. */
  readonly #left = new Map<number, number>()
  readonly #seen: Float64Array
  readonly #seenBytes: Uint8Array
  readonly #told = new Float64Array(2)
  readonly #toldBytes = new Uint8Array(this.#told.buffer)

  constructor({ descriptor, posts }: WritesFile, post: number) {
    this.#descriptor = descriptor
    this.#post = post
    this.#bytesOfPlace = posts * bytesOfPost
    this.#seen = new Float64Array(2 * posts)
    this.#seenBytes = new Uint8Array(this.#seen.buffer)
    this.#takeOver()
  }

  #takeOver(): void {
    const all = new Float64Array((places * this.#bytesOfPlace) / Float64Array.BYTES_PER_ELEMENT)
    readSync(this.#descriptor, new Uint8Array(all.buffer), 0, all.byteLength, 0)
    for (let place = 0; place < places; place += 1) {
      const at = place * this.#seen.length + 2 * this.#post
      const [begun, ended] = all.slice(at, at + 2) as unknown as [number, number]
      this.#own.set([begun, ended], 2 * place)
      if (begun !== ended) this.#left.set(place, begun - ended)
    }
  }

  countOf(account: AccountId): number | undefined {
    const ofAny = this.#countAt(0)
    if (ofAny === undefined) return undefined
    const ofAccount = this.#countAt(placeOf(account))
    return ofAccount === undefined ? undefined : ofAny + ofAccount
  }

  begin(accounts: AccountId[] | 'any'): () => void {
    const told = timesOf(accounts === 'any' ? [0] : accounts.map(placeOf))
    for (const [place, begun] of told) this.#tell(place, { begun, ended: 0 })
    return () => {
      for (const [place, ended] of told) this.#tell(place, { begun: 0, ended })
    }
  }

  /** Whether somebody before us has left writes of which nobody knows how they end. */
  get isSettled(): boolean {
    return this.#left.size === 0
  }

  /** Says of those that they have ended. */
  settle(): void {
    for (const [place, ended] of this.#left) this.#tell(place, { begun: 0, ended })
    this.#left.clear()
  }

  /** Grows with every write of whoever in the crew; undefined while there is one. */
  #countAt(place: number): number | undefined {
    const length = readSync(this.#descriptor, this.#seenBytes, 0, this.#bytesOfPlace, place * this.#bytesOfPlace)
    if (length !== this.#bytesOfPlace) return undefined
    let count = 0
    for (let at = 0; at < this.#seen.length; at += 2) {
      if (this.#seen[at] !== this.#seen[at + 1]) return undefined
      count += this.#seen[at] as number
    }
    return count
  }

  // One of the two numbers changes: a reader that sees only half of what is written sees either what was or what is.
  #tell(place: number, { begun, ended }: { begun: number; ended: number }): void {
    const at = 2 * place
    this.#told[0] = this.#own[at] = (this.#own[at] as number) + begun
    this.#told[1] = this.#own[at + 1] = (this.#own[at + 1] as number) + ended
    const position = place * this.#bytesOfPlace + this.#post * bytesOfPost
    writeSync(this.#descriptor, this.#toldBytes, 0, bytesOfPost, position)
  }
}

/** Settles what was left as soon as nobody is connected any more who held the post before: until then it may still happen. */
export async function settleAfterOthers(db: Database, writes: SharedWrites, stop: AbortSignal): Promise<void> {
  while (!writes.isSettled && !stop.aborted) {
    // A database that is away is told by whoever asks it something.
    if (await areOthersGone(db).catch(() => false)) return writes.settle()
    await sleep(pause, undefined, { signal: stop }).catch(() => {})
  }
}

const pause = 200

async function areOthersGone(db: Database): Promise<boolean> {
  const { application_name: own = '' } = db.options.connection
  const post = /^waybill [0-9a-f]{16} \d+\./.exec(own)?.[0] ?? own
  const rows = await db`
    select from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${post}) and application_name <> ${own} limit 1`
  return rows.length === 0
}

function timesOf(told: number[]): Map<number, number> {
  const times = new Map<number, number>()
  for (const place of told) times.set(place, (times.get(place) ?? 0) + 1)
  return times
}

function placeOf(account: AccountId): number {
  return 1 + (account % (places - 1))
}
