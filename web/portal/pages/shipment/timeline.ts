import type { Journey } from '../../../../src/contract/portal/journey.js'
import type { StepType, Tracking, TrackingEvent } from '../../../../src/contract/public/tracking.js'
import { namedContainers } from '../../../../src/domain/tracking/tracking-containers.js'
import { progressAlong } from '../../../../src/domain/tracking/tracking-status.js'
import { placeName } from './headline.js'

/** Tracking by place, with one line per kind of event. */

type Step = NonNullable<Tracking['tracking_steps']>[number]

export type TimelineLine = {
  what: string
  planned?: string
  estimated?: string
  actual?: string
  problem?: string
  /** How many containers it has happened to, if it is reported per container. */
  reached?: { count: number; of: number }
}

export type TimelineStep = {
  type: StepType | undefined
  place: string | undefined
  country: string | undefined
  code: string | undefined
  zone: string | undefined
  state: 'done' | 'current' | 'ahead'
  lines: TimelineLine[]
}

/** Of all containers or one. Events without a container concern all. */
export function timelineOf(tracking: Tracking, journey: Journey | undefined, container?: string): TimelineStep[] {
  const steps = tracking.tracking_steps ?? []
  const containers = namedContainers(tracking).size
  const shown = steps.map((step) => onlyOf(step, container))
  const place = progressAlong({ ...tracking, tracking_steps: shown }, [])
  return shown.map((step, index) => ({
    type: step.type,
    place: placeName(step),
    country: step.port?.country ?? step.location?.country,
    code: step.port?.unlocode,
    zone: zoneOf(step, journey),
    state: tracking.status === 'delivered' ? 'done' : stateOf(index, place),
    lines: linesOf(step.events ?? [], container === undefined ? containers : 0),
  }))
}

function onlyOf(step: Step, container: string | undefined): Step {
  if (container === undefined) return step
  const events = (step.events ?? []).filter(
    ({ container_number }) => container_number === undefined || container_number === container,
  )
  return { ...step, events }
}

type Place = ReturnType<typeof progressAlong>

function stateOf(index: number, place: Place): TimelineStep['state'] {
  if (!place || index > place.step) return 'ahead'
  return index === place.step && !place.hasLeft ? 'current' : 'done'
}

/** The time zone of the place from the journey, by port code or by role. */
function zoneOf(step: Step, journey: Journey | undefined): string | undefined {
  const code = step.port?.unlocode
  const places = journey?.places ?? []
  const found = code === undefined ? undefined : places.find(({ unlocode }) => unlocode === code)
  const role = step.type === 'pickup' || step.type === 'delivery' ? step.type : undefined
  return (found ?? places.find((place) => role !== undefined && place.role === role))?.time_zone
}

function linesOf(events: TrackingEvent[], containers: number): TimelineLine[] {
  const byWhat = new Map<string, TrackingEvent[]>()
  for (const event of events) {
    const what = event.description ?? ''
    byWhat.set(what, [...(byWhat.get(what) ?? []), event])
  }
  return [...byWhat].map(([what, each]) => lineOf(what, each, containers))
}

function lineOf(what: string, events: TrackingEvent[], containers: number): TimelineLine {
  const line: TimelineLine = { what }
  for (const { status, date } of events) {
    if (status === undefined || date === undefined) continue
    // The last container counts; of repeated reports the last one.
    const known = line[status]
    if (status !== 'actual' || known === undefined || Date.parse(date) > Date.parse(known)) line[status] = date
  }
  const containerNumbers = new Set(
    events.flatMap(({ status, container_number }) => (status === 'actual' && container_number) || []),
  )
  const isForAll = events.some(({ status, container_number }) => status === 'actual' && container_number === undefined)
  if (containerNumbers.size > 0 && containers > 1 && !isForAll)
    line.reached = { count: containerNumbers.size, of: containers }
  return line
}
