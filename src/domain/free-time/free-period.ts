import type { FreeTimeTerm } from '../../contract/operator/free-time.js'
import { type DayNumber, dayOf, startOfDay } from '../dates/local-days.js'
import { day, hour } from '../dates/local-time.js'
import {
  countOpenDays,
  countWorkingDays,
  lastOfWorkingDays,
  type WorkingCalendar,
  workingDayFrom,
} from './working-days.js'

/** The days of a free period, in the local days of one place. */

export type PeriodPlace = { timeZone: string; calendar: WorkingCalendar }

/** The last day and the last instant that are free, and the first day that may be charged. */
export type FreeEnd = { lastDay: DayNumber; lastInstant: number; firstCharged: DayNumber }

/** The first day that counts. */
export function firstDay({ start_rule }: FreeTimeTerm, start: number, { timeZone, calendar }: PeriodPlace): DayNumber {
  const dayOfEvent = dayOf(start, timeZone)
  if (start_rule === 'next_day') return dayOfEvent + 1
  if (start_rule === 'next_working_day') return workingDayFrom(calendar, dayOfEvent + 1)
  return dayOfEvent
}

export function computedEnd(term: FreeTimeTerm, start: number, extra: number, place: PeriodPlace): FreeEnd {
  const { timeZone, calendar } = place
  if (term.unit === 'hours') {
    const lastInstant = start + term.free * hour + extra * day
    // The rest of the day on which hours end is charged. What ends at midnight has its last free day before.
    return { lastDay: dayOf(lastInstant - 1, timeZone), lastInstant, firstCharged: dayOf(lastInstant, timeZone) }
  }
  const first = firstDay(term, start, place)
  const count = term.free + extra
  const lastDay = term.unit === 'working_days' ? lastOfWorkingDays(calendar, first, count) : first + count - 1
  return endOfDay(lastDay, timeZone)
}

/** Of a given last free day, with the days that were granted after it was given. */
export function givenEnd(given: DayNumber, extra: number, term: FreeTimeTerm | undefined, place: PeriodPlace): FreeEnd {
  const isWorking = term?.unit === 'working_days' && extra > 0
  const lastDay = isWorking ? lastOfWorkingDays(place.calendar, given + 1, extra) : given + extra
  return endOfDay(lastDay, place.timeZone)
}

function endOfDay(lastDay: DayNumber, timeZone: string): FreeEnd {
  return { lastDay, lastInstant: startOfDay(lastDay + 1, timeZone) - 1, firstCharged: lastDay + 1 }
}

/** How many days are charged until an instant. */
export function chargedDays(
  { lastInstant, firstCharged }: FreeEnd,
  until: number,
  afterFree: FreeTimeTerm['after_free'],
  { timeZone, calendar }: PeriodPlace,
): number {
  if (until <= lastInstant) return 0
  const count = afterFree === 'working' ? countWorkingDays : countOpenDays
  return count(calendar, firstCharged, dayOf(until, timeZone))
}

/** How much of the free time has begun at an instant, in its unit. */
export function usedTime(
  term: FreeTimeTerm,
  { start, until, end }: { start: number; until: number; end: FreeEnd },
  place: PeriodPlace,
): number {
  if (term.unit === 'hours') return Math.max(0, Math.ceil((Math.min(until, end.lastInstant) - start) / hour))
  const first = firstDay(term, start, place)
  const last = Math.min(dayOf(until, place.timeZone), end.lastDay)
  if (term.unit === 'working_days') return countWorkingDays(place.calendar, first, last)
  return Math.max(0, last - first + 1)
}
