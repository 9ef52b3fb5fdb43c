import type { EventCode } from '../../contract/public/event-codes.js'
import type { StepType, TrackingRecord, TrackingStatus, TrackingStepRecord } from '../../contract/public/tracking.js'
import { type CodedEvent, codedEvents, isNewer } from './coded-events.js'
import { type Journey, journeyOf } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'
import { isBoarding } from './unit-dates.js'

/** The status of a tracking, derived from the furthest step with an actual event. */

/** The index of a step, and whether the shipment has left it. */
type Progress = { step: number; hasLeft: boolean }

/** Undefined without a plan. */
export function trackingStatus(tracking: TrackingRecord, ofShipment: string[]): TrackingStatus | undefined {
  const { tracking_steps: steps = [] } = tracking
  if (steps.length === 0) return undefined
  const progress = progressAlong(tracking, ofShipment)
  if (progress) return statusAt(steps, progress)
  return hasMoved(tracking) ? 'at_origin' : 'pending'
}

/** How far the shipment has come, which is how far its last container has; undefined before the first event. */
export function progressAlong(tracking: TrackingRecord, ofShipment: string[]): Progress | undefined {
  const events = codedEvents(tracking)
  const journey = journeyOf(tracking)
  const reached = furthestProgress(tracking, events)
  // Events without a container count for all containers.
  const ofAll = reached.get(undefined)
  const leftBehind = containersLeftBehind(events, journey)
  const all = trackedContainers(tracking, ofShipment).map((container) =>
    further(reached.get(container), leftBehind.has(container) ? { step: journey.origin, hasLeft: false } : ofAll),
  )
  const last = all.reduce((one, other) => (isBehind(one, other) ? one : other))
  return last ?? presumed(journey, all)
}

// Nothing is known of some containers, while others have left the origin: most probably all have.
function presumed({ origin }: Journey, all: (Progress | undefined)[]): Progress | undefined {
  const leftOrigin = { step: origin, hasLeft: true }
  return origin >= 0 && all.some((one) => one && !isBehind(one, leftOrigin)) ? leftOrigin : undefined
}

/** A vessel departs without those that were rolled or taken off, until they are loaded again. */
function containersLeftBehind(events: CodedEvent[], journey: Journey): Set<string | undefined> {
  const last = new Map<string, CodedEvent>()
  for (const event of events) {
    if (event.container === undefined || !isBoarding(event, journey)) continue
    const known = last.get(event.container)
    if (!known || isNewer(known, event)) last.set(event.container, event)
  }
  return new Set([...last].filter(([, { code }]) => code !== 'LOADED').map(([container]) => container))
}

/** Whether anything has happened that moves a shipment. */
export function hasMoved(tracking: TrackingRecord): boolean {
  return furthestProgress(tracking).size > 0
}

/** How far each container has come, and, under undefined, events without a container. */
function furthestProgress(tracking: TrackingRecord, events = codedEvents(tracking)): Map<string | undefined, Progress> {
  const last = (tracking.tracking_steps ?? []).length - 1
  const journey = journeyOf(tracking)
  const reached = new Map<string | undefined, Progress>()
  for (const event of events) {
    const movement = movements[event.code]
    if (event.status !== 'actual' || movement === undefined) continue
    // A container that comes back empty was delivered.
    const isReturn = event.code === 'EMPTY_IN' && event.step >= journey.destination && journey.destination >= 0
    if (event.code === 'EMPTY_IN' && !isReturn) continue
    // A container is stripped at a port as well, days before its goods are delivered.
    const hasLeft = movement === 'leaves' || (event.code === 'STRIPPED' && event.type === 'delivery')
    const progress = isReturn ? { step: last, hasLeft: true } : { step: event.step, hasLeft }
    reached.set(event.container, further(reached.get(event.container), progress) ?? progress)
  }
  return reached
}

/** What moves a shipment. Holds, papers, appointments and unrecognised texts do not. */
const movements: Partial<Record<EventCode, 'reaches' | 'leaves'>> = {
  PICKED_UP: 'reaches',
  STUFFED: 'reaches',
  GATE_IN: 'reaches',
  LOADED: 'reaches',
  DEPARTED: 'leaves',
  ARRIVED: 'reaches',
  BERTHED: 'reaches',
  DISCHARGED: 'reaches',
  AVAILABLE: 'reaches',
  GATE_OUT: 'leaves',
  OUT_FOR_DELIVERY: 'reaches',
  DELIVERED: 'leaves',
  STRIPPED: 'reaches',
  EMPTY_IN: 'leaves',
}

function further(one: Progress | undefined, other: Progress | undefined): Progress | undefined {
  return isBehind(one, other) ? other : one
}

function isBehind(one: Progress | undefined, other: Progress | undefined): boolean {
  if (!one || !other) return !one
  return one.step < other.step || (one.step === other.step && !one.hasLeft)
}

function statusAt(steps: TrackingStepRecord[], { step, hasLeft }: Progress): TrackingStatus {
  const isAfter = (type: StepType) => steps.slice(0, step).some((each) => each.type === type)
  const isBefore = (type: StepType) => steps.slice(step + 1).some((each) => each.type === type)
  switch (steps[step]?.type) {
    case 'origin_port':
      return hasLeft ? 'in_transit' : 'at_origin'
    case 'transshipment_port':
      return hasLeft ? 'in_transit' : 'at_transshipment'
    // Depends on its position: before the origin port, between the ports, or after the destination port.
    case 'inland_terminal':
      if (isBefore('origin_port')) return 'at_origin'
      if (isAfter('destination_port')) return hasLeft ? 'out_for_delivery' : 'arrived'
      return hasLeft ? 'in_transit' : 'at_transshipment'
    case 'destination_port':
      if (!hasLeft) return 'arrived'
      if (step === steps.length - 1) return 'delivered'
      return isBefore('inland_terminal') ? 'in_transit' : 'out_for_delivery'
    case 'delivery':
      return hasLeft ? 'delivered' : 'out_for_delivery'
    default:
      return 'at_origin'
  }
}
