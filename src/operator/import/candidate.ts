import type { Fault } from '../../contract/refusals.js'
import { findStagedBefore, type StagedKind, type StagedVersion } from '../../storage/staged-records.js'
import { type AccountImport, rejectStaged } from './account-import.js'

type Source<Data> = { kind: StagedKind; read(record: string): Data }

/** Something as it will be: what the file says last, as long as that holds, or else what is stored. */
export class Candidate<Data> {
  readonly #source: Source<Data>
  readonly stored: Data | undefined
  /** The line that counts. */
  staged: StagedVersion | undefined
  data: Data | undefined

  constructor(source: Source<Data>, stored: Data | undefined, staged: StagedVersion | undefined) {
    this.#source = source
    this.stored = stored
    this.#become(staged)
  }

  /** Rejects the line that counts: now the one before it does. */
  async reject(work: AccountImport, fault: Fault): Promise<void> {
    if (!this.staged) return
    const { kind } = this.#source
    const { id, line, has_earlier } = this.staged
    rejectStaged(work, { kind, id, line }, fault)
    this.#become(has_earlier ? await findStagedBefore(work.tx.sql, work.slug, kind, this.staged) : undefined)
  }

  /** Rejects all that the file says of it. */
  async rejectEveryLine(work: AccountImport, fault: Fault): Promise<void> {
    while (this.staged) await this.reject(work, fault)
  }

  #become(staged: StagedVersion | undefined): void {
    this.staged = staged
    this.data = staged ? this.#source.read(staged.record) : this.stored
  }
}
