import type { ImportOutcome } from '../ingest/lines/import.js'
import type { ImportSummary } from '../ingest/lines/report.js'
import { table } from './table.js'

/** Describes the result of an import. `noun`: the unit, such as lines. */
export function describeImport(
  { kept, summary, rejectedLines }: ImportOutcome,
  noun: string,
  rejected: string,
): string {
  const valid = summary.lines - rejectedLines.size
  const head = kept
    ? `Imported ${valid} of ${summary.lines} ${noun}.`
    : `Nothing was changed: ${valid} of ${summary.lines} ${noun} are valid.`
  const tail = kept && rejectedLines.size > 0 ? `\n${rejectedLines.size} invalid ${noun} are in ${rejected}.` : ''
  return `${head}\n${kept ? tableOf(summary) : ''}${tail}`.trimEnd()
}

function tableOf({ kinds }: ImportSummary): string {
  return table(
    Object.entries(kinds).map(([kind, tally]) => ({
      kind,
      created: String(tally.created),
      updated: String(tally.updated),
      unchanged: String(tally.unchanged),
    })),
  )
}
