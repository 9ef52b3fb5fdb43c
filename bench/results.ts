import type { CacheState } from './workloads.js'

/** What one run of the benchmark measured. */
export type Results = {
  date: string
  commit: string
  isQuick: boolean
  machine: { processor: string; cores: number; memory: number; system: string; node: string; postgres: string }
  generator: string
  connections: number
  rounds: number
  seconds: number
  data: { accounts: number; shipments: number; large: number; largeOrders: number; bytesOfShipment: number }
  /** The selected workloads. */
  servers: string[]
  workloads: string[]
  measurements: Measurement[]
  skipped: Skipped[]
}

export type Measurement = {
  server: string
  workload: string
  cache: CacheState
  connections: number
  round: number
  requests: number
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Seconds for 1,000 requests. */
  cpu: number
  databaseCpu: number
  /** For 1,000 requests. */
  queries: number
  /** Peak, in bytes. */
  memory: number
  /** Cores that the load generator used. */
  generatorCores: number
}

/**
 * Requests in flight when a measurement ends are not counted. With few responses on each connection a slow server
 * seems slower by rate, and faster by latency, than it is.
 */
export const enoughResponses = 4

/** From here on the load generator, which has one thread, limits the rate and not the server. */
export const saturatedGenerator = 0.9

export type Skipped = { server: string; workload?: string | undefined; why: string; isFailure: boolean }

export type Growth = {
  date: string
  commit: string
  generator: string
  connections: number
  measurements: GrowthMeasurement[]
  slowClient: SlowClient
}

export type GrowthMeasurement = {
  spread: 'many accounts' | 'one account'
  shipments: number
  workload: string
  round: number
  p50: number
  p99: number
  /** Of server and database, seconds for 1,000 requests. */
  cpu: number
  memory: number
}

export type SlowClient = { orders: number; bytes: number; seconds: number; before: number; peak: number }
