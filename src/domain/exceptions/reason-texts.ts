import type { RequiredDocumentType } from '../../contract/public/checklist.js'
import type { ExceptionDetails, ExceptionKind, ReasonKey } from '../../contract/public/exception.js'

/** The reasons of exceptions as people read them, in English. */

/** The values of a reason as the reader's language writes them. Those that a sentence needs are there. */
export type ReasonValues = {
  milestone: string
  date: string
  previousDate: string
  otherDate: string
  desired: string
  day: string
  otherDay: string
  days: number | undefined
  hours: number
  isTakenOff: boolean
  isCarrier: boolean
  hasDate: boolean
  place: string | undefined
  vessel: string | undefined
  source: string | undefined
  otherSource: string | undefined
  document: string
  quantity: string
  amounts: string
  clock: string
}

type Sentences = Record<ReasonKey, (values: ReasonValues) => string>

/** What the sentences of a language are composed of. */
export type ReasonTexts = {
  sentences: Sentences
  milestones: Record<NonNullable<ExceptionDetails['milestone']>, string>
  /** Kinds of free time, within a sentence. */
  clocks: Record<string, string | undefined>
  documents: Record<RequiredDocumentType, string>
  /** For a value that is not known. */
  unknown: string
}

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`
const lateBy = (count: number) => (count === 0 ? 'at the end of that day' : `${days(count)} late`)
const hours = (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`
const span = (count: number) => (count >= 48 ? days(Math.round(count / 24)) : hours(count))
const at = (place: string | undefined) => (place === undefined ? '' : ` in ${place}`)
const left = (place: string | undefined) => (place === undefined ? ' left' : ` left ${place}`)
const named = (vessel: string | undefined) => (vessel === undefined ? '' : ` ${vessel}`)
const by = (source: string | undefined) => (source === undefined ? '' : ` (${source})`)

const sentences: Sentences = {
  late_by_dates: ({ date, desired, days: late = 0 }) => `Expected ${date}, wanted by ${desired}: ${lateBy(late)}.`,
  late_today: ({ desired }) => `Wanted by ${desired}, and not delivered yet.`,
  date_moved: ({ milestone, date, previousDate, hours: moved }) =>
    `${milestone} moved from ${previousDate} to ${date}: ${span(Math.abs(moved))} ${moved > 0 ? 'later' : 'earlier'}.`,
  milestone_overdue: ({ milestone, date }) => `${milestone} was expected ${date}; nothing has been reported since.`,
  rolled: ({ isTakenOff, vessel, place }) =>
    isTakenOff
      ? `Offloaded${vessel === undefined ? '' : ` from ${vessel}`}${at(place)}, and not loaded again.`
      : `Left behind${vessel === undefined ? '' : ` by ${vessel}`}${at(place)}, and not loaded again.`,
  not_loaded: ({ vessel, place, date }) =>
    `The vessel${named(vessel)}${left(place)} on ${date}; the container was not loaded.`,
  later_sailing: ({ vessel, date, previousDate }) =>
    `Moved to a later sailing${vessel === undefined ? '' : `, ${vessel}`}: ${date} instead of ${previousDate}.`,
  connection_departed: ({ vessel, place, date }) =>
    `The connect${vessel === undefined ? 'ion' : `ing vessel ${vessel}`}${left(place)} on ${date} without it.`,
  connection_short: ({ place, date, otherDate }) =>
    `The connection${at(place)} leaves ${date}; the arrival there is ${otherDate}.`,
  held: ({ isCarrier, place, date, hasDate }) =>
    `Held by ${isCarrier ? 'the carrier' : 'customs'}${at(place)}${hasDate ? ` since ${date}` : ''}.`,
  inspected: ({ place, date, hasDate }) => `Inspected by customs${at(place)}${hasDate ? ` since ${date}` : ''}.`,
  dwelling: ({ place, date }) => `Has not moved${at(place)} since ${date}.`,
  free_time_ending: ({ clock, day }) => `Last free day (${clock}): ${day}.`,
  free_time_passed: ({ clock, day, amounts }) =>
    `Free time (${clock}) ended on ${day}${amounts === '' ? '' : `; ${amounts} so far`}.`,
  free_time_disagrees: ({ clock, day, otherDay }) =>
    `Last free day (${clock}) given as ${day}; by the terms it is ${otherDay}.`,
  document_missing: ({ document }) => `${document} is missing.`,
  order_late: ({ date, desired, days: late }) =>
    `Wanted by ${desired}${late === undefined ? ', and not delivered yet' : `, expected ${date}: ${lateBy(late)}`}.`,
  order_unassigned: ({ quantity, day }) => `${quantity} not assigned to a shipment; wanted ex factory by ${day}.`,
  order_short: ({ quantity }) => `${quantity} less shipped than assigned.`,
  no_news: ({ date }) => `Nothing has been reported since ${date}.`,
  conflicting_dates: ({ milestone, date, otherDate, source, otherSource }) =>
    `${milestone} reported on ${date}${by(source)} and on ${otherDate}${by(otherSource)}.`,
  invoice_overdue: ({ day, amounts }) => `Was due on ${day}; ${amounts} outstanding.`,
  unbilled: ({ date }) => `Delivered ${date}, and not invoiced.`,
}

export const englishReasons: ReasonTexts = {
  sentences,
  milestones: {
    pickup_date: 'Pick-up',
    departure_date: 'Departure',
    arrival_date: 'Arrival',
    delivery_date: 'Delivery',
  },
  clocks: {
    demurrage: 'demurrage',
    detention: 'detention',
    combined: 'demurrage and detention',
    storage: 'storage',
  },
  documents: {
    dangerous_goods_declaration: 'Dangerous goods declaration',
    commercial_invoice: 'Commercial invoice',
    packing_list: 'Packing list',
    bill_of_lading: 'Bill of lading',
    air_waybill: 'Air waybill',
    arrival_notice: 'Arrival notice',
    proof_of_delivery: 'Proof of delivery',
  },
  unknown: 'unknown',
}

export const englishKinds: Record<ExceptionKind, string> = {
  late: 'Late',
  eta_slip: 'Date moved',
  milestone_overdue: 'Milestone overdue',
  rolled: 'Rolled',
  missed_connection: 'Missed connection',
  hold: 'Held',
  dwell: 'Not moving',
  free_time: 'Free time',
  free_time_disagreement: 'Free time disputed',
  missing_document: 'Missing document',
  order_at_risk: 'Order at risk',
  no_news: 'No news',
  conflict: 'Conflicting dates',
  invoice_overdue: 'Overdue invoice',
  unbilled: 'Not invoiced',
}
