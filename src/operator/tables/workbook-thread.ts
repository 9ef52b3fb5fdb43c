import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../contract/refusals.js'
import { type Sheet, UnreadableTable } from './sheet.js'

/**
 * Opens workbooks of people in a thread, one at a time: a large one takes seconds, in which this thread would answer
 * nobody, and may take much memory. Neither is without limit.
 */

export type WorkbookTask = { bytes: Uint8Array; largestContent: number }
export type WorkbookAnswer = { sheets: Sheet[] } | { unreadable: string }

// Much more than a workbook of the usual size takes; the machine may be busy.
const milliseconds = 60_000
const megabytes = 512
const mostWaiting = 20

// Beside all the rest of the program, as it is built. Tests run the sources, which a thread cannot load by itself.
const place = import.meta.url.endsWith('.ts')
  ? '../../../dist/operator/workbook-worker.js'
  : '../operator/workbook-worker.js'

let waiting = 0
let turn: Promise<unknown> = Promise.resolve()

export async function openWorkbook(bytes: Buffer, largestContent: number): Promise<Sheet[]> {
  if (waiting >= mostWaiting) throw new Refusal('service_unavailable', 'Many workbooks are being read; try again.')
  waiting += 1
  const opened = turn.then(() => openInThread({ bytes, largestContent }))
  turn = opened.catch(() => {})
  try {
    const answer = await opened
    if ('unreadable' in answer) throw new UnreadableTable(answer.unreadable)
    return answer.sheets
  } finally {
    waiting -= 1
  }
}

async function openInThread(task: WorkbookTask): Promise<WorkbookAnswer> {
  const worker = new Worker(new URL(place, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    execArgv: [],
  })
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(milliseconds) })) as [WorkbookAnswer]
    return answer
  } catch (error) {
    throw isLimit(error) ? new UnreadableTable('takes too long, or too much memory, to be read; save it as CSV') : error
  } finally {
    // Without anybody who listens, an error would end the whole process.
    worker.on('error', () => {})
    await worker.terminate()
  }
}

function isLimit(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}
