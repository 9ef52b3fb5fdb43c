import type { Journey } from '../../../contract/portal/journey.js'
import type { TrackingDateStatus } from '../../../contract/shared-types.js'
import { daysBetween } from './headline.js'

/** How the date of arrival moved: each word on it that differed from the one before, and how far it then was from the first. */

export type ArrivalWord = {
  /** When it was said; unknown for what was planned before anybody kept record. */
  saidAt: string | undefined
  date: string
  status: TrackingDateStatus
  /** Days behind the first plan; below zero: before it. */
  days: number
}

type Moves = Journey['arrival_history']

/**
 * `firstPlanned` and `estimate` are what the tracking says. The date of a problem is when it began: it tells nothing of the
 * arrival, and what is estimated while it lasts stands for it.
 */
export function arrivalWords(history: Moves, firstPlanned: string | undefined, estimate?: string): ArrivalWord[] {
  const told = history.flatMap((move, index): Moves => {
    if (move.status !== 'problem') return [move]
    const isLast = index === history.length - 1
    return isLast && estimate !== undefined ? [{ ...move, date: estimate, status: 'estimated' }] : []
  })
  const first = firstPlanned ?? told[0]?.date
  if (first === undefined) return []
  const words: ArrivalWord[] = [{ saidAt: saidFirst(told, first), date: first, status: 'planned', days: 0 }]
  for (const { recorded_at, date, status } of told) {
    const last = words.at(-1)
    if (last?.date === date && (last.status === status || words.length === 1)) {
      words[words.length - 1] = { ...last, status }
      continue
    }
    words.push({ saidAt: recorded_at, date, status, days: daysBetween(first, date) })
  }
  return words
}

// What came together with a later word was said before it, nobody knows when.
function saidFirst([one, next]: Moves, first: string): string | undefined {
  return one && one.date === first && next?.recorded_at !== one.recorded_at ? one.recorded_at : undefined
}

export type StepChart = {
  /** The path of the date, from left to right. */
  path: string
  baseline: number
  marks: { x: number; y: number; word: ArrivalWord }[]
}

type Frame = { width: number; height: number; margin: number }

/** Steps: a date holds from when it was said until another is. Undefined where it never moved. */
export function stepChart(
  words: ArrivalWord[],
  until: string,
  { width, height, margin }: Frame,
): StepChart | undefined {
  if (new Set(words.map(({ days }) => days)).size < 2) return undefined
  const instants = instantsOf(words, Date.parse(until))
  const [begin = 0] = instants
  const end = Math.max(Date.parse(until), instants.at(-1) ?? begin) || begin + 1
  const span = Math.max(1, end - begin)
  const days = words.map((word) => word.days)
  const [low, high] = [Math.min(0, ...days), Math.max(0, ...days)]
  const x = (instant: number) => margin + ((instant - begin) / span) * (width - 2 * margin)
  // Later is higher.
  const y = (day: number) => margin + ((high - day) / Math.max(1, high - low)) * (height - 2 * margin)
  const marks = words.map((word, index) => ({ x: x(instants[index] ?? begin), y: y(word.days), word }))
  const parts = marks.map((mark, index) =>
    index === 0 ? `M${at(mark.x, mark.y)}` : `H${round(mark.x)}V${round(mark.y)}`,
  )
  return { path: `${parts.join('')}H${round(x(end))}`, baseline: y(0), marks }
}

// What was planned first was said before everything else, by about as long as the rest took.
function instantsOf(words: ArrivalWord[], until: number): number[] {
  const told = words.flatMap(({ saidAt }) => (saidAt === undefined ? [] : [Date.parse(saidAt)]))
  const [begin = until] = told
  const before = Math.max((until - begin) / 4, 24 * 60 * 60 * 1000)
  return words.map(({ saidAt }) => (saidAt === undefined ? begin - before : Date.parse(saidAt)))
}

function at(x: number, y: number): string {
  return `${round(x)} ${round(y)}`
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
