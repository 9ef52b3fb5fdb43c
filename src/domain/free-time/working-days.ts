import type { DayKind, WorkingDays } from '../../contract/operator/free-time.js'
import { type DayNumber, dayNumber, weekdayOf } from '../dates/local-days.js'

/** The days of one place: its own, and those of its country where it has none. */
export type WorkingCalendar = {
  weekend: ReadonlySet<number>
  days: ReadonlyMap<DayNumber, DayKind>
  /** Whether anything is known of the place: Saturdays and Sundays are assumed otherwise. */
  isKnown: boolean
}

const usualWeekend = [6, 7]

export function calendarOf(port: string | undefined, calendars: ReadonlyMap<string, WorkingDays>): WorkingCalendar {
  const own = port === undefined ? undefined : calendars.get(port)
  const country = port === undefined ? undefined : calendars.get(port.slice(0, 2))
  const days = new Map<DayNumber, DayKind>()
  for (const calendar of [country, own]) {
    for (const { date, kind } of calendar?.days ?? []) days.set(dayNumber(date), kind)
  }
  const weekend = own?.weekend ?? country?.weekend ?? usualWeekend
  return { weekend: new Set(weekend), days, isKnown: own !== undefined || country !== undefined }
}

export function isWorkingDay({ weekend, days }: WorkingCalendar, number: DayNumber): boolean {
  const kind = days.get(number)
  return kind === undefined ? !weekend.has(weekdayOf(number)) : kind === 'working'
}

/** The first working day that is not before the given one. */
export function workingDayFrom(calendar: WorkingCalendar, from: DayNumber): DayNumber {
  let number = from
  while (!isWorkingDay(calendar, number)) number += 1
  return number
}

/** The last of so many working days, the first of which may be the given day. Without any, the day before. */
export function lastOfWorkingDays(calendar: WorkingCalendar, from: DayNumber, count: number): DayNumber {
  let last = from - 1
  for (let counted = 0; counted < count; counted += 1) last = workingDayFrom(calendar, last + 1)
  return last
}

/** How many working days there are from one day to another, both included. */
export function countWorkingDays({ weekend, days }: WorkingCalendar, from: DayNumber, to: DayNumber): number {
  if (to < from) return 0
  const weeks = Math.floor((to - from + 1) / 7)
  let count = weeks * (7 - weekend.size)
  for (let number = from + weeks * 7; number <= to; number += 1) if (!weekend.has(weekdayOf(number))) count += 1
  for (const [number, kind] of days) {
    if (number < from || number > to) continue
    const isWeekend = weekend.has(weekdayOf(number))
    if (kind === 'working' && isWeekend) count += 1
    else if (kind !== 'working' && !isWeekend) count -= 1
  }
  return count
}

/** All days from one to another, both included, except those of unscheduled closures. */
export function countOpenDays({ days }: WorkingCalendar, from: DayNumber, to: DayNumber): number {
  if (to < from) return 0
  let count = to - from + 1
  for (const [number, kind] of days) if (kind === 'closure' && number >= from && number <= to) count -= 1
  return count
}
