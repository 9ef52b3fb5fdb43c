import type { MainTrackingDates, Shipment } from '../../../contract/shipment.js'
import type { StepType, Tracking, TrackingEvent, TrackingStatus } from '../../../contract/tracking.js'
import { milestones, tellsMilestone } from '../../../domain/milestones.js'
import { placeAlong } from '../../../domain/tracking-status.js'

/** Where a shipment is and when it arrives, in one sentence that a person would say. */

type Mode = NonNullable<Shipment['freight_mode']>
type Step = NonNullable<Tracking['tracking_steps']>[number]
type InitialDates = NonNullable<Tracking['initial_dates']>

/** The words of a language. Days come as they are written in it; places as they are called. */
export type HeadlineWords = {
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

export type Reading = {
  words: HeadlineWords
  /** A day as the language writes it inside a sentence. */
  day(date: string): string
  /** The day of the reader, `YYYY-MM-DD`. */
  today: string
  /** What a port is called, where only its code is known. */
  portName?(code: string): string | undefined
}

/** What the sentence is made of; what is not known is left out. */
export function headline(shipment: Shipment, tracking: Tracking | undefined, reading: Reading): string {
  const clauses = clausesOf(shipment, tracking, reading).filter((clause) => clause !== undefined)
  return `${clauses.join(', ')}.`
}

type Clause = string | undefined

function clausesOf(shipment: Shipment, tracking: Tracking | undefined, reading: Reading): Clause[] {
  const { words } = reading
  const steps = tracking?.tracking_steps ?? []
  const [from, to] = endsOf(shipment, steps, reading)
  if (shipment.status === 'cancelled' || tracking?.status === 'cancelled') return [words.cancelled(from, to)]
  const say = speakerOf(shipment, tracking, reading)
  const status = tracking?.status
  if (tracking === undefined || status === undefined || status === 'pending') {
    return [notYetUnderWay(shipment, words, from, to), ...(isAhead(shipment) ? say.all() : [])]
  }
  return underWay[status]({ shipment, steps, reached: reachedStep(shipment, tracking), words, say, to })
}

// A finished shipment of which nobody tracked anything has no dates to tell either.
function isAhead({ status }: Shipment): boolean {
  return status !== 'finished'
}

function notYetUnderWay({ status }: Shipment, words: HeadlineWords, from: Clause, to: Clause): string {
  switch (status) {
    case 'draft':
      return words.draft(from, to)
    case 'booking_request':
      return words.requested(from, to)
    case 'awaiting_booking':
      return words.awaiting(from, to)
    case 'finished':
      return words.finished(from, to)
    case 'in_progress':
      return words.onTheWay(from, to)
    case 'booked':
      return words.booked(from, to)
    default:
      return words.unknown(from, to)
  }
}

type Scene = {
  shipment: Shipment
  steps: Step[]
  /** The step that it has got to, by position. */
  reached: number
  words: HeadlineWords
  say: Speaker
  to: string | undefined
}

const underWay: Record<Exclude<TrackingStatus, 'pending' | 'cancelled'>, (scene: Scene) => Clause[]> = {
  at_origin({ steps, reached, words, say }) {
    const at = steps[reached]
    const where = at?.type === 'pickup' ? words.pickedUp(placeName(at)) : words.atOrigin(placeName(at))
    return [where, ...say.all()]
  },
  in_transit({ shipment, steps, reached, words, say, to }) {
    const from = placeName(steps[reached])
    const next = steps[reached + 1]
    const towards = placeName(next) ?? to
    const isInland = steps.slice(0, reached + 1).some(({ type }) => type === 'destination_port')
    if (isInland) return [words.onTheWay(from, towards), ...say.delivery()]
    const { freight_mode } = shipment
    const where =
      from !== undefined && towards !== undefined && freight_mode !== undefined
        ? words.between[freight_mode](from, towards)
        : words.onTheWay(from, towards)
    return [where, ...say.arrival(next?.type === 'destination_port' ? undefined : to)]
  },
  at_transshipment({ steps, reached, words, say, to }) {
    return [words.atTransshipment(placeName(steps[reached])), ...say.arrival(to)]
  },
  arrived({ steps, reached, words, say, to }) {
    const at = steps[reached]
    // Behind the port, at an inland terminal: the day at the port is no longer what matters.
    if (at?.type === 'inland_terminal') return [words.arrived(placeName(at), undefined), ...say.delivery()]
    return [words.arrived(to, say.actual('arrival_date')), say.drift('arrival_date'), ...say.next('delivery_date')]
  },
  out_for_delivery({ steps, words, say }) {
    return [words.outForDelivery(doorOf(steps)), ...say.delivery()]
  },
  delivered({ shipment, steps, words, say, to }) {
    // What is handed over at a port has no day of its own for it.
    const day = shipment.main_tracking_dates?.delivery_date ? 'delivery_date' : 'arrival_date'
    return [words.delivered(doorOf(steps) ?? to, say.actual(day)), say.drift(day)]
  },
}

// A status may have come without the events that it would follow from.
const usualSteps: Partial<Record<TrackingStatus, StepType>> = {
  at_origin: 'origin_port',
  in_transit: 'origin_port',
  at_transshipment: 'transshipment_port',
  arrived: 'destination_port',
}

function reachedStep(shipment: Shipment, tracking: Tracking): number {
  const numbers = (shipment.cargo?.containers ?? []).flatMap(({ container_number }) => container_number ?? [])
  const usual = tracking.status && usualSteps[tracking.status]
  return placeAlong(tracking, numbers)?.step ?? (tracking.tracking_steps ?? []).findIndex(({ type }) => type === usual)
}

type Speaker = ReturnType<typeof speakerOf>

/** How dates are spoken of: those to come, those that should have come, what holds them up, how far they moved. */
function speakerOf(shipment: Shipment, tracking: Tracking | undefined, { words, day, today }: Reading) {
  const dates = shipment.main_tracking_dates ?? {}
  const steps = tracking?.tracking_steps ?? []

  const expected = (milestone: keyof MainTrackingDates) => {
    const known = dates[milestone]
    if (known?.status === 'actual') return undefined
    // The date of a problem is when it began, not when what it holds up will be.
    return known?.status === 'problem' ? estimateOf(steps, milestone) : known?.date
  }
  const held = (milestone: keyof MainTrackingDates) =>
    dates[milestone]?.status === 'problem' ? words.heldUp(reasonOf(steps, milestone)) : undefined

  const future = (milestone: keyof MainTrackingDates, comes: (at: string) => string, was: (at: string) => string) => {
    const date = expected(milestone)
    if (date === undefined) return undefined
    return date.slice(0, 10) < today ? was(day(date)) : comes(day(date))
  }

  /** By how many days the date has moved since it was first told. */
  const drift = (milestone: keyof MainTrackingDates): Clause => {
    const first = tracking?.initial_dates?.[initialNames[milestone]]
    const now = dates[milestone]?.status === 'actual' ? dates[milestone]?.date : expected(milestone)
    if (first === undefined || now === undefined) return undefined
    const days = daysBetween(first, now)
    if (days === 0) return words.asPlanned
    return days > 0 ? words.later(days) : words.earlier(-days)
  }

  const departure = () => [future('departure_date', words.departs, words.wasToDepart), held('departure_date')]
  const arrival = (place?: string) => {
    const comes = (at: string) => (place === undefined ? words.arrives(at) : words.arrivesAt(place, at))
    return [future('arrival_date', comes, words.wasToArrive), drift('arrival_date'), held('arrival_date')]
  }
  const next = (milestone: 'delivery_date') => [
    future(milestone, words.deliveryOn, words.wasToBeDelivered),
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

function endsOf({ route }: Shipment, steps: Step[], { portName }: Reading): [Clause, Clause] {
  const named = (type: StepType, code: string | undefined) =>
    placeName(steps.find((step) => step.type === type)) ?? (code && (portName?.(code) ?? code))
  return [
    named('origin_port', route?.origin_port_unlocode),
    named('destination_port', route?.destination_port_unlocode),
  ]
}

/** What people call the place of a step. */
export function placeName(step: Step | undefined): string | undefined {
  return step?.port?.city ?? step?.location?.city ?? step?.location?.name ?? step?.port?.unlocode
}

function doorOf(steps: Step[]): string | undefined {
  return placeName(steps.find(({ type }) => type === 'delivery'))
}

function eventsOf(steps: Step[], milestone: keyof MainTrackingDates): TrackingEvent[] {
  const told = milestones.find((each) => each.milestone === milestone)
  const events = steps.filter(({ type }) => type === told?.step).flatMap((step) => step.events ?? [])
  return events.filter((event) => told && tellsMilestone(told.step, event))
}

/** What is expected of a milestone, whatever holds it up. */
export function estimateOf(steps: Step[], milestone: keyof MainTrackingDates): string | undefined {
  const events = eventsOf(steps, milestone)
  const said = (status: TrackingEvent['status']) => events.findLast((event) => event.status === status)?.date
  return said('estimated') ?? said('planned')
}

// "Vessel arrived: port congestion": the milestone is told already, the reason comes behind it.
function reasonOf(steps: Step[], milestone: keyof MainTrackingDates): string | undefined {
  const { description } = eventsOf(steps, milestone).findLast(({ status }) => status === 'problem') ?? {}
  return description?.slice(description.indexOf(':') + 1).trim()
}

const dayLength = 24 * 60 * 60 * 1000

/** Whole days between two dates as their calendars show them. */
export function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(other.slice(0, 10)) - Date.parse(one.slice(0, 10))) / dayLength)
}
