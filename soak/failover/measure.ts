import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, isResponse, type Outcome, openConnections, type Wanted } from '../exchange.js'
import type { Traffic } from '../traffic.js'

/** What clients saw of a fault. Times in milliseconds since its beginning. */
export type Measured = {
  fault: string
  server: string
  newLeader: number
  /** When the cluster itself commits again: the new leader needs a synchronous standby. */
  commitsAgain: number
  writesAgain: number
  readsAgain: number
  failedRequests: number
  /** Reads of `/v1` until the new leader committed, each of an account in turn: how many were sent, and how many of them served. */
  reads: ReadsMeanwhile
}

export type ReadsMeanwhile = { sent: number; served: number }

type Seen = { at: number; isWrite: boolean; isSuccess: boolean }

/** Records the outcome of every request since the beginning of a fault. */
export function watchTraffic(traffic: Traffic) {
  const startedAt = performance.now()
  const seen: Seen[] = []
  traffic.listener = ({ method, path }: Wanted, outcome: Outcome) => {
    if (path.startsWith('/health/')) return
    // Anything but a refusal for the time being: a 404 shows the state of the database, too.
    const isSuccess = isResponse(outcome) && outcome.status < 500
    seen.push({ at: performance.now() - startedAt, isWrite: method !== 'GET', isSuccess })
  }
  return {
    /** Whether writes have succeeded since a time. */
    hasWrittenSince: (at: number) => seen.some((each) => each.isWrite && each.isSuccess && each.at > at),
    elapsed: () => performance.now() - startedAt,
    end(given: Pick<Measured, 'fault' | 'server' | 'newLeader' | 'commitsAgain' | 'reads'>): Measured {
      traffic.listener = undefined
      return {
        ...given,
        writesAgain: endOfLongestGap(seen.filter(({ isWrite }) => isWrite)),
        readsAgain: endOfLongestGap(seen.filter(({ isWrite }) => !isWrite)),
        failedRequests: seen.filter(({ isSuccess }) => !isSuccess).length,
      }
    },
  }
}

/** Reads each account in turn, at each service in turn: clients that also write wait for their writes most of the time. */
export function readMeanwhile(addresses: string[], keys: string[]): () => Promise<ReadsMeanwhile> {
  const connections = openConnections({ keepAlive: true })
  const reads = { sent: 0, served: 0 }
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const address = addresses[reads.sent % addresses.length] as string
      const key = keys[Math.floor(reads.sent / addresses.length) % keys.length]
      const outcome = await exchange(address, { method: 'GET', path: '/v1/purchaseOrders?take=5', key }, connections)
      reads.sent += 1
      if (isResponse(outcome) && outcome.status < 500) reads.served += 1
      await sleep(50)
    }
  })()
  return async () => {
    isOver = true
    await reading
    connections.end()
    return reads
  }
}

/** When the longest time without a success was over: a switchover serves for a while before it interrupts. */
function endOfLongestGap(seen: Seen[]): number {
  let [last, longest, end] = [0, 0, 0]
  for (const { at, isSuccess } of seen) {
    if (!isSuccess) continue
    if (at - last > longest) [longest, end] = [at - last, at]
    last = at
  }
  return end
}

/** A table of all faults. */
export function tableOf(measured: Measured[]): string {
  const lines = measured.map(
    ({ fault, server, newLeader, commitsAgain, writesAgain, readsAgain, failedRequests, reads }, index) =>
      `| ${index + 1} | ${fault} | ${server} | ${seconds(newLeader)} | ${seconds(commitsAgain)} | ${seconds(writesAgain)} | ${seconds(readsAgain)} | ${failedRequests} | ${reads.served} of ${reads.sent} |`,
  )
  return [
    '| | Fault | Primary | New leader after | It commits after | Writes again after | Reads again after | Failed requests | Reads of `/v1` meanwhile |',
    '|--:|---|---|--:|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n')
}

/** Median and maximum of each kind of fault, for the report. */
export function summaryOf(measured: Measured[]): [string, string][] {
  const kinds = [...new Set(measured.map(({ fault }) => fault))]
  return kinds.flatMap((kind) => {
    const own = measured.filter(({ fault }) => fault === kind)
    const spread = (of: (each: Measured) => number) => {
      const sorted = own.map(of).toSorted((one, other) => one - other)
      return `${seconds(sorted[Math.floor(sorted.length / 2)] as number)}, at most ${seconds(sorted.at(-1) as number)}`
    }
    return [
      [`${kind}: times`, String(own.length)],
      [`${kind}: new leader after (median)`, spread(({ newLeader }) => newLeader)],
      [`${kind}: the new leader commits after (median)`, spread(({ commitsAgain }) => commitsAgain)],
      [`${kind}: writes again after (median)`, spread(({ writesAgain }) => writesAgain)],
      [
        `${kind}: from the first commit to writes (median)`,
        spread((each) => Math.max(0, each.writesAgain - each.commitsAgain)),
      ],
    ] satisfies [string, string][]
  })
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
