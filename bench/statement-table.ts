import type { StatementTime } from './database-server.js'

/** One line for each statement: how often for each unit of work, microseconds of it, and the share of planning in them. */
export function statementTable(statements: StatementTime[], units: number): string {
  const lines = statements.map(({ query, calls, milliseconds, planning }) => {
    const count = (calls / units).toFixed(2).padStart(6)
    const time = ((milliseconds * 1000) / units).toFixed(0).padStart(6)
    const share = `${((planning / milliseconds) * 100).toFixed(0)}%`.padStart(4)
    return `${count} ${time} ${share} ${query.slice(0, 140)}`
  })
  return [' calls     µs plan statement', ...lines].join('\n')
}
