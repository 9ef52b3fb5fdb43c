import { Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../../usecases/operator-context.js'
import { importLines } from './import.js'
import { readInLimitedProcess } from './read-batches.js'
import type { LineFault } from './report.js'

// A response lists this many faults at most: a file with more usually has one cause.
const mostFaults = 10_000
const mostErrors = 100
const mostWarnings = 1000

/** The operator interface's import: the lines of the request body, all of them or none. */
export const importHandler: OperatorHandler<'import'> = async (context, { query, lines, signal }) => {
  const { db, files, author, actor, operator, quotas } = context
  const faults: LineFault[] = []
  const warnings: LineFault[] = []
  let count = 0
  let warningCount = 0
  const checkOnly = query.check === 'true'
  const { kept, summary, moreFaults } = await importLines({ db, files, quotas }, lines, {
    // A request has no folder: documents come inside their lines.
    folder: undefined,
    checksFileTypes: true,
    readStream: readInLimitedProcess(author, mostFaults, signal),
    skipInvalid: query.skip_invalid === 'true',
    checkOnly,
    author,
    actor,
    accounts: operator.accounts,
    onFault(fault) {
      count += 1
      if (faults.length < mostFaults) faults.push(fault)
    },
    onWarning(warning) {
      warningCount += 1
      if (warnings.length < mostWarnings) warnings.push(warning)
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
  const more = count - faults.length + moreFaults
  const moreWarnings = warningCount - warnings.length
  return {
    kept,
    ...summary,
    faults,
    ...(more > 0 && { more_faults: more }),
    ...(warnings.length > 0 && { warnings }),
    ...(moreWarnings > 0 && { more_warnings: moreWarnings }),
  }
}
