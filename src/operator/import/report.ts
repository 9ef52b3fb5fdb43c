import { type ImportKind, importKinds } from '../../contract/import-line.js'
import type { Fault } from '../../contract/refusals.js'

export type LineFault = Fault & { line: number }

export type Tally = { created: number; updated: number; unchanged: number }
export type ImportSummary = { lines: number; rejected: number; kinds: Record<ImportKind, Tally> }

/** What an import came to: faults by line, results by kind. */
export class ImportReport {
  readonly rejectedLines = new Set<number>()
  readonly #kinds = Object.fromEntries(
    importKinds.map((kind) => [kind, { created: 0, updated: 0, unchanged: 0 }]),
  ) as Record<ImportKind, Tally>
  readonly #onFault: (fault: LineFault) => void
  lines = 0

  constructor(onFault: (fault: LineFault) => void) {
    this.#onFault = onFault
  }

  reject(line: number, faults: Fault[]): void {
    this.rejectedLines.add(line)
    for (const fault of faults) this.#onFault({ line, ...fault })
  }

  count(kind: ImportKind, result: keyof Tally): void {
    this.#kinds[kind][result] += 1
  }

  summary(): ImportSummary {
    return { lines: this.lines, rejected: this.rejectedLines.size, kinds: this.#kinds }
  }
}
