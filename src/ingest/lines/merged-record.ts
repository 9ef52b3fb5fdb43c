import type { Fault } from '../../contract/refusals.js'
import { findStagedBefore, type StagedKind, type StagedVersion } from '../../store/staging/staged-records.js'
import { type AccountImport, rejectStaged } from './account-import.js'

type Source<Data> = { kind: StagedKind; read(record: string): Data }

/** A record as it will be after the import: the last valid line of the file for it, or else the stored record. */
export class MergedRecord<Data> {
  readonly #source: Source<Data>
  readonly stored: Data | undefined
  /** The line in effect: the last one that was not rejected. */
  staged: StagedVersion | undefined
  data: Data | undefined

  constructor(source: Source<Data>, stored: Data | undefined, staged: StagedVersion | undefined) {
    this.#source = source
    this.stored = stored
    this.#become(staged)
  }

  /** Rejects the line in effect and falls back to the line before it. */
  async reject(work: AccountImport, fault: Fault): Promise<void> {
    if (!this.staged) return
    const { kind } = this.#source
    const { id, line, has_earlier } = this.staged
    rejectStaged(work, { kind, id, line }, fault)
    this.#become(has_earlier ? await findStagedBefore(work.tx.sql, work.slug, kind, this.staged) : undefined)
  }

  /** Rejects every line of the file for this record. */
  async rejectEveryLine(work: AccountImport, fault: Fault): Promise<void> {
    while (this.staged) await this.reject(work, fault)
  }

  #become(staged: StagedVersion | undefined): void {
    this.staged = staged
    this.data = staged ? this.#source.read(staged.record) : this.stored
  }
}
