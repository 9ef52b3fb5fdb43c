import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type ThreadLimits = {
  /** For one task. */
  milliseconds: number
  megabytes: number
}

/** The thread was ended because a task took too long or too much memory. */
export class ThreadLimitReached extends Error {}

// Starting a thread takes longer than most tasks, so it is kept for a while before its memory is freed.
const idleMilliseconds = 30_000

/**
 * Runs tasks in a worker thread, which responds to each message with one message. One task at a time: callers queue them. A
 * task that fails ends the thread, and the next one starts another.
 */
export function workerThread<Result>(file: URL, limits: ThreadLimits): (task: object) => Promise<Result> {
  let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined

  function takeWorker(): Worker {
    if (!idle) return startWorker(file, limits)
    const { worker, timer } = idle
    clearTimeout(timer)
    idle = undefined
    worker.ref()
    return worker
  }

  // An idle thread does not keep the process alive.
  function keepIdle(worker: Worker): void {
    const timer = setTimeout(() => {
      idle = undefined
      void worker.terminate()
    }, idleMilliseconds)
    timer.unref()
    worker.unref()
    idle = { worker, timer }
  }

  return async (task) => {
    const worker = takeWorker()
    try {
      const done = once(worker, 'message', { signal: AbortSignal.timeout(limits.milliseconds) })
      worker.postMessage(task)
      const [result] = (await done) as [Result]
      keepIdle(worker)
      return result
    } catch (error) {
      await worker.terminate()
      throw isLimit(error) ? new ThreadLimitReached() : error
    }
  }
}

function startWorker(file: URL, { megabytes }: ThreadLimits): Worker {
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: megabytes }, execArgv: [] })
  // `once` handles errors of a task; without this listener an error while idle would end the process.
  worker.on('error', () => {})
  return worker
}

function isLimit(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}
