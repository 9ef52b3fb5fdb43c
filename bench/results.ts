import type { Heat } from './workloads.js'

/** What a run tells, as it is kept in `docs/performance/results.json`; the report is made of nothing else. */
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
  countsWhat: 'statements' | 'transactions'
  measurements: Measurement[]
  skipped: Skipped[]
  growth?: Growth | undefined
}

export type Measurement = {
  contender: string
  workload: string
  heat: Heat
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
  /** Bytes: the most that it held. */
  memory: number
}

/**
 * What is under way at the end of a measurement is not counted, neither as an answer nor as a wait: with few answers on
 * each connection a slow server looks slower by rate, and faster by latency, than it is.
 */
export const enoughAnswers = 4

export type Skipped = { contender: string; workload?: string | undefined; why: string; isFailure: boolean }

export type Growth = {
  date: string
  commit: string
  connections: number
  measurements: GrowthMeasurement[]
  slowClient?: SlowClient | undefined
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
