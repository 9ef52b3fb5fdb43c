import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWritesFile } from '../../storage/shared-writes.js'
import { Explained } from '../explanation.js'
import { Failure } from '../failure.js'
import type { Log } from '../log.js'
import type { KeptDatabase } from '../open-storage.js'
import { type Exchange, type Member, openExchange } from './exchange.js'
import type { ToMain } from './messages.js'

export type Crew = {
  /** Lets all workers serve from that database; answers the addresses as soon as every one listens. */
  serve(database: CommonDatabase): Promise<string[]>
  /** Settled when all have ended, as they do after a signal to stop. */
  ended(): Promise<void>
  /** Ends all of them at once. */
  dismiss(): void
}

type CommonDatabase = Omit<KeptDatabase, 'post'>

type CrewMember = Member & {
  /** From 0 on; whoever replaces it has the same. */
  post: number
  pid: number | undefined
  kill(): void
  /** From now on it gets no connections; it finishes what it has, and ends. */
  letGo(): void
  /** Rejects when it could not start. */
  listening: Promise<string[]>
  /** How it ended, and after how long. */
  ended: Promise<{ how: string; lifetime: number }>
}

type Workplace = {
  post: number
  exchange: Exchange
  database: Promise<CommonDatabase>
  letGo(member: CrewMember): void
  stop: AbortSignal
}

// A worker that has lived for less is replaced after a pause, which doubles until one lives longer.
const longEnough = 60_000
const shortestPause = 250
const longestPause = 30_000

/** Workers, as many as are wanted, for as long as nobody says stop: one that dies is replaced. */
export function startCrew(size: number, { stop, log }: { stop: AbortSignal; log: Log }): Crew {
  let ends = 0
  const exchange = openExchange((workers) => [
    figure('waybill_workers', 'Processes that serve.', 'gauge', workers),
    figure('waybill_worker_ends_total', 'Workers that have ended by themselves, and were replaced.', 'counter', ends),
  ])
  const members = new Set<CrewMember>()
  let tellDatabase: (database: CommonDatabase) => void = () => {}
  const database = new Promise<CommonDatabase>((resolve) => {
    tellDatabase = resolve
  })
  cluster.schedulingPolicy = cluster.SCHED_RR
  // Its place among them is `writesDescriptor`.
  const { descriptor } = openWritesFile(size)
  cluster.setupPrimary({ stdio: ['inherit', 'inherit', 'inherit', 'ipc', descriptor] })
  stop.addEventListener('abort', () => {
    for (const member of members) letGo(member)
  })
  const first = Array.from({ length: size }, (_, post) => hire(post))

  function hire(post: number): CrewMember {
    const member = startWorker({ post, exchange, database, letGo, stop })
    members.add(member)
    void member.ended.then(() => {
      members.delete(member)
      exchange.leave(member)
    })
    return member
  }

  function letGo(member: CrewMember): void {
    exchange.leave(member)
    member.letGo()
  }

  async function keepPostFilled(holder: CrewMember): Promise<void> {
    let member = holder
    let pause = 0
    for (;;) {
      const { how, lifetime } = await member.ended
      if (stop.aborted) return
      ends += 1
      pause = lifetime > longEnough ? 0 : Math.min(longestPause, Math.max(shortestPause, pause * 2))
      log('warn', `worker ${member.pid} has ended (${how}); another one starts in ${pause / 1000} s`)
      await sleep(pause, undefined, { signal: stop }).catch(() => {})
      if (stop.aborted) return
      member = hire(member.post)
      const { pid } = member
      member.listening.then(
        () => log('info', `worker ${pid} listens`),
        (error: Error) => log('warn', `worker ${pid}: ${error.message}`),
      )
    }
  }

  return {
    async serve({ address, crew }) {
      tellDatabase({ address, crew })
      const [announced = []] = await Promise.all(first.map(({ listening }) => listening))
      for (const member of first) void keepPostFilled(member)
      return announced
    },
    async ended() {
      await Promise.all([...members].map((member) => member.ended))
    },
    dismiss() {
      for (const member of members) member.kill()
    },
  }
}

// As workers send theirs: the form of the client library, which adds them up.
function figure(name: string, help: string, type: 'gauge' | 'counter', value: number): object {
  return { name, help, type, values: [{ value, labels: {} }], aggregator: 'sum' }
}

function startWorker({ post, exchange, database, letGo, stop }: Workplace): CrewMember {
  const began = performance.now()
  const worker = cluster.fork()
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    // There is no process to be had.
    worker.once('error', (error) => resolve(error.message))
  })
  const member: CrewMember = {
    post,
    pid: worker.process.pid,
    // One that has just died hears nothing, and is replaced.
    tell: (message) => worker.isConnected() && worker.send(message, () => {}),
    kill: () => void worker.process.kill('SIGKILL'),
    letGo() {
      // Once: several signals may ask for it, and Node takes a second parting for a fault.
      if (worker.exitedAfterDisconnect || !worker.isConnected()) return
      member.tell({ tells: 'stop' })
      worker.disconnect()
    },
    ended: ended.then((how) => ({ how, lifetime: performance.now() - began })),
    listening: new Promise((resolve, reject) => {
      worker.on('message', (message: ToMain) => {
        if (message.tells === 'hearing')
          void database.then((common) => member.tell({ tells: 'database', database: { ...common, post } }))
        else if (message.tells === 'failure') reject(new Explained(message.explanation))
        else if (message.tells === 'leaving') letGo(member)
        else exchange.hear(member, message)
        if (message.tells === 'listening') resolve(message.addresses)
      })
      void ended.then((how) =>
        reject(stop.aborted ? stop.reason : new Failure(`a worker has ended while it was starting (${how})`)),
      )
    }),
  }
  // Whoever waits for it is told; nobody may.
  member.listening.catch(() => {})
  return member
}
