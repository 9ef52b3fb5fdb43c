import { parentPort, workerData } from 'node:worker_threads'
import { UnreadableTable } from './sheet.js'
import type { WorkbookAnswer, WorkbookTask } from './workbook-thread.js'
import { openXlsx } from './xlsx.js'

/** The thread that opens one workbook, and ends. What fails here is told to whoever waits. */

const { bytes, largestContent } = workerData as WorkbookTask

async function open(): Promise<WorkbookAnswer> {
  try {
    return { sheets: await openXlsx(Buffer.from(bytes), largestContent) }
  } catch (error) {
    if (error instanceof UnreadableTable) return { unreadable: error.message }
    throw error
  }
}

parentPort?.postMessage(await open())
