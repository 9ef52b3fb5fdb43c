import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AccountId } from '../../database/account-id.js'
import { fairQueue } from '../../jobs/fair-queue.js'
import { type Sheet, UnreadableTable } from './sheet.js'

/**
 * Opens uploaded workbooks in a worker thread, one at a time: a large one takes seconds, which would block the event loop,
 * and much memory. Time and memory are limited, and accounts take turns.
 */

export type WorkbookTask = { bytes: Uint8Array; largestContent: number }
export type WorkbookResponse = { sheets: Sheet[] } | { unreadable: string }

// Far above what a typical workbook takes, for busy machines.
const milliseconds = 60_000
const megabytes = 512

// The built file, in tests too: a thread cannot load TypeScript.
const place = import.meta.url.endsWith('.ts')
  ? '../../../dist/ingest/workbook-worker.js'
  : '../ingest/workbook-worker.js'

// Each waiting workbook holds its upload in memory: 10 MiB at most.
const queue = fairQueue({ concurrency: 1, jobsPerOwner: 5, jobs: 40 }, 'Many workbooks are being read; try again.')

export async function openWorkbook(account: AccountId, bytes: Buffer, largestContent: number): Promise<Sheet[]> {
  const answer = await queue.run(account, () => openInThread({ bytes, largestContent }))
  if ('unreadable' in answer) throw new UnreadableTable(answer.unreadable)
  return answer.sheets
}

async function openInThread(task: WorkbookTask): Promise<WorkbookResponse> {
  const worker = new Worker(new URL(place, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    execArgv: [],
  })
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(milliseconds) })) as [
      WorkbookResponse,
    ]
    return answer
  } catch (error) {
    throw isLimit(error) ? new UnreadableTable('takes too long, or too much memory, to be read; save it as CSV') : error
  } finally {
    // An error event without a listener would end the process.
    worker.on('error', () => {})
    await worker.terminate()
  }
}

function isLimit(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}
