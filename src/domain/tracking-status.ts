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

/** Where a shipment is, as far as its events tell: by the last step along the way at which anything has happened. */

type Place = { step: number; hasLeft: boolean }

/** Undefined without a plan: then nothing is known of where the shipment is. */
export function trackingStatus({ tracking_steps: steps = [] }: TrackingRecord): TrackingStatus | undefined {
  if (steps.length === 0) return undefined
  const happened = steps.map(({ events = [] }) => events.filter(({ status }) => status === 'actual'))
  const containers = [...new Set(happened.flat().flatMap(({ container_number }) => container_number ?? []))]
  const wholes = containers.length > 0 ? containers : [undefined]
  // What is said of no container is said of all. The shipment is where the last of its containers is.
  const places = wholes.map((container) =>
    placeOf(
      steps,
      happened.map((events) => events.filter(({ container_number = container }) => container_number === container)),
    ),
  )
  const last = places.reduce((one, other) => (isBehind(one, other) ? one : other))
  return last ? statusAt(steps, last) : 'pending'
}

function placeOf(steps: TrackingStepRecord[], happened: TrackingEvent[][]): Place | undefined {
  const step = happened.findLastIndex((events, index) => events.length > 0 && steps[index]?.type !== undefined)
  const type = steps[step]?.type
  return type && { step, hasLeft: happened[step]?.some((event) => tellsLeaving(type, event)) ?? false }
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
