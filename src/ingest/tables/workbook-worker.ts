import { parentPort, workerData } from 'node:worker_threads'
import { UnreadableTable } from './sheet.js'
import type { WorkbookResponse, WorkbookTask } from './workbook-thread.js'
import { openXlsx } from './xlsx.js'

/** The worker thread that opens one workbook, and ends. An error rejects the request that waits for it. */

const { bytes, largestContent } = workerData as WorkbookTask

async function open(): Promise<WorkbookResponse> {
  try {
    return { sheets: await openXlsx(Buffer.from(bytes), largestContent) }
  } catch (error) {
    if (error instanceof UnreadableTable) return { unreadable: error.message }
    throw error
  }
}

parentPort?.postMessage(await open())
