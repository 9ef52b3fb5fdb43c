import type { TrackingDate, TrackingDateStatus } from '../contract/shared-types.js'
import type { MainTrackingDates } from '../contract/shipment.js'
import type { StepType, TrackingEvent, TrackingRecord } from '../contract/tracking.js'
import { bearingOn, milestones } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'

/** A date that was said, and its place among all that was: of two the later one is the last word. */
type Word = { date: string; place: number }
type Dates = Partial<Record<TrackingDateStatus, Word>>

/** The last words on a container, or on no particular one. */
type Words = { isTold: boolean; told: Dates; beside: Dates }
const silence: Words = { isTold: false, told: {}, beside: {} }

/** The dates that a shipment with these containers shows, as far as its tracking tells them. */
export function mainTrackingDates(tracking: TrackingRecord, ofShipment: string[]): MainTrackingDates {
  const containers = trackedContainers(tracking, ofShipment)
  const dates: MainTrackingDates = {}
  for (const { milestone, step } of milestones) {
    const steps = (tracking.tracking_steps ?? []).filter(({ type }) => type === step)
    const words = wordsOn(
      step,
      steps.flatMap(({ events = [] }) => events),
    )
    // What is said of no container is said of all.
    const known = containers.map((container) => datesOf(words.get(container), words.get(undefined)))
    const date = milestoneDate(known)
    if (date) dates[milestone] = date
  }
  return dates
}

function wordsOn(step: StepType, events: TrackingEvent[]): Map<string | undefined, Words> {
  const words = new Map<string | undefined, Words>()
  for (const [place, event] of events.entries()) {
    const bearing = bearingOn(step, event)
    if (!bearing) continue
    const { container_number, date, status } = event
    const said = words.get(container_number) ?? { isTold: false, told: {}, beside: {} }
    words.set(container_number, said)
    if (bearing === 'told') said.isTold = true
    if (date && status) said[bearing][status] = { date, place }
  }
  return words
}

// What only goes with a milestone counts for a container of which nothing tells it.
function datesOf(own: Words = silence, ofAll: Words = silence): Dates {
  const bearing = own.isTold || ofAll.isTold ? 'told' : 'beside'
  const dates: Dates = { ...ofAll[bearing] }
  for (const [status, word] of Object.entries(own[bearing]) as [TrackingDateStatus, Word][]) {
    if (word.place > (dates[status]?.place ?? -1)) dates[status] = word
  }
  return dates
}

/**
 * Decision: actual beats estimated beats planned; a missed or held milestone shows its problem. It is actual when it is
 * for the last container. Until then those count that are still to come; where nothing is said of them, what was
 * expected of the others stands.
 */
function milestoneDate(known: Dates[]): TrackingDate | undefined {
  const toCome = known.filter(({ actual }) => !actual)
  if (toCome.length === 0) return latest(known, ['actual'])
  return latest(toCome, ['problem', 'estimated', 'planned']) ?? latest(known, ['estimated', 'planned'])
}

function latest(known: Dates[], statuses: TrackingDateStatus[]): TrackingDate | undefined {
  for (const status of statuses) {
    const dates = known.flatMap((each) => each[status]?.date ?? [])
    const date = dates.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
    if (date) return { date, status }
  }
  return undefined
}
