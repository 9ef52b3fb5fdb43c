import type { MainTrackingDates } from '../contract/shipment.js'
import type {
  StepType,
  Tracking,
  TrackingEvent,
  TrackingRecord,
  TrackingStatus,
  TrackingStepRecord,
} from '../contract/tracking.js'
import { tellsMilestone } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'

/** Where a shipment is, as far as its events tell: by the last step along the way at which anything has happened. */

type Place = { step: number; hasLeft: boolean }

/** Undefined without a plan: then nothing is known of where the shipment is. */
export function trackingStatus(tracking: TrackingRecord, ofShipment: string[]): TrackingStatus | undefined {
  const { tracking_steps: steps = [] } = tracking
  if (steps.length === 0) return undefined
  const place = placeAlong(tracking, ofShipment)
  return place ? statusAt(steps, place) : 'pending'
}

/** The step that it has got to, by position; undefined before anything has happened. It is where its last container is. */
export function placeAlong(tracking: TrackingRecord, ofShipment: string[]): Place | undefined {
  const reached = furthestPlaces(tracking.tracking_steps ?? [])
  // What is said of no container is said of all.
  const ofAll = reached.get(undefined)
  const places = trackedContainers(tracking, ofShipment).map((container) => further(reached.get(container), ofAll))
  return places.reduce((one, other) => (isBehind(one, other) ? one : other))
}

/** How far each container has got, and what is said of no particular one. */
function furthestPlaces(steps: TrackingStepRecord[]): Map<string | undefined, Place> {
  const reached = new Map<string | undefined, Place>()
  for (const [step, { type, events = [] }] of steps.entries()) {
    if (!type) continue
    for (const event of events) {
      if (event.status !== 'actual') continue
      const place = { step, hasLeft: tellsLeaving(type, event) }
      reached.set(event.container_number, further(reached.get(event.container_number), place) ?? place)
    }
  }
  return reached
}

function further(one: Place | undefined, other: Place | undefined): Place | undefined {
  return isBehind(one, other) ? other : one
}

function isBehind(one: Place | undefined, other: Place | undefined): boolean {
  if (!one || !other) return !one
  return one.step < other.step || (one.step === other.step && !one.hasLeft)
}

const leaving = /depart|sail|take-?off|took off|gate.?out|\bleft\b|out for delivery/i
const emptied = /\bempty\b/i

// The milestones of the first port and of the last door are that the shipment leaves them.
function tellsLeaving(type: StepType, event: TrackingEvent): boolean {
  const { description = '' } = event
  if (type === 'origin_port') return tellsMilestone(type, event)
  if (type === 'delivery') return tellsMilestone(type, event) || emptied.test(description)
  return leaving.test(description)
}

function statusAt(steps: TrackingStepRecord[], { step, hasLeft }: Place): TrackingStatus {
  const isAfter = (type: StepType) => steps.slice(0, step).some((each) => each.type === type)
  const isBefore = (type: StepType) => steps.slice(step + 1).some((each) => each.type === type)
  switch (steps[step]?.type) {
    case 'origin_port':
      return hasLeft ? 'in_transit' : 'at_origin'
    case 'transshipment_port':
      return hasLeft ? 'in_transit' : 'at_transshipment'
    // By where it lies: before the first port, on the way, or behind the last port.
    case 'inland_terminal':
      if (isBefore('origin_port')) return 'at_origin'
      if (isAfter('destination_port')) return hasLeft ? 'out_for_delivery' : 'arrived'
      return hasLeft ? 'in_transit' : 'at_transshipment'
    case 'destination_port':
      if (!hasLeft) return 'arrived'
      return isBefore('inland_terminal') ? 'in_transit' : 'out_for_delivery'
    case 'delivery':
      return hasLeft ? 'delivered' : 'out_for_delivery'
    default:
      return 'at_origin'
  }
}

type InitialDates = NonNullable<Tracking['initial_dates']>

const initialOf: [keyof InitialDates, keyof MainTrackingDates][] = [
  ['eta', 'arrival_date'],
  ['etd', 'departure_date'],
  ['delivery', 'delivery_date'],
  ['pickup', 'pickup_date'],
]

/** The dates that were known first: each is frozen at its first value. */
export function withInitialDates(known: InitialDates | undefined, dates: MainTrackingDates): InitialDates {
  const initial: InitialDates = {}
  for (const [name, milestone] of initialOf) {
    const date = known?.[name] ?? dates[milestone]?.date
    if (date !== undefined) initial[name] = date
  }
  return initial
}
