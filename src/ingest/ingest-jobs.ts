import { serveJobs } from '../jobs/process-jobs.js'
import type { IngestPart, IngestTask } from './ingest-tasks.js'

/** The program of an ingest process. Tables are loaded when they are needed: lines are read sooner without them. */
serveJobs(async (given, send: (part: IngestPart) => void) => {
  const task = given as IngestTask
  if (task.name === 'lines') {
    const { sendLineBatch } = await import('./lines/line-batch.js')
    return sendLineBatch(task.input, send)
  }
  const { sendOrderSheet } = await import('./tables/order-sheet-job.js')
  return sendOrderSheet(task.input, send)
})
