import type { EventCode } from '../../contract/public/event-codes.js'
import type { StepType, TrackingRecord, TrackingStatus, TrackingStepRecord } from '../../contract/public/tracking.js'
import { finish, type InParts } from '../records/in-parts.js'
import type { CodedEvent } from './coded-events.js'
import type { Journey } from './milestones.js'
import { type KnownUnits, knownUnitsInParts } from './unit-events.js'
import { boardingAt } from './unit-vessels.js'

/** The status of a tracking, derived from the furthest step with an actual event. */

/** The index of a step, and whether the shipment has left it. */
export type Progress = { step: number; hasLeft: boolean }

/** Undefined without a plan. */
export function trackingStatus(tracking: TrackingRecord, ofShipment: string[]): TrackingStatus | undefined {
  return finish(trackingStatusInParts(tracking, ofShipment))
}

export function* trackingStatusInParts(
  tracking: TrackingRecord,
  ofShipment: string[],
): InParts<TrackingStatus | undefined> {
  return yield* statusInParts(tracking, yield* knownUnitsInParts(tracking, ofShipment))
}

/** The same from what is known of the units. */
export function* statusInParts(
  { tracking_steps: steps = [] }: TrackingRecord,
  known: KnownUnits,
): InParts<TrackingStatus | undefined> {
  if (steps.length === 0) return undefined
  const progress = yield* furthestInParts(known)
  if (progress) return statusAt(steps, progress)
  return hasMoved(known) ? 'at_origin' : 'pending'
}

/** How far the shipment has come, which is how far its last container has; undefined before the first event. */
export function progressAlong(tracking: TrackingRecord, ofShipment: string[]): Progress | undefined {
  return finish(progressInParts(tracking, ofShipment))
}

export function* progressInParts(tracking: TrackingRecord, ofShipment: string[]): InParts<Progress | undefined> {
  return yield* furthestInParts(yield* knownUnitsInParts(tracking, ofShipment))
}

function* furthestInParts({ journey, units }: KnownUnits): InParts<Progress | undefined> {
  const { origin } = journey
  const all: (Progress | undefined)[] = []
  for (const { own, ofVessels } of units) {
    yield
    const known = furthestProgress([...own, ...ofVessels.concerning], journey)
    // A vessel departs without those that were rolled or taken off, until they are loaded again.
    const isLeft = boardingAt(own, origin, journey)?.isOnBoard === false
    all.push(isLeft ? further(known, { step: origin, hasLeft: false }) : known)
  }
  const last = all.reduce((one, other) => (isBehind(one, other) ? one : other))
  return last ?? presumed(journey, all)
}

// Nothing is known of some containers, while others have left the origin: most probably all have.
function presumed({ origin }: Journey, all: (Progress | undefined)[]): Progress | undefined {
  const leftOrigin = { step: origin, hasLeft: true }
  return origin >= 0 && all.some((one) => one && !isBehind(one, leftOrigin)) ? leftOrigin : undefined
}

/** Whether anything has happened that moves a shipment. */
export function hasMoved({ events, journey }: Pick<KnownUnits, 'events' | 'journey'>): boolean {
  return furthestProgress(events, journey) !== undefined
}

function furthestProgress(events: CodedEvent[], journey: Journey): Progress | undefined {
  return events.reduce<Progress | undefined>((known, event) => further(known, progressBy(event, journey)), undefined)
}

function progressBy(
  { code, status, step, type }: CodedEvent,
  { destination, origin, types }: Journey,
): Progress | undefined {
  const movement = movements[code]
  if (status !== 'actual' || movement === undefined) return undefined
  // A container that comes back empty was delivered.
  if (code === 'EMPTY_IN')
    return step >= destination && destination >= 0 ? { step: types.length - 1, hasLeft: true } : undefined
  // What begins there is another journey, of the container or of the vessel.
  if (type === 'destination_port' && beginning.has(code)) return undefined
  // A container is stripped at a port as well, days before its goods are delivered.
  if (code === 'STRIPPED') return { step, hasLeft: type === 'delivery' }
  // Before it is on board it may leave the terminal again.
  return { step, hasLeft: movement === 'leaves' && !(code === 'GATE_OUT' && step === origin) }
}

const beginning = new Set<EventCode>(['STUFFED', 'GATE_IN', 'LOADED', 'DEPARTED'])

/** What moves a shipment. Holds, documents, appointments and unrecognised texts do not. */
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
      // A feeder brings it to the first port.
      if (isBefore('origin_port')) return 'at_origin'
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
