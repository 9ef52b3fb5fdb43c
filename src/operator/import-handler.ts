import { Refusal } from '../contract/refusals.js'
import type { OperatorHandlers } from './handlers.js'
import { importLines } from './import/import.js'
import type { LineFault } from './import/report.js'

// More than anybody reads; a file with more faults has one cause, not as many.
const mostFaults = 10_000
const mostErrors = 100

export const importHandlers: OperatorHandlers<'import'> = {
  async import({ db, files, author }, { query, lines }) {
    const faults: LineFault[] = []
    let count = 0
    const checkOnly = query.check === 'true'
    const { kept, summary } = await importLines({ db, files }, lines, {
      // Documents come inside their lines: there is nothing beside a request.
      folder: undefined,
      skipInvalid: query.skip_invalid === 'true',
      checkOnly,
      author,
      onFault(fault) {
        count += 1
        if (faults.length < mostFaults) faults.push(fault)
      },
    })
    if (!kept && !checkOnly) {
      const errors = faults.slice(0, mostErrors)
      throw new Refusal('import_rejected', `${summary.rejected} of ${summary.lines} lines are bad: nothing was kept.`, {
        faults: errors.map(({ line, pointer, detail }) => ({ pointer: `/${line}${pointer}`, detail })),
      })
    }
    return { kept, ...summary, faults, ...(count > faults.length && { more_faults: count - faults.length }) }
  },
}
