import { groupedBy } from '../src/domain/grouping.js'
import { median } from './draws.js'
import type { GrowthMeasurement, Measurement, Results } from './results.js'
import { enoughAnswers } from './results.js'
import type { Heat } from './workloads.js'

/** Measurements of the same thing, put together over the rounds. */

export type Spread = { median: number; least: number; most: number }

export function spreadOf(numbers: number[]): Spread {
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
}

export type Row = {
  contender: string
  workload: string
  heat: Heat
  rate: Spread
  p50: number
  p99: number
  cpu: number
  databaseCpu: number
  queries: number
  memory: number
  /** Too few answers came to tell its rate and its latency well. */
  isRough: boolean
}

// The floor first, then Waybill, then the others by their names in the order of the run.
const firstNames = [
  'floor',
  'bare INSERTs',
  'Waybill',
  'Waybill, 2 processes',
  'Kysely',
  'Prisma',
  'Directus',
  'json-server',
]

export function rowsOf({ measurements }: Results): Row[] {
  const groups = groupedBy(measurements, ({ contender, workload, heat }) => `${workload}\n${heat}\n${contender}`)
  return [...groups.values()].map(rowOf).toSorted((one, other) => placeOf(one) - placeOf(other))
}

function rowOf(group: Measurement[]): Row {
  const { contender, workload, heat } = group[0] as Measurement
  const middle = (pick: (measurement: Measurement) => number | null) =>
    median(group.map((each) => pick(each) ?? Number.NaN))
  return {
    contender,
    workload,
    heat,
    rate: spreadOf(group.map(({ rate }) => rate)),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    cpu: middle(({ cpu }) => cpu),
    databaseCpu: middle(({ databaseCpu }) => databaseCpu),
    queries: middle(({ queries }) => queries),
    memory: Math.max(...group.map(({ memory }) => memory ?? Number.NaN)),
    isRough: group.some(({ requests, connections }) => requests < enoughAnswers * connections),
  }
}

function placeOf({ contender }: Row): number {
  const place = firstNames.indexOf(contender)
  return place < 0 ? firstNames.length : place
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

/** With as many digits as say something. */
export function figure(number: number): string {
  const size = Math.abs(number)
  return grouped(number, size >= 100 || number === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

export function megabytes(bytes: number): string {
  return grouped(bytes / 1024 / 1024)
}
