import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReportedError } from '../error-report.js'
import { Failure } from '../failure.js'
import type { Log } from '../log.js'
import type { SharedDatabase } from '../open-storage.js'
import type { ToMain } from './ipc-messages.js'
import { type BrokerClient, type MessageBroker, messageBroker } from './message-broker.js'

export type WorkerPool = {
  /** Gives the database to the workers, and returns the addresses once all of them listen. */
  serve(database: SharedDatabase): Promise<string[]>
  /** Resolves when all workers have exited after a stop signal. */
  ended(): Promise<void>
  killAll(): void
}

type PoolWorker = BrokerClient & {
  pid: number | undefined
  kill(): void
  /** Stops new connections to the worker; it finishes its requests and exits. */
  retire(): void
  /** Rejects if the worker could not start. */
  listening: Promise<string[]>
  ended: Promise<{ reason: string; lifetime: number }>
}

type WorkerOptions = {
  broker: MessageBroker
  database: Promise<SharedDatabase>
  retire(worker: PoolWorker): void
  stop: AbortSignal
}

// A worker that exits sooner than `stableAfter` is replaced after a pause, which doubles until one lives longer.
const stableAfter = 60_000
const minPause = 250
const maxPause = 30_000

/** Starts workers, and replaces those that exit until the stop signal. */
export function startWorkerPool(size: number, { stop, log }: { stop: AbortSignal; log: Log }): WorkerPool {
  let ends = 0
  const broker = messageBroker((count) => [
    metric('waybill_workers', 'Worker processes.', 'gauge', count),
    metric('waybill_worker_ends_total', 'Workers that exited and were replaced.', 'counter', ends),
  ])
  const workers = new Set<PoolWorker>()
  let provideDatabase: (database: SharedDatabase) => void = () => {}
  const database = new Promise<SharedDatabase>((resolve) => {
    provideDatabase = resolve
  })
  cluster.schedulingPolicy = cluster.SCHED_RR
  stop.addEventListener('abort', () => {
    for (const worker of workers) retire(worker)
  })
  const initial = Array.from({ length: size }, () => addWorker())

  function addWorker(): PoolWorker {
    const worker = startWorker({ broker, database, retire, stop })
    workers.add(worker)
    void worker.ended.then(() => {
      workers.delete(worker)
      broker.remove(worker)
    })
    return worker
  }

  function retire(worker: PoolWorker): void {
    broker.remove(worker)
    worker.retire()
  }

  async function keepSlotFilled(first: PoolWorker): Promise<void> {
    let worker = first
    let pause = 0
    for (;;) {
      const { reason, lifetime } = await worker.ended
      if (stop.aborted) return
      ends += 1
      pause = lifetime > stableAfter ? 0 : Math.min(maxPause, Math.max(minPause, pause * 2))
      log('warn', `worker ${worker.pid} exited (${reason}); starting another one in ${pause / 1000} s`)
      await sleep(pause, undefined, { signal: stop }).catch(() => {})
      if (stop.aborted) return
      worker = addWorker()
      const { pid } = worker
      worker.listening.then(
        () => log('info', `worker ${pid} is listening`),
        (error: Error) => log('warn', `worker ${pid}: ${error.message}`),
      )
    }
  }

  return {
    async serve({ address }) {
      provideDatabase({ address })
      const [announced = []] = await Promise.all(initial.map(({ listening }) => listening))
      for (const worker of initial) void keepSlotFilled(worker)
      return announced
    },
    async ended() {
      await Promise.all([...workers].map((worker) => worker.ended))
    },
    killAll() {
      for (const worker of workers) worker.kill()
    },
  }
}

// The JSON format of prom-client, in which workers send their metrics.
function metric(name: string, help: string, type: 'gauge' | 'counter', value: number): object {
  return { name, help, type, values: [{ value, labels: {} }], aggregator: 'sum' }
}

function startWorker({ broker, database, retire, stop }: WorkerOptions): PoolWorker {
  const startedAt = performance.now()
  const forked = cluster.fork()
  const ended = new Promise<string>((resolve) => {
    forked.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    // The process could not be created.
    forked.once('error', (error) => resolve(error.message))
  })
  const worker: PoolWorker = {
    pid: forked.process.pid,
    // Sending to a worker that has just died fails; it will be replaced.
    send: (message) => forked.isConnected() && forked.send(message, () => {}),
    kill: () => void forked.process.kill('SIGKILL'),
    retire() {
      // Node throws on a second disconnect, and several signals may arrive.
      if (forked.exitedAfterDisconnect || !forked.isConnected()) return
      worker.send({ type: 'stop' })
      forked.disconnect()
    },
    ended: ended.then((reason) => ({ reason, lifetime: performance.now() - startedAt })),
    listening: new Promise((resolve, reject) => {
      forked.on('message', (message: ToMain) => {
        if (message.type === 'ready')
          void database.then((opened) => worker.send({ type: 'database', database: opened }))
        else if (message.type === 'failure') reject(new ReportedError(message.report))
        else if (message.type === 'stopping') retire(worker)
        else broker.receive(worker, message)
        if (message.type === 'listening') resolve(message.addresses)
      })
      void ended.then((reason) =>
        reject(stop.aborted ? stop.reason : new Failure(`a worker exited during its start (${reason})`)),
      )
    }),
  }
  // Prevents an unhandled rejection if no one awaits it.
  worker.listening.catch(() => {})
  return worker
}
