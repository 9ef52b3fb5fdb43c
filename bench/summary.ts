import { groupedBy } from '../src/domain/records/grouping.js'
import type { GrowthMeasurement, Measurement, Results } from './results.js'
import { enoughResponses, saturatedGenerator } from './results.js'
import { median } from './sampling.js'
import type { CacheState } from './workloads.js'

/** Measurements of the same thing, combined over the rounds. */

export type Spread = { median: number; least: number; most: number }

export function spreadOf(numbers: number[]): Spread {
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
}

export type Row = {
  server: string
  workload: string
  cache: CacheState
  rate: Spread
  p50: number
  p99: number
  cpu: number
  databaseCpu: number
  queries: number
  memory: number
  /** Too few responses for a precise rate and latency. */
  isRough: boolean
  /** The load generator limited the rate. */
  isLimited: boolean
}

const order = ['floor', 'Waybill', 'Waybill, 2 processes', 'Kysely', 'Prisma']

export function rowsOf({ measurements }: Results): Row[] {
  const groups = groupedBy(measurements, ({ server, workload, cache }) => `${workload}\n${cache}\n${server}`)
  return [...groups.values()]
    .map(rowOf)
    .toSorted((one, other) => order.indexOf(one.server) - order.indexOf(other.server))
}

function rowOf(group: Measurement[]): Row {
  const { server, workload, cache } = group[0] as Measurement
  const middle = (pick: (measurement: Measurement) => number) => median(group.map(pick))
  return {
    server,
    workload,
    cache,
    rate: spreadOf(group.map(({ rate }) => rate)),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    cpu: middle(({ cpu }) => cpu),
    databaseCpu: middle(({ databaseCpu }) => databaseCpu),
    queries: middle(({ queries }) => queries),
    memory: Math.max(...group.map(({ memory }) => memory)),
    isRough: group.some(({ requests, connections }) => requests < enoughResponses * connections),
    isLimited: middle(({ generatorCores }) => generatorCores) > saturatedGenerator,
  }
}

export type GrowthRow = Pick<GrowthMeasurement, 'spread' | 'workload' | 'shipments'> & {
  p50: Spread
  cpu: Spread
  memory: number
}

export function growthRowsOf(measurements: GrowthMeasurement[]): GrowthRow[] {
  const groups = groupedBy(measurements, ({ spread, workload, shipments }) => `${spread}\n${workload}\n${shipments}`)
  return [...groups.values()].map((group) => {
    const { spread, workload, shipments } = group[0] as GrowthMeasurement
    return {
      spread,
      workload,
      shipments,
      p50: spreadOf(group.map(({ p50 }) => p50)),
      cpu: spreadOf(group.map(({ cpu }) => cpu)),
      memory: Math.max(...group.map(({ memory }) => memory)),
    }
  })
}

/** How many times more the largest costs than the smallest. */
export function growthFactors(rows: GrowthRow[]): { spread: string; workload: string; p50: number; cpu: number }[] {
  const groups = groupedBy(rows, ({ spread, workload }) => `${spread}\n${workload}`)
  return [...groups.values()].map((group) => {
    const sorted = group.toSorted((one, other) => one.shipments - other.shipments)
    const [first, last] = [sorted[0] as GrowthRow, sorted.at(-1) as GrowthRow]
    const { spread, workload } = first
    return { spread, workload, p50: last.p50.median / first.p50.median, cpu: last.cpu.median / first.cpu.median }
  })
}

export function grouped(number: number, digits = 0): string {
  if (!Number.isFinite(number)) return ''
  return number.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** With three significant digits. */
export function figure(number: number): string {
  const size = Math.abs(number)
  return grouped(number, size >= 100 || number === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

export function megabytes(bytes: number): string {
  return grouped(bytes / 1024 / 1024)
}
