import type { Closing, ExceptionKind, ReasonKey, Severity } from '../../../src/contract/public/exception.js'

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

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`
const hours = (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`
const span = (count: number) => (count >= 48 ? days(Math.round(count / 24)) : hours(count))
const at = (place: string | undefined) => (place === undefined ? '' : ` in ${place}`)
const left = (place: string | undefined) => (place === undefined ? ' left' : ` left ${place}`)
const named = (vessel: string | undefined) => (vessel === undefined ? '' : ` ${vessel}`)
const by = (source: string | undefined) => (source === undefined ? '' : ` (${source})`)

const sentences: Sentences = {
  late_by_dates: ({ date, desired, days: late = 0 }) => `Expected ${date}, wanted by ${desired}: ${days(late)} late.`,
  late_today: ({ desired }) => `Wanted by ${desired}, and not delivered yet.`,
  date_moved: ({ milestone, date, previousDate, hours: moved }) =>
    `${milestone} moved from ${previousDate} to ${date}: ${span(Math.abs(moved))} ${moved > 0 ? 'later' : 'earlier'}.`,
  milestone_overdue: ({ milestone, date }) => `${milestone} was expected ${date}; nothing has been reported since.`,
  rolled: ({ isTakenOff, vessel, place }) =>
    isTakenOff
      ? `Taken off ${vessel ?? 'the vessel'}${at(place)}, and not loaded again.`
      : `Left behind by ${vessel ?? 'its vessel'}${at(place)}, and not loaded again.`,
  not_loaded: ({ vessel, place, date }) =>
    `The vessel${named(vessel)}${left(place)} on ${date}; the container was not loaded.`,
  later_sailing: ({ vessel, date, previousDate }) =>
    `Moved to a later sailing${vessel === undefined ? '' : `, ${vessel}`}: ${date} instead of ${previousDate}.`,
  connection_departed: ({ vessel, place, date }) =>
    `The connecting vessel${named(vessel)}${left(place)} on ${date} without it.`,
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
    `Wanted by ${desired}${late === undefined ? ', and not delivered yet' : `, expected ${date}: ${days(late)} late`}.`,
  order_unassigned: ({ quantity, day }) => `${quantity} not assigned to a shipment; wanted ex factory by ${day}.`,
  order_short: ({ quantity }) => `${quantity} less shipped than assigned.`,
  no_news: ({ date }) => `Nothing has been reported since ${date}.`,
  conflicting_dates: ({ milestone, date, otherDate, source, otherSource }) =>
    `${milestone} reported on ${date}${by(source)} and on ${otherDate}${by(otherSource)}.`,
  invoice_overdue: ({ day, amounts }) => `Was due on ${day}; ${amounts} outstanding.`,
  unbilled: ({ date }) => `Delivered ${date}, and not invoiced.`,
}

const kinds: Record<ExceptionKind, string> = {
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

const severities: Record<Severity, string> = { critical: 'Critical', warning: 'Warning', info: 'Info' }

const closings: Record<Closing, string> = {
  cleared: 'Resolved',
  acknowledged: 'Accepted',
  accepted: 'Accepted',
  closed: 'Closed by your forwarder',
  waived: 'Waived by your forwarder',
}

/** The page of exceptions, and their reasons. */
export const englishExceptions = {
  title: 'Exceptions',
  open: 'Needs attention',
  sentences,
  kinds,
  severities,
  closings,
  kind: 'Kind',
  severity: 'Severity',
  shipment: 'Shipment',
  order: 'Order',
  tabs: { unacknowledged: 'To do', open: 'All open', closed: 'Closed' },
  tabsLabel: 'State',
  filters: 'Filters',
  clear: 'Clear filters',
  list: 'Exceptions',
  counting: 'Loading…',
  lead: (shown: string, count: number, state: 'unacknowledged' | 'open' | 'closed') =>
    state === 'closed'
      ? `${shown} closed.`
      : count === 0
        ? state === 'open'
          ? 'Nothing is open.'
          : 'You are up to date.'
        : `${shown} ${state === 'open' ? 'open' : 'to look at'}, the most severe first.`,
  none: {
    unacknowledged: 'Nothing needs your attention',
    open: 'Nothing is open',
    closed: 'Nothing has been closed yet',
  },
  noneText: 'Delays, holds, ending free time, missing documents and orders at risk appear here by themselves.',
  nothingMatches: 'No matching exceptions',
  nothingMatchesText: 'Clear the filters to see all of them.',
  threatens: 'Threatens',
  lines: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`,
  wanted: (day: string) => `wanted ${day}`,
  expected: (day: string) => `expected ${day}`,
  moreOrders: (count: number) => `and ${count} more ${count === 1 ? 'order' : 'orders'}`,
  moreLines: (count: number) => `and ${count} more ${count === 1 ? 'line' : 'lines'}`,
  since: 'since',
  episode: (count: number) => `${count}${count === 2 ? 'nd' : count === 3 ? 'rd' : 'th'} time`,
  owner: (name: string) => `${name} looks after it`,
  acknowledge: 'Acknowledge',
  accept: 'Accept',
  acceptDate: 'Accept date',
  acknowledgeWithNote: 'Acknowledge with a note',
  withNote: 'Add a note…',
  noteTitle: (count: number) => (count === 1 ? 'Acknowledge' : `Acknowledge ${count} exceptions`),
  note: 'Note',
  noteHint: 'Your forwarder sees it.',
  acknowledged: (who: string) => `Acknowledged by ${who}`,
  yourForwarder: 'your forwarder',
  anApiKey: 'an API key',
  removedPerson: 'a former teammate',
  select: (what: string) => `Select ${what}`,
  selectAll: 'Select all shown',
  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear selection',
  done: (count: number) => (count === 1 ? 'Acknowledged.' : `${count} acknowledged.`),
  alreadyOver: (count: number) => (count === 1 ? '1 was already closed.' : `${count} were already closed.`),
  keys: { next: 'next', previous: 'previous', select: 'select', acknowledge: 'acknowledge', open: 'open' },
  keysLabel: 'Keyboard shortcuts',
  all: (count: string) => `View all ${count}`,
  history: 'All exceptions',
}
