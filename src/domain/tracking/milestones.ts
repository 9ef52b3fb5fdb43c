import type { EventCode } from '../../contract/public/event-codes.js'
import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type { StepType, TrackingRecord } from '../../contract/public/tracking.js'
import type { CodedEvent } from './coded-events.js'

export type Milestone = keyof MainTrackingDates

/** In the order in which a shipment reaches them, with the step at which it does. */
export const milestones: { milestone: Milestone; step: StepType }[] = [
  { milestone: 'pickup_date', step: 'pickup' },
  { milestone: 'departure_date', step: 'origin_port' },
  { milestone: 'arrival_date', step: 'destination_port' },
  { milestone: 'delivery_date', step: 'delivery' },
]

/** The codes that are a milestone at its step, the strongest first. */
export const milestoneCodes: Record<Milestone, EventCode[]> = {
  pickup_date: ['PICKED_UP'],
  departure_date: ['DEPARTED'],
  arrival_date: ['ARRIVED', 'BERTHED', 'DISCHARGED'],
  delivery_date: ['DELIVERED'],
}

/** The steps between which the rules distinguish; -1 if there is none. */
export type Journey = {
  types: (StepType | undefined)[]
  origin: number
  destination: number
  /** The terminal at the place of the last port, which is reached by land or barge. */
  inlandEnd: number
  endsAtPort: boolean
}

export function journeyOf({ tracking_steps: steps = [] }: TrackingRecord): Journey {
  const origin = steps.findIndex(({ type }) => type === 'origin_port')
  const destination = steps.findLastIndex(({ type }) => type === 'destination_port')
  const end = steps[destination]?.port?.unlocode
  const inlandEnd = steps.findIndex(
    ({ type, port }) => type === 'inland_terminal' && end !== undefined && port?.unlocode === end,
  )
  const types = steps.map(({ type }) => type)
  const endsAtPort = destination >= 0 && destination === steps.length - 1
  return { types, origin, destination, inlandEnd, endsAtPort }
}

/**
 * How an event counts for a milestone. Its own code comes first; weaker evidence counts only where there is none; what
 * implies it makes it certain without saying when.
 */
export type Evidence = 'own' | 'weaker' | 'weakest' | 'implied'

export function evidenceFor(milestone: Milestone, event: CodedEvent, journey: Journey): Evidence | undefined {
  // A delay with a new date says when to expect the milestone of its step.
  if (event.code === 'DELAYED' && (event.status === 'estimated' || event.status === 'planned')) {
    return milestones.some((each) => each.milestone === milestone && each.step === event.type) ? 'own' : undefined
  }
  switch (milestone) {
    case 'pickup_date':
      return pickupEvidence(event)
    case 'departure_date':
      return departureEvidence(event, journey)
    case 'arrival_date':
      return arrivalEvidence(event, journey)
    case 'delivery_date':
      return deliveryEvidence(event, journey)
  }
}

// Empty containers that leave a depot are no pick-up.
function pickupEvidence({ code, step }: CodedEvent): Evidence | undefined {
  if (code === 'PICKED_UP') return 'own'
  return code === 'GATE_IN' && step === 0 ? 'weaker' : undefined
}

const seaSteps = new Set<StepType>(['transshipment_port', 'destination_port'])

function departureEvidence({ code, step, type }: CodedEvent, { origin, destination }: Journey): Evidence | undefined {
  if (origin < 0) return undefined
  if (step === origin) {
    if (code === 'DEPARTED') return 'own'
    return code === 'LOADED' ? 'implied' : undefined
  }
  // What is seen at a later port has left the first one; what leaves the last one is on another journey.
  const isLater = step > origin && seaSteps.has(type) && !(code === 'DEPARTED' && step === destination)
  return isLater && (code === 'DEPARTED' || code === 'ARRIVED' || code === 'DISCHARGED') ? 'implied' : undefined
}

function arrivalEvidence({ code, step }: CodedEvent, { destination }: Journey): Evidence | undefined {
  if (destination < 0 || step < destination) return undefined
  if (step === destination && reached[code]) return reached[code]
  // What has gone on from there had arrived.
  const isGone = (code === 'GATE_OUT' && step === destination) || code === 'DELIVERED' || code === 'EMPTY_IN'
  return isGone ? 'implied' : undefined
}

const reached: Partial<Record<EventCode, Evidence>> = { ARRIVED: 'own', BERTHED: 'weaker', DISCHARGED: 'weakest' }

function deliveryEvidence(
  { code, step, type, status }: CodedEvent,
  { destination, endsAtPort }: Journey,
): Evidence | undefined {
  if (code === 'DELIVERED') return 'own'
  if (code === 'GATE_OUT' && endsAtPort && step === destination) return 'own'
  // An appointment is a date to be kept; it happens at the desk of the consignee.
  if (code === 'APPOINTMENT') return status === 'actual' ? undefined : 'own'
  // A truck that is expected is expected to deliver; one that has arrived may still be waiting.
  if (code === 'ARRIVED' && type === 'delivery' && status !== 'actual') return 'own'
  return code === 'EMPTY_IN' && step >= destination ? 'implied' : undefined
}

/** The milestones of the journey at the step of an event and after it. */
export function milestonesFrom({ type, step }: CodedEvent, { types, endsAtPort }: Journey): Milestone[] {
  // A step without a milestone, such as a transshipment, is on the way to the next one that has one.
  const next = [type, ...types.slice(step + 1)].find((each) => milestones.some((milestone) => milestone.step === each))
  return milestones
    .slice(next === undefined ? milestones.length : milestones.findIndex((milestone) => milestone.step === next))
    .filter((each) => types.includes(each.step) || (each.milestone === 'delivery_date' && endsAtPort))
    .map(({ milestone }) => milestone)
}
