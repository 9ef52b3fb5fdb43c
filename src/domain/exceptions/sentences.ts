import type { ExceptionDetails, ReasonKey } from '../../contract/public/exception.js'
import type { Condition } from './condition.js'

/** The reason of an exception in one English sentence. The portal has the same in its languages. */
export function reasonSentence({
  reason_key,
  details,
  container_number,
}: Pick<Condition, 'reason_key' | 'details' | 'container_number'>): string {
  const text = sentences[reason_key](details)
  return container_number === undefined ? text : `${container_number}: ${text}`
}

const milestoneNames = {
  pickup_date: 'pick-up',
  departure_date: 'departure',
  arrival_date: 'arrival',
  delivery_date: 'delivery',
}

const sentences: Record<ReasonKey, (details: ExceptionDetails) => string> = {
  late_by_dates: ({ date, desired_date, days = 0 }) =>
    days === 0
      ? `Expected on ${on(date)}, at the end of the desired day.`
      : `Expected on ${on(date)}, ${plural(days, 'day')} after the desired ${desired_date}.`,
  late_today: ({ desired_date }) => `Desired by ${desired_date}, and not delivered yet.`,
  date_moved: ({ milestone, date, previous_date, hours = 0 }) =>
    `The ${named(milestone)} moved from ${at(previous_date)} to ${at(date)}: ${plural(Math.abs(hours), 'hour')} ${hours > 0 ? 'later' : 'earlier'}.`,
  milestone_overdue: ({ milestone, date }) =>
    `The ${named(milestone)} was expected on ${at(date)}, and nothing has been reported since.`,
  rolled: ({ code, place, vessel }) =>
    `${code === 'OFFLOADED' ? `Offloaded${vessel === undefined ? '' : ` from ${vessel}`}` : `Left behind${vessel === undefined ? '' : ` by ${vessel}`}`}${atPlace(place)}, and not loaded again.`,
  not_loaded: ({ vessel, place, date }) =>
    `The vessel${vesselName(vessel)} left${from(place)} on ${at(date)}, and the container was not loaded.`,
  later_sailing: ({ vessel, date, previous_date }) =>
    `Moved to a later sailing${vessel === undefined ? '' : `, ${vessel}`}: ${at(date)} instead of ${at(previous_date)}.`,
  connection_departed: ({ vessel, place, date }) =>
    `The connect${vessel === undefined ? 'ion' : `ing vessel ${vessel}`} left${from(place)} on ${at(date)} without it.`,
  connection_short: ({ place, date, other_date }) =>
    `The connection${atPlace(place)} leaves on ${at(date)}; the arrival there is on ${at(other_date)}.`,
  held: ({ code, place, date }) =>
    `Held by ${code === 'CARRIER_HOLD' ? 'the carrier' : 'customs'}${atPlace(place)}${date === undefined ? '' : ` since ${on(date)}`}.`,
  inspected: ({ place, date }) =>
    `Inspected by customs${atPlace(place)}${date === undefined ? '' : ` since ${on(date)}`}.`,
  dwelling: ({ place, date }) => `Has not moved${atPlace(place)} since ${at(date)}.`,
  free_time_ending: ({ clock, day }) => `Free time (${clock}) ends on ${day}.`,
  free_time_passed: ({ clock, day, amounts = [] }) =>
    `Free time (${clock}) ended on ${day}${amounts.length > 0 ? `; ${money(amounts)} so far` : ''}.`,
  free_time_disagrees: ({ clock, day, other_day }) =>
    `The last free day (${clock}) is given as ${day}; by the terms it is ${other_day}.`,
  document_missing: ({ document = '' }) => `The ${document.replaceAll('_', ' ')} is missing.`,
  order_late: ({ date, desired_date, days }) =>
    `Desired by ${desired_date}${days === undefined ? ', and not delivered yet' : `, expected on ${on(date)}: ${days === 0 ? 'at the end of the day' : `${plural(days, 'day')} late`}`}.`,
  order_unassigned: ({ quantity = 0, day }) => `${quantity} not assigned to a shipment; desired ex factory on ${day}.`,
  order_short: ({ quantity = 0 }) => `${quantity} less shipped than assigned.`,
  no_news: ({ date }) => `Nothing has been reported since ${at(date)}.`,
  conflicting_dates: ({ milestone, date, other_date, source, other_source }) =>
    `The ${named(milestone)} was on ${at(date)}${sourceText(source)}, or on ${at(other_date)}${sourceText(other_source)}.`,
  invoice_overdue: ({ day, amounts = [] }) => `Was due on ${day}; ${money(amounts)} are open.`,
  unbilled: ({ date }) => `Delivered on ${on(date)}, and there is no invoice.`,
}

function on(date = ''): string {
  return date.slice(0, 10)
}

function at(date = ''): string {
  return `${date.slice(0, 10)} ${date.slice(11, 16)}`.trim()
}

function named(milestone: ExceptionDetails['milestone']): string {
  return milestone === undefined ? 'date' : milestoneNames[milestone]
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function vesselName(vessel: string | undefined): string {
  return vessel === undefined ? '' : ` ${vessel}`
}

function atPlace(place: string | undefined): string {
  return place === undefined ? '' : ` at ${place}`
}

function from(place: string | undefined): string {
  return place === undefined ? '' : ` ${place}`
}

function sourceText(source: string | undefined): string {
  return source === undefined ? '' : ` (${source})`
}

function money(amounts: NonNullable<ExceptionDetails['amounts']>): string {
  return amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(' and ')
}
