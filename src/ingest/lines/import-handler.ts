import { Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../../usecases/operator-context.js'
import { importLines } from './import.js'
import type { LineFault } from './report.js'

// A response lists this many faults at most: a file with more usually has one cause.
const mostFaults = 10_000
const mostErrors = 100

/** The operator interface's import: the lines of the request body, all of them or none. */
export const importHandler: OperatorHandler<'import'> = async (
  { db, files, author, actor, quotas },
  { query, lines },
) => {
  const faults: LineFault[] = []
  let count = 0
  const checkOnly = query.check === 'true'
  const { kept, summary } = await importLines({ db, files, quotas }, lines, {
    // A request has no folder: documents come inside their lines.
    folder: undefined,
    checksFileTypes: true,
    skipInvalid: query.skip_invalid === 'true',
    checkOnly,
    author,
    actor,
    onFault(fault) {
      count += 1
      if (faults.length < mostFaults) faults.push(fault)
    },
  })
  if (!kept && !checkOnly) {
    const errors = faults.slice(0, mostErrors)
    throw new Refusal(
      'import_rejected',
      `${summary.rejected} of ${summary.lines} lines are invalid: nothing was imported.`,
      {
        faults: errors.map(({ line, pointer, detail }) => ({ pointer: `/${line}${pointer}`, detail })),
      },
    )
  }
  return { kept, ...summary, faults, ...(count > faults.length && { more_faults: count - faults.length }) }
}
