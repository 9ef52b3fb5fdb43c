import { type ImportKind, importKinds } from '../../contract/import-line.js'
import type { Fault } from '../../contract/refusals.js'

/** A fault that was found elsewhere than in the line that is rejected for it. */
export type LocatedFault = Fault & { line?: number }

export type LineFault = Fault & { line: number }

export type Tally = { created: number; updated: number; unchanged: number }
export type ImportSummary = { lines: number; rejected: number; kinds: Record<ImportKind, Tally> }

/** Progress in bytes while reading and in records while storing. `total` is undefined where the length is unknown. */
export type ImportProgress = { phase: 'receiving' | 'reading' | 'storing'; done: number; total: number | undefined }

// How much of the time after reading goes to rendering: measured with 110,000 lines of one account.
const renderingShare = 0.4

export type ReportListeners = {
  onFault: (fault: LineFault) => void
  /** Called for what was normalised or looks wrong. */
  onWarning?: ((warning: LineFault) => void) | undefined
  /** Called as records are stored and rendered. */
  onProgress?: ((progress: ImportProgress) => void) | undefined
}

/** Collects the outcome of an import: faults by line, results by kind. */
export class ImportReport {
  readonly rejectedLines = new Set<number>()
  readonly #kinds = Object.fromEntries(
    importKinds.map((kind) => [kind, { created: 0, updated: 0, unchanged: 0 }]),
  ) as Record<ImportKind, Tally>
  readonly #onFault: (fault: LineFault) => void
  readonly #onProgress: ((progress: ImportProgress) => void) | undefined
  #done = 0
  lines = 0
  /** Warnings of lines that were not rejected. */
  readonly #onWarning: ((warning: LineFault) => void) | undefined
  /** Faults that were counted, but not reported. */
  moreFaults = 0

  constructor({ onFault, onWarning, onProgress }: ReportListeners) {
    this.#onFault = onFault
    this.#onWarning = onWarning
    this.#onProgress = onProgress
  }

  reject(line: number, faults: LocatedFault[], moreFaults = 0): void {
    this.rejectedLines.add(line)
    this.moreFaults += moreFaults
    for (const fault of faults) this.#onFault({ line, ...fault })
  }

  warn(line: number, warnings: LocatedFault[]): void {
    for (const warning of warnings) this.#onWarning?.({ line, ...warning })
  }

  count(kind: ImportKind, result: keyof Tally): void {
    this.#kinds[kind][result] += 1
    this.#advance(1 - renderingShare)
  }

  /** The bodies of so many stored records were rendered. */
  countRendered(records: number): void {
    this.#advance(records * renderingShare)
  }

  #advance(records: number): void {
    this.#done += records
    this.#onProgress?.({ phase: 'storing', done: this.#done, total: this.lines - this.rejectedLines.size })
  }

  /** How many records were stored or found unchanged. */
  get stored(): number {
    return Object.values(this.#kinds).reduce(
      (sum, { created, updated, unchanged }) => sum + created + updated + unchanged,
      0,
    )
  }

  summary(): ImportSummary {
    return { lines: this.lines, rejected: this.rejectedLines.size, kinds: this.#kinds }
  }
}
