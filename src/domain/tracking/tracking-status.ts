import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type {
  StepType,
  Tracking,
  TrackingEvent,
  TrackingRecord,
  TrackingStatus,
  TrackingStepRecord,
} from '../../contract/public/tracking.js'
import { isMilestone } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'

/** The status of a tracking, derived from the furthest step with an actual event. */

/** The index of a step, and whether the shipment has left it. */
type Progress = { step: number; hasLeft: boolean }

/** Undefined without a plan. */
export function trackingStatus(tracking: TrackingRecord, ofShipment: string[]): TrackingStatus | undefined {
  const { tracking_steps: steps = [] } = tracking
  if (steps.length === 0) return undefined
  const progress = progressAlong(tracking, ofShipment)
  return progress ? statusAt(steps, progress) : 'pending'
}

/** How far the shipment has come, which is how far its last container has; undefined before the first event. */
export function progressAlong(tracking: TrackingRecord, ofShipment: string[]): Progress | undefined {
  const reached = furthestProgress(tracking.tracking_steps ?? [])
  // Events without a container count for all containers.
  const ofAll = reached.get(undefined)
  const all = trackedContainers(tracking, ofShipment).map((container) => further(reached.get(container), ofAll))
  return all.reduce((one, other) => (isBehind(one, other) ? one : other))
}

/** How far each container has come, and, under undefined, events without a container. */
function furthestProgress(steps: TrackingStepRecord[]): Map<string | undefined, Progress> {
  const reached = new Map<string | undefined, Progress>()
  for (const [step, { type, events = [] }] of steps.entries()) {
    if (!type) continue
    for (const event of events) {
      if (event.status !== 'actual') continue
      const progress = { step, hasLeft: isDeparture(type, event) }
      reached.set(event.container_number, further(reached.get(event.container_number), progress) ?? progress)
    }
  }
  return reached
}

function further(one: Progress | undefined, other: Progress | undefined): Progress | undefined {
  return isBehind(one, other) ? other : one
}

function isBehind(one: Progress | undefined, other: Progress | undefined): boolean {
  if (!one || !other) return !one
  return one.step < other.step || (one.step === other.step && !one.hasLeft)
}

const leaving = /depart|sail|take-?off|took off|gate.?out|\bleft\b|out for delivery/i
const emptied = /\bempty\b/i

// The milestone of the origin port is its departure, and that of the delivery its completion.
function isDeparture(type: StepType, event: TrackingEvent): boolean {
  const { description = '' } = event
  if (type === 'origin_port') return isMilestone(type, event)
  if (type === 'delivery') return isMilestone(type, event) || emptied.test(description)
  return leaving.test(description)
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

/** Keeps the first known value of each date. */
export function withInitialDates(known: InitialDates | undefined, dates: MainTrackingDates): InitialDates {
  const initial: InitialDates = {}
  for (const [name, milestone] of initialOf) {
    const date = known?.[name] ?? dates[milestone]?.date
    if (date !== undefined) initial[name] = date
  }
  return initial
}
