import type { Journey } from '../../../../src/contract/portal/journey.js'
import type { TrackingDateStatus } from '../../../../src/contract/public/shared-types.js'
import { daysBetween } from './headline.js'

/** The history of the arrival date: each change, and its distance from the first plan. */

export type ArrivalDate = {
  /** Unknown for a plan from before the first record. */
  recordedAt: string | undefined
  date: string
  status: TrackingDateStatus
  /** Days after the first plan; negative if before. */
  days: number
}

type Changes = Journey['arrival_history']

/**
 * `firstPlanned` and `estimate` come from the tracking. The date of a problem is when it began, so the current estimate is
 * used instead.
 */
export function arrivalDates(history: Changes, firstPlanned: string | undefined, estimate?: string): ArrivalDate[] {
  const changes = history.flatMap((change, index): Changes => {
    if (change.status !== 'problem') return [change]
    const isLast = index === history.length - 1
    return isLast && estimate !== undefined ? [{ ...change, date: estimate, status: 'estimated' }] : []
  })
  const first = firstPlanned ?? changes[0]?.date
  if (first === undefined) return []
  const dates: ArrivalDate[] = [
    { recordedAt: firstRecordedAt(changes, first), date: first, status: 'planned', days: 0 },
  ]
  for (const { recorded_at, date, status } of changes) {
    const last = dates.at(-1)
    if (last?.date === date && (last.status === status || dates.length === 1)) {
      dates[dates.length - 1] = { ...last, status }
      continue
    }
    dates.push({ recordedAt: recorded_at, date, status, days: daysBetween(first, date) })
  }
  return dates
}

// Recorded together with a later date: the actual time is unknown.
function firstRecordedAt([one, next]: Changes, first: string): string | undefined {
  return one && one.date === first && next?.recorded_at !== one.recorded_at ? one.recorded_at : undefined
}

export type StepChart = {
  path: string
  baseline: number
  marks: { x: number; y: number; entry: ArrivalDate }[]
}

type Frame = { width: number; height: number; margin: number }

/** A step chart. Undefined if the date never changed. */
export function stepChart(
  dates: ArrivalDate[],
  until: string,
  { width, height, margin }: Frame,
): StepChart | undefined {
  if (new Set(dates.map(({ days }) => days)).size < 2) return undefined
  const instants = instantsOf(dates, Date.parse(until))
  const [begin = 0] = instants
  const end = Math.max(Date.parse(until), instants.at(-1) ?? begin) || begin + 1
  const span = Math.max(1, end - begin)
  const days = dates.map((entry) => entry.days)
  const [low, high] = [Math.min(0, ...days), Math.max(0, ...days)]
  const x = (instant: number) => margin + ((instant - begin) / span) * (width - 2 * margin)
  // Later dates are higher.
  const y = (day: number) => margin + ((high - day) / Math.max(1, high - low)) * (height - 2 * margin)
  const marks = dates.map((entry, index) => ({ x: x(instants[index] ?? begin), y: y(entry.days), entry }))
  const parts = marks.map((mark, index) =>
    index === 0 ? `M${at(mark.x, mark.y)}` : `H${round(mark.x)}V${round(mark.y)}`,
  )
  return { path: `${parts.join('')}H${round(x(end))}`, baseline: y(0), marks }
}

// The first plan is drawn before all records, at a quarter of their span.
function instantsOf(dates: ArrivalDate[], until: number): number[] {
  const changes = dates.flatMap(({ recordedAt }) => (recordedAt === undefined ? [] : [Date.parse(recordedAt)]))
  const [begin = until] = changes
  const before = Math.max((until - begin) / 4, 24 * 60 * 60 * 1000)
  return dates.map(({ recordedAt }) => (recordedAt === undefined ? begin - before : Date.parse(recordedAt)))
}

function at(x: number, y: number): string {
  return `${round(x)} ${round(y)}`
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
