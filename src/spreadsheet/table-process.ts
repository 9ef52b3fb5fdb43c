import { fairQueue } from '../jobs/fair-queue.js'
import { limitedProcess, ProcessLimitReached } from '../jobs/limited-process.js'
import { type TableSheet, usualRows } from './table-rows.js'

/** Reads tables in child processes with limits: their contents may take any time and memory to parse. */

export type TableJob = { content: Uint8Array; mostRows: number }
export type TablePart = (TableSheet & { isNew: boolean }) | { unreadable: string }

/** The sheets of a table, or why it cannot be read. */
export type ReadTable = { sheets: TableSheet[] } | { unreadable: string }

const megabytes = 256
// Of processor time. A table of 5,000 rows takes a tenth of that.
const milliseconds = 5000

// The built file, in tests too: a child process cannot load TypeScript.
const place = import.meta.url.endsWith('.ts') ? '../../dist/spreadsheet/table-jobs.js' : '../spreadsheet/table-jobs.js'
const run = limitedProcess<TableJob, TablePart>(new URL(place, import.meta.url), megabytes)

// Each waiting table holds its bytes in memory: 4 MiB at most.
const queue = fairQueue({ concurrency: 2, jobsPerOwner: 5, jobs: 40 }, 'Many tables are being read; try again.')

/** `owner`: whom the processes are shared fairly between. Refused while too many wait. */
export async function readTable(content: Buffer, owner: string, mostRows = usualRows): Promise<ReadTable> {
  const sheets: TableSheet[] = []
  let unreadable: string | undefined
  function onPart(part: TablePart): void {
    if ('unreadable' in part) unreadable = part.unreadable
    else if (part.isNew) sheets.push({ name: part.name, rows: part.rows })
    else sheets.at(-1)?.rows.push(...part.rows)
  }
  try {
    await queue.run(owner, () => run({ content, mostRows }, { milliseconds, onPart }))
  } catch (error) {
    if (!(error instanceof ProcessLimitReached)) throw error
    unreadable = 'takes too long, or too much memory, to be read'
  }
  return unreadable === undefined ? { sheets } : { unreadable }
}
