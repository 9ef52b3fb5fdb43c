import type { EventCode } from '../contract/public/event-codes.js'
import type { TrackingRecord } from '../contract/public/tracking.js'
import { day, hour, minute } from '../domain/dates/local-time.js'
import { codedEvents } from '../domain/tracking/coded-events.js'
import { namedSteps } from '../domain/tracking/tracking.js'
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
}

// Only what customers plan by gets new estimates.
export const estimatedCodes = new Set<EventCode>(['DEPARTED', 'ARRIVED', 'DELIVERED'])

/** What is still to happen, in order. */
export function scheduleOf(tracking: TrackingRecord, seed: string, holds: Hold[]): Due[] {
  const steps = namedSteps(tracking)
  const events = codedEvents(tracking)
  const planned = new Map<string, (typeof events)[number]>()
  for (const event of events) {
    if (event.status === 'planned' && event.date !== undefined) planned.set(`${event.step} ${event.code}`, event)
  }
  const milestones = [...planned.values()].toSorted((one, other) => timeOf(one.date) - timeOf(other.date))
  const said = (milestone: (typeof events)[number], status: 'actual' | 'estimated') =>
    events.filter(
      (event) =>
        event.step === milestone.step && event.code === milestone.code && event.status === status && event.date,
    )
  const last = milestones.findLastIndex((each) => said(each, 'actual').length > 0)
  const reached = milestones[last]
  let earliest = reached ? Math.max(...said(reached, 'actual').map(({ date }) => timeOf(date))) : 0
  let slip = reached ? Math.max(0, earliest - timeOf(reached.date)) : 0
  const known = slip
  return milestones.slice(last + 1).map((milestone) => {
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
    const happens = Math.max(Math.round((date + slip) / minute) * minute, earliest + 30 * minute, held)
    slip = Math.max(slip, happens - date)
    const estimate = said(milestone, 'estimated').at(-1)
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
