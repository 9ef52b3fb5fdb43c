import { workerData } from 'node:worker_threads'
import { usedMilliseconds } from './processor-time.js'

/** The program of a thread that ends its process when the processor time in `workerData` is used up; 0 for no limit. */

// Milliseconds between two looks.
const interval = 200

function watch(limit: Int32Array): never {
  for (;;) {
    const current = Atomics.load(limit, 0)
    if (current === 0) Atomics.wait(limit, 0, 0)
    else if (Atomics.wait(limit, 0, current, interval) === 'timed-out' && usedMilliseconds() > current) {
      process.kill(process.pid, 'SIGKILL')
    }
  }
}

watch(workerData as Int32Array)
