import type { ImportOutcome } from '../operator/import/import.js'
import type { ImportSummary } from '../operator/import/report.js'
import { table } from './table.js'

/** What an import came to, in words. `noun`: what it counts, such as lines. */
export function describeImport(
  { kept, summary, rejectedLines }: ImportOutcome,
  noun: string,
  rejected: string,
): string {
  const good = summary.lines - rejectedLines.size
  const head = kept
    ? `Imported ${good} of ${summary.lines} ${noun}.`
    : `Nothing was changed: ${good} of ${summary.lines} ${noun} are good.`
  const tail = kept && rejectedLines.size > 0 ? `\n${rejectedLines.size} bad ${noun} are in ${rejected}.` : ''
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
