import { parseArgs } from 'node:util'

export type ImportOptions = {
  sizes: number[]
  /** How many lines of other accounts the full database has. */
  full: number
  /** Seconds after which an import is stopped. */
  limit: number
  /** How often an import of fewer than 50,000 lines is repeated: short ones vary more. */
  rounds: number
  /** Undefined where none is named: all that are found. */
  databases: string[] | undefined
}

export const usage = `npm run bench:import -- [options]
  --sizes N,...      lines of the imports, ascending; default: 10000,100000
  --full N           lines of other accounts in the full database; default: 100000
  --limit SECONDS    after which an import is stopped and reported as such; default: 300
  --rounds N         imports of fewer than 50,000 lines, of which the median counts; default: 3
  --database NAME,.. bundled: the PostgreSQL that comes with Waybill; 15: the one in /usr/lib/postgresql/15;
                     default: bundled, and the oldest supported one that is installed

A small account has about 1,000 lines: a million lines are a thousand of them. The target: the rate of the largest size
is at least 80% of that of the smallest. The exit code is 1 when something could not be measured.`

export function readImportOptions(args: string[]): ImportOptions {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,100000' },
      full: { type: 'string', default: '100000' },
      limit: { type: 'string', default: '300' },
      rounds: { type: 'string', default: '3' },
      database: { type: 'string' },
    },
  })
  return {
    sizes: values.sizes
      .split(',')
      .map((text) => count('--sizes', text))
      .toSorted((one, other) => one - other),
    full: count('--full', values.full),
    limit: count('--limit', values.limit),
    rounds: count('--rounds', values.rounds),
    databases: values.database?.split(','),
  }
}

function count(flag: string, text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new Error(`${flag} ${text}: write a whole number above 0`)
}
