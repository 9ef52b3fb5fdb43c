import { type WorkingDays, WorkingDaysFields } from '../../contract/operator/free-time.js'
import type { Fault } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import { calendarFaults } from './term-faults.js'
import type { TermRow } from './term-table.js'

/** Calendars as a table: a row a day. The weekend and the time zone of a place are in its first row. */

export const calendarColumns = ['place', 'weekend', 'time_zone', 'date', 'kind', 'name'] as const

const { faultsIn } = validatorOf(WorkingDaysFields)

export type NumberedRow = { number: number; cells: TermRow }

/** The calendars of all places of a table, each whole; faults by row and column. */
export function calendarsOfRows(rows: NumberedRow[]): {
  calendars: WorkingDays[]
  faults: (Fault & { row: number })[]
} {
  const calendars: WorkingDays[] = []
  const faults: (Fault & { row: number })[] = []
  const byPlace = new Map<string, NumberedRow[]>()
  for (const row of rows) {
    const place = (row.cells.place ?? '').toUpperCase()
    if (!/^[A-Z]{2}(?:\/[A-Z0-9]{3})?$/.test(place)) {
      faults.push({
        row: row.number,
        pointer: '/place',
        detail: 'must be a UN/LOCODE such as NL/RTM, or a country such as NL',
      })
      continue
    }
    const known = byPlace.get(place)
    if (known) known.push(row)
    else byPlace.set(place, [row])
  }
  for (const [place, own] of byPlace) {
    const dated = own.filter(({ cells }) => cells.date)
    const [first] = own
    const weekend = own.map(({ cells }) => cells.weekend).find(Boolean)
    const time_zone = own.map(({ cells }) => cells.time_zone).find(Boolean)
    const calendar = {
      ...(weekend && { weekend: weekend.split(/[\s,;]+/).map((day) => (/^\d$/.test(day) ? Number(day) : day)) }),
      ...(time_zone && { time_zone }),
      days: dated.map(({ cells: { date, kind, name } }) => ({
        date,
        kind: kind ? kind.toLowerCase() : 'holiday',
        ...(name && { name }),
      })),
    } as WorkingDaysFields
    const misfits = faultsIn(calendar)
    const wrong = misfits.length > 0 ? misfits : calendarFaults(place, calendar)
    for (const { pointer, detail } of wrong) {
      const [, field = '', index, column] = pointer.split('/')
      const row = field === 'days' && index !== undefined ? dated[Number(index)] : first
      faults.push({ row: row?.number ?? 0, pointer: `/${column ?? field}`, detail })
    }
    if (wrong.length === 0) calendars.push({ place, ...calendar })
  }
  return { calendars, faults }
}

export function rowsOfCalendar({ place, weekend = [], time_zone = '', days }: WorkingDays): string[][] {
  const first = [place, weekend.join(' '), time_zone]
  if (days.length === 0) return [[...first, '', '', '']]
  return days.map(({ date, kind, name = '' }, index) => [...(index === 0 ? first : [place, '', '']), date, kind, name])
}
