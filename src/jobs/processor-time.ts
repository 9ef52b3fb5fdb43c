import { Worker } from 'node:worker_threads'

/**
 * Ends this process when a job has used too much processor time. Time on the clock would depend on what else the machine does.
 * A thread watches, since a job may block the event loop.
 */

// The built file, in tests too: a thread cannot load TypeScript.
const place = import.meta.url.endsWith('.ts') ? '../../dist/jobs/processor-watch.js' : '../jobs/processor-watch.js'

/** Returns a function that sets how much processor time (ms) may be used from now on; undefined for no limit. */
export function watchProcessorTime(): (milliseconds: number | undefined) => void {
  const limit = new Int32Array(new SharedArrayBuffer(4))
  new Worker(new URL(place, import.meta.url), { workerData: limit, execArgv: [] }).unref()
  return (milliseconds) => {
    Atomics.store(limit, 0, milliseconds === undefined ? 0 : usedMilliseconds() + milliseconds)
    Atomics.notify(limit, 0)
  }
}

/** Of all threads of the process. */
export function usedMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return Math.ceil((user + system) / 1000)
}
