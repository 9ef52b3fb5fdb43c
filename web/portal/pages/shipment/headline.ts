import type { MainTrackingDates, Shipment } from '../../../../src/contract/public/shipment.js'
import type { StepType, Tracking, TrackingEvent, TrackingStatus } from '../../../../src/contract/public/tracking.js'
import { codeOf } from '../../../../src/domain/tracking/coded-events.js'
import { milestoneCodes, milestones } from '../../../../src/domain/tracking/milestones.js'
import { progressAlong } from '../../../../src/domain/tracking/tracking-status.js'

/** One sentence on where a shipment is and when it arrives. */

type Mode = NonNullable<Shipment['freight_mode']>
type Step = NonNullable<Tracking['tracking_steps']>[number]
type InitialDates = NonNullable<Tracking['initial_dates']>

/** The clauses in one language, with formatted days and names of places. */
export type HeadlineTexts = {
  draft(from: string | undefined, to: string | undefined): string
  requested(from: string | undefined, to: string | undefined): string
  awaiting(from: string | undefined, to: string | undefined): string
  booked(from: string | undefined, to: string | undefined): string
  finished(from: string | undefined, to: string | undefined): string
  cancelled(from: string | undefined, to: string | undefined): string
  unknown(from: string | undefined, to: string | undefined): string
  pickedUp(place: string | undefined): string
  atOrigin(place: string | undefined): string
  between: Record<Mode, (from: string, to: string) => string>
  onTheWay(from: string | undefined, to: string | undefined): string
  atTransshipment(place: string | undefined): string
  arrived(place: string | undefined, day: string | undefined): string
  outForDelivery(place: string | undefined): string
  delivered(place: string | undefined, day: string | undefined): string
  departs(day: string): string
  wasToDepart(day: string): string
  arrives(day: string): string
  arrivesAt(place: string, day: string): string
  wasToArrive(day: string): string
  deliveryOn(day: string): string
  wasToBeDelivered(day: string): string
  later(days: number): string
  earlier(days: number): string
  asPlanned: string
  heldUp(why: string | undefined): string
}

export type Context = {
  texts: HeadlineTexts
  /** Formats a day within a sentence. */
  day(date: string): string
  /** `YYYY-MM-DD` in the reader's time zone. */
  today: string
  /** The name of a port by its code. */
  portName?(code: string): string | undefined
}

/** Unknown clauses are left out. */
export function headline(shipment: Shipment, tracking: Tracking | undefined, context: Context): string {
  const clauses = clausesOf(shipment, tracking, context).filter((clause) => clause !== undefined)
  return `${clauses.join(', ')}.`
}

type Clause = string | undefined

function clausesOf(shipment: Shipment, tracking: Tracking | undefined, context: Context): Clause[] {
  const { texts } = context
  const steps = tracking?.tracking_steps ?? []
  const [from, to] = endsOf(shipment, steps, context)
  if (shipment.status === 'cancelled' || tracking?.status === 'cancelled') return [texts.cancelled(from, to)]
  const clauses = dateClauses(shipment, tracking, context)
  const status = tracking?.status
  if (tracking === undefined || status === undefined || status === 'pending') {
    return [notYetUnderWay(shipment, texts, from, to), ...(isAhead(shipment) ? clauses.all() : [])]
  }
  return underWay[status]({ shipment, steps, reached: reachedStep(shipment, tracking), texts, clauses, to })
}

// A completed shipment without tracking has no dates.
function isAhead({ status }: Shipment): boolean {
  return status !== 'finished'
}

function notYetUnderWay(
  { status, main_tracking_dates: dates = {} }: Shipment,
  texts: HeadlineTexts,
  from: Clause,
  to: Clause,
): string {
  switch (status) {
    case 'draft':
      return texts.draft(from, to)
    case 'booking_request':
      return texts.requested(from, to)
    case 'awaiting_booking':
      return texts.awaiting(from, to)
    case 'finished':
      return texts.finished(from, to)
    case 'in_progress':
      // What is expected to depart is not in transit yet.
      if (!dates.departure_date || dates.departure_date.status === 'actual') return texts.onTheWay(from, to)
      return dates.pickup_date?.status === 'actual' ? texts.pickedUp(undefined) : texts.atOrigin(undefined)
    case 'booked':
      return texts.booked(from, to)
    default:
      return texts.unknown(from, to)
  }
}

type Progress = {
  shipment: Shipment
  steps: Step[]
  /** Index of the step that it has reached. */
  reached: number
  texts: HeadlineTexts
  clauses: DateClauses
  to: string | undefined
}

const underWay: Record<Exclude<TrackingStatus, 'pending' | 'cancelled'>, (progress: Progress) => Clause[]> = {
  at_origin({ steps, reached, texts, clauses }) {
    const at = steps[reached]
    const where = at?.type === 'pickup' ? texts.pickedUp(placeName(at)) : texts.atOrigin(placeName(at))
    return [where, ...clauses.all()]
  },
  in_transit({ shipment, steps, reached, texts, clauses, to }) {
    const from = placeName(steps[reached])
    const next = steps[reached + 1]
    const towards = placeName(next) ?? to
    const isInland = steps.slice(0, reached + 1).some(({ type }) => type === 'destination_port')
    if (isInland) return [texts.onTheWay(from, towards), ...clauses.delivery()]
    const { freight_mode } = shipment
    const where =
      from !== undefined && towards !== undefined && freight_mode !== undefined
        ? texts.between[freight_mode](from, towards)
        : texts.onTheWay(from, towards)
    return [where, ...clauses.arrival(next?.type === 'destination_port' ? undefined : to)]
  },
  at_transshipment({ steps, reached, texts, clauses, to }) {
    return [texts.atTransshipment(placeName(steps[reached])), ...clauses.arrival(to)]
  },
  arrived({ steps, reached, texts, clauses, to }) {
    const at = steps[reached]
    // At an inland terminal the arrival at the port no longer matters.
    if (at?.type === 'inland_terminal') return [texts.arrived(placeName(at), undefined), ...clauses.delivery()]
    return [
      texts.arrived(to, clauses.actual('arrival_date')),
      clauses.drift('arrival_date'),
      ...clauses.next('delivery_date'),
    ]
  },
  out_for_delivery({ steps, texts, clauses }) {
    return [texts.outForDelivery(doorOf(steps)), ...clauses.delivery()]
  },
  delivered({ shipment, steps, texts, clauses, to }) {
    // A hand-over at the port has no delivery date.
    const day = shipment.main_tracking_dates?.delivery_date ? 'delivery_date' : 'arrival_date'
    return [texts.delivered(doorOf(steps) ?? to, clauses.actual(day)), clauses.drift(day)]
  },
}

// A status may be reported without events.
const usualSteps: Partial<Record<TrackingStatus, StepType>> = {
  at_origin: 'origin_port',
  in_transit: 'origin_port',
  at_transshipment: 'transshipment_port',
  arrived: 'destination_port',
}

function reachedStep(shipment: Shipment, tracking: Tracking): number {
  const numbers = (shipment.cargo?.containers ?? []).flatMap(({ container_number }) => container_number ?? [])
  const usual = tracking.status && usualSteps[tracking.status]
  return (
    progressAlong(tracking, numbers)?.step ?? (tracking.tracking_steps ?? []).findIndex(({ type }) => type === usual)
  )
}

type DateClauses = ReturnType<typeof dateClauses>

/** Clauses on dates: expected, overdue, delayed, and moved. */
function dateClauses(shipment: Shipment, tracking: Tracking | undefined, { texts, day, today }: Context) {
  const dates = shipment.main_tracking_dates ?? {}
  const steps = tracking?.tracking_steps ?? []

  const expected = (milestone: keyof MainTrackingDates) => {
    const known = dates[milestone]
    if (known?.status === 'actual') return undefined
    // The date of a problem is when it began, not when the milestone is expected.
    return known?.status === 'problem' ? estimateOf(steps, milestone) : known?.date
  }
  const held = (milestone: keyof MainTrackingDates) =>
    dates[milestone]?.status === 'problem' ? texts.heldUp(reasonOf(steps, milestone)) : undefined

  const future = (milestone: keyof MainTrackingDates, comes: (at: string) => string, was: (at: string) => string) => {
    const date = expected(milestone)
    if (date === undefined) return undefined
    return date.slice(0, 10) < today ? was(day(date)) : comes(day(date))
  }

  /** By how many days the date has moved since the first plan. */
  const drift = (milestone: keyof MainTrackingDates): Clause => {
    const first = tracking?.initial_dates?.[initialNames[milestone]]
    const now = dates[milestone]?.status === 'actual' ? dates[milestone]?.date : expected(milestone)
    if (first === undefined || now === undefined) return undefined
    const days = daysBetween(first, now)
    if (days === 0) return texts.asPlanned
    return days > 0 ? texts.later(days) : texts.earlier(-days)
  }

  const departure = () => [future('departure_date', texts.departs, texts.wasToDepart), held('departure_date')]
  const arrival = (place?: string) => {
    const comes = (at: string) => (place === undefined ? texts.arrives(at) : texts.arrivesAt(place, at))
    return [future('arrival_date', comes, texts.wasToArrive), drift('arrival_date'), held('arrival_date')]
  }
  const next = (milestone: 'delivery_date') => [
    future(milestone, texts.deliveryOn, texts.wasToBeDelivered),
    held(milestone),
  ]
  return {
    actual: (milestone: keyof MainTrackingDates) =>
      dates[milestone]?.status === 'actual' ? day(dates[milestone].date) : undefined,
    drift,
    next,
    arrival,
    all: () => [held('pickup_date'), ...departure(), ...arrival()],
    delivery: () => {
      const [when, why] = next('delivery_date')
      return [when, drift('delivery_date'), why]
    },
  }
}

const initialNames: Record<keyof MainTrackingDates, keyof InitialDates> = {
  pickup_date: 'pickup',
  departure_date: 'etd',
  arrival_date: 'eta',
  delivery_date: 'delivery',
}

function endsOf({ route }: Shipment, steps: Step[], { portName }: Context): [Clause, Clause] {
  const named = (type: StepType, code: string | undefined) =>
    placeName(steps.find((step) => step.type === type)) ?? (code && (portName?.(code) ?? code))
  return [
    named('origin_port', route?.origin_port_unlocode),
    named('destination_port', route?.destination_port_unlocode),
  ]
}

/** The name of the place of a step. */
export function placeName(step: Step | undefined): string | undefined {
  return step?.port?.city ?? step?.location?.city ?? step?.location?.name ?? step?.port?.unlocode
}

function doorOf(steps: Step[]): string | undefined {
  return placeName(steps.find(({ type }) => type === 'delivery'))
}

function eventsOf(steps: Step[], milestone: keyof MainTrackingDates): TrackingEvent[] {
  const usual = milestones.find((each) => each.milestone === milestone)?.step
  if (usual === undefined) return []
  // A hand-over at the port has no step of its own.
  const isAtPort = usual === 'delivery' && !steps.some((step) => step.type === 'delivery')
  const type = isAtPort ? 'destination_port' : usual
  const events = steps.filter((step) => step.type === type).flatMap((step) => step.events ?? [])
  return events.filter((event) => event.status === 'problem' || milestoneCodes[milestone].includes(codeOf(event, type)))
}

/** The expected date of a milestone, also during a problem. */
export function estimateOf(steps: Step[], milestone: keyof MainTrackingDates): string | undefined {
  const events = eventsOf(steps, milestone)
  const latest = (status: TrackingEvent['status']) => events.findLast((event) => event.status === status)?.date
  return latest('estimated') ?? latest('planned')
}

// "Vessel arrived: port congestion": the reason follows the milestone. A hold at the port delays the delivery, too.
function reasonOf(steps: Step[], milestone: keyof MainTrackingDates): string | undefined {
  const isProblem = ({ status }: TrackingEvent) => status === 'problem'
  const everywhere = steps.flatMap(({ events = [] }) => events)
  const { description } = eventsOf(steps, milestone).findLast(isProblem) ?? everywhere.findLast(isProblem) ?? {}
  return description?.slice(description.indexOf(':') + 1).trim()
}

const dayLength = 24 * 60 * 60 * 1000

/** Whole days between two local dates. */
export function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(other.slice(0, 10)) - Date.parse(one.slice(0, 10))) / dayLength)
}
