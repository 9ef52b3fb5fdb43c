import type { EventCode } from '../contract/public/event-codes.js'
import type { TrackingRecord } from '../contract/public/tracking.js'
import { day, hour, minute } from '../domain/dates/local-time.js'
import { type CodedEvent, codedEvents } from '../domain/tracking/coded-events.js'
import { namedSteps } from '../domain/tracking/tracking.js'
import { trackedContainers } from '../domain/tracking/tracking-containers.js'
import { createRandom, type Random } from './random.js'

/**
 * When the planned milestones of a shipment happen in the simulated world. It depends on the tracking, the seed and the holds alone, so
 * that the same steps of time give the same world.
 */

/** Until when something does not happen to a shipment at a step, nor what comes after it. */
export type Hold = { account: string; svc_shipment_id: string; step: string; code: EventCode; until: number }

export type Due = {
  step: string
  unlocode: string | undefined
  code: EventCode
  /** The planned date as written, for its offset. */
  plannedDate: string
  planned: number
  /** The newest date that was stated; the planned one at first. */
  stated: number
  happens: number
  /** From when it is known that it will happen then. */
  announced: number
  /** When customs begin to inspect, if they do. */
  inspected?: number
  /** Those that it still has to happen to, if it has happened to the others. */
  containers?: string[]
}

// Only what customers plan by gets new estimates.
export const estimatedCodes = new Set<EventCode>(['DEPARTED', 'ARRIVED', 'DELIVERED'])

/** What is still to happen, in order: first to containers that others are ahead of. */
export function scheduleOf(tracking: TrackingRecord, seed: string, holds: Hold[], ofShipment: string[] = []): Due[] {
  const steps = namedSteps(tracking)
  const events = codedEvents(tracking)
  const planned = new Map<string, CodedEvent>()
  for (const event of events) {
    if (event.status === 'planned' && event.date !== undefined) planned.set(`${event.step} ${event.code}`, event)
  }
  const milestones = [...planned.values()].toSorted((one, other) => timeOf(one.date) - timeOf(other.date))
  const reported = (milestone: CodedEvent, status: 'actual' | 'estimated') =>
    events.filter(
      (event) =>
        event.step === milestone.step && event.code === milestone.code && event.status === status && event.date,
    )
  const last = milestones.findLastIndex((each) => reported(each, 'actual').length > 0)
  const reached = milestones[last]
  let earliest = reached ? Math.max(...reported(reached, 'actual').map(({ date }) => timeOf(date))) : 0
  let slip = reached ? Math.max(0, earliest - timeOf(reached.date)) : 0
  const known = slip
  // Events without a container are of all of them.
  const happened = milestones.map((each) => new Set(reported(each, 'actual').map(({ container }) => container)))
  const numbers = trackedContainers(tracking, ofShipment).filter((number) => number !== undefined)
  const behind = milestones.slice(0, last + 1).flatMap((milestone, place) => {
    const since = happened.slice(place)
    if (happened[place]?.size === 0) return []
    const containers = numbers.filter((number) => !since.some((units) => units.has(number) || units.has(undefined)))
    return containers.length > 0 ? [{ milestone, containers }] : []
  })
  const ahead = milestones.slice(last + 1).map((milestone) => ({ milestone, containers: undefined }))
  return [...behind, ...ahead].map(({ milestone, containers }) => {
    const { code, step: index } = milestone
    const step = steps[index]!
    const random = createRandom(`${seed}/${tracking.svc_shipment_id}/${step.id}/${code}`)
    const inspects = code === 'CUSTOMS_RELEASED' && random.chance(0.12)
    slip += inspects ? random.integer(2, 5) * day : lateness(random)
    const date = timeOf(milestone.date)
    const held = Math.max(
      0,
      ...holds.filter((hold) => hold.step === step.id && hold.code === code).map(({ until }) => until),
    )
    const happens = Math.max(
      Math.round((date + slip) / minute) * minute,
      earliest + (containers ? 12 * hour : 30 * minute),
      held,
    )
    slip = Math.max(slip, happens - date)
    const estimate = reported(milestone, 'estimated').at(-1)
    const due: Due = {
      step: step.id,
      unlocode: step.port?.unlocode?.replace('/', ''),
      code,
      plannedDate: milestone.date as string,
      planned: date + known,
      stated: estimate ? timeOf(estimate.date) : date,
      happens,
      announced: happens - random.integer(1, 5) * day,
      ...(inspects && { inspected: Math.max(earliest + 2 * hour, date - day) }),
      ...(containers && { containers }),
    }
    earliest = happens
    return due
  })
}

function lateness(random: Random): number {
  return random.chance(0.15) ? random.integer(12, 60) * hour : random.integer(0, 180) * minute
}

function timeOf(date: string | undefined): number {
  return Date.parse(date ?? '')
}
