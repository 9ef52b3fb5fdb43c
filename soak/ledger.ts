import { createWriteStream, type WriteStream } from 'node:fs'

/**
 * The writes of a run and their outcomes, kept outside of the service: in an append-only file, and in memory for the
 * comparison.
 */

/** A write to an account. */
export type LedgerWrite = {
  account: string
  operation: string
  /** Unique for each write, and part of the written data if there is a field for it. */
  token: string
  isTokenWritten: boolean
}

/** An acknowledged write is exactly one revision of its account. */
export type Acknowledged = LedgerWrite & { revision: number | undefined }

export type AccountEntries = {
  acknowledged: Acknowledged[]
  /** Writes whose response was lost, and that were not retried. */
  unknown: LedgerWrite[]
}

type LedgerMark = ReadonlyMap<string, { acknowledged: number; unknown: number }>

export class Ledger {
  readonly #file: WriteStream
  readonly #accounts = new Map<string, AccountEntries>()
  #drawn = 0

  constructor(path: string) {
    this.#file = createWriteStream(path, { flags: 'a' })
  }

  /** Unique within a run. */
  nextToken(account: string): string {
    this.#drawn += 1
    return `${account}~${this.#drawn}~`
  }

  acknowledge(write: LedgerWrite, revision: number | undefined): void {
    this.of(write.account).acknowledged.push({ ...write, revision })
    this.#append({ is: 'acknowledged', ...write, revision })
  }

  leaveOpen(write: LedgerWrite): void {
    this.of(write.account).unknown.push(write)
    this.#append({ is: 'unknown', ...write })
  }

  refuse(write: LedgerWrite, status: number): void {
    this.#append({ is: 'refused', ...write, status })
  }

  of(account: string): AccountEntries {
    const known = this.#accounts.get(account)
    if (known) return known
    const entries: AccountEntries = { acknowledged: [], unknown: [] }
    this.#accounts.set(account, entries)
    return entries
  }

  /** What it has so far, for `rewind`. */
  mark(): LedgerMark {
    return new Map(
      [...this.#accounts].map(([account, { acknowledged, unknown }]) => [
        account,
        { acknowledged: acknowledged.length, unknown: unknown.length },
      ]),
    )
  }

  /** Forgets what came after a mark, as a database that was restored to that time has to. */
  rewind(mark: LedgerMark): void {
    for (const [account, entries] of this.#accounts) {
      const { acknowledged, unknown } = mark.get(account) ?? { acknowledged: 0, unknown: 0 }
      entries.acknowledged.length = acknowledged
      entries.unknown.length = unknown
    }
    this.#append({ is: 'rewound' })
  }

  get acknowledgedWrites(): number {
    return [...this.#accounts.values()].reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#file.end(resolve)
    })
  }

  #append(entry: object): void {
    this.#file.write(`${JSON.stringify(entry)}\n`)
  }
}
