import { serveJobs } from '../jobs/process-jobs.js'
import { UnreadableTable } from './sheet.js'
import type { TableJob, TablePart } from './table-process.js'
import { readTableRows } from './table-rows.js'

const rowsAtOnce = 200

/** The program of a process that reads tables. */
serveJobs(async (given, send: (part: TablePart) => void) => {
  try {
    const { content, mostRows } = given as TableJob
    for (const { name, rows } of await readTableRows(Buffer.from(content), mostRows)) {
      send({ name, rows: rows.slice(0, rowsAtOnce), isNew: true })
      for (let start = rowsAtOnce; start < rows.length; start += rowsAtOnce)
        send({ name, rows: rows.slice(start, start + rowsAtOnce), isNew: false })
    }
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    send({ unreadable: error.message })
  }
})
