import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../contract/refusals.js'
import type { InvoicePaper } from './invoice-pdf.js'

/**
 * Prints in a thread of its own, one paper at a time: laying out a long one takes seconds, in which this thread would
 * answer nobody. Neither time nor memory is without limit.
 */
export type PrintLimits = {
  /** From when a paper has its turn. */
  milliseconds: number
  megabytes: number
  /** Papers that wait or are being printed. */
  papers: number
}

// Much more than the longest paper takes; the machine may be busy.
const usualLimits: PrintLimits = { milliseconds: 60_000, megabytes: 512, papers: 20 }
// Starting takes longer than most papers do; a thread that nobody needs gives its memory back.
const restMilliseconds = 30_000

// Beside all the rest of the program, as it is built. Tests run the sources, which a thread cannot load by itself.
const place = import.meta.url.endsWith('.ts') ? '../../dist/paper/print-worker.js' : '../paper/print-worker.js'

export function startPrinter(limits: PrintLimits = usualLimits): (paper: InvoicePaper) => Promise<Buffer> {
  let papers = 0
  let turn: Promise<unknown> = Promise.resolve()
  let resting: { worker: Worker; timer: NodeJS.Timeout } | undefined

  function takeWorker(): Worker {
    if (!resting) return startWorker(limits)
    const { worker, timer } = resting
    clearTimeout(timer)
    resting = undefined
    worker.ref()
    return worker
  }

  // A process that has nothing else to do need not wait for it.
  function rest(worker: Worker): void {
    const timer = setTimeout(() => {
      resting = undefined
      void worker.terminate()
    }, restMilliseconds)
    timer.unref()
    worker.unref()
    resting = { worker, timer }
  }

  async function print(paper: InvoicePaper): Promise<Buffer> {
    const worker = takeWorker()
    try {
      const printed = once(worker, 'message', { signal: AbortSignal.timeout(limits.milliseconds) })
      worker.postMessage(paper)
      const [bytes] = (await printed) as [Uint8Array]
      rest(worker)
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (error) {
      await worker.terminate()
      throw isLimit(error) ? new Refusal('invoice_not_printable') : error
    }
  }

  return async (paper) => {
    if (papers >= limits.papers) throw new Refusal('service_unavailable', 'Many papers are being printed; try again.')
    papers += 1
    const printed = turn.then(() => print(paper))
    turn = printed.catch(() => {})
    try {
      return await printed
    } finally {
      papers -= 1
    }
  }
}

function startWorker({ megabytes }: PrintLimits): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: megabytes }
  const worker = new Worker(new URL(place, import.meta.url), { resourceLimits, execArgv: [] })
  // Whoever waits for it is told. Without anybody who listens, the whole process would end.
  worker.on('error', () => {})
  return worker
}

function isLimit(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}
