import type { TableDateOrder } from '../../../contract/operator/tables.js'
import type { DateOrder } from '../../records/liberal-values.js'
import { type EventTime, readTime } from '../event-time.js'
import type { SheetColumns } from './table-columns.js'
import type { TableContext } from './table-context.js'
import type { Cells } from './table-row.js'
import { readTimeOfDay, readWritten, readZone, type WrittenTime } from './table-time.js'

type ReadMoment = (cells: Cells, field: 'date' | 'issued_at', zone: string | undefined) => EventTime | undefined

/** Reads the dates of a sheet in the order of day and month that is stated, or that its dates show. */
export function momentReader(sheet: SheetColumns, { settings }: TableContext): ReadMoment {
  const order = settings.dates ?? shownOrder(sheet)
  const ofSender = settings.time_zone === undefined ? undefined : readZone(settings.time_zone)
  return (cells, field, ofPlace) => {
    const text = cells.written(field)
    if (text === '') return undefined
    const written = readWritten(text, order) ?? {}
    const { date: day, dates } = written
    if (dates && day === undefined)
      throw cells.fault(
        field,
        `is ${quoted(text)}: the day or the month could be first; state the order of the dates of the sender`,
      )
    if (day === undefined)
      throw cells.fault(field, `is ${quoted(text)}: it must be a date such as 2026-11-30 or 2026-11-30 14:05`)
    const { time, offset } =
      field === 'date' ? withTimeOf(cells, written) : { time: written.time, offset: written.offset }
    const stated = offset === undefined ? ((field === 'date' ? zoneIn(cells) : undefined) ?? ofSender) : { offset }
    const fixed = stated && 'offset' in stated ? stated.offset : ''
    const found = readTime(`${day}T${time ?? '00:00:00'}${fixed}`, stated && 'zone' in stated ? stated.zone : ofPlace)
    if (found === undefined) throw cells.fault(field, `is ${quoted(text)}: it is no date that can be used`)
    // Spreadsheets write a day without a time as midnight.
    const isDay = time === undefined || (isOfSpreadsheet(text) && time === '00:00:00' && cells.written('time') === '')
    return { ...found, zone: stated ? 'given' : found.zone, precision: isDay ? 'day' : 'minute' }
  }
}

/** A date of a spreadsheet, not a text that somebody wrote. */
function isOfSpreadsheet(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)
}

/** The time of a column of its own counts where the date has none. */
function withTimeOf(cells: Cells, written: WrittenTime): Pick<WrittenTime, 'time' | 'offset'> {
  const text = cells.written('time')
  const isAtMidnight = written.time === undefined || written.time === '00:00:00'
  if (text === '' || !isAtMidnight) return written
  // Spreadsheets may show the time alone of a cell that has a date too.
  const read = readTimeOfDay(text) ?? timeOnly(readWritten(text, undefined))
  if (!read) throw cells.fault('time', `is ${quoted(text)}: it must be a time such as 14:05`)
  return { ...read, ...(read.offset === undefined && written.offset !== undefined && { offset: written.offset }) }
}

function timeOnly(written: WrittenTime | undefined): Pick<WrittenTime, 'time' | 'offset'> | undefined {
  return written?.time === undefined ? undefined : written
}

function zoneIn(cells: Cells): ReturnType<typeof readZone> {
  const text = cells.text('time_zone')
  if (text === '' || /^local[e]?$/i.test(text)) return undefined
  const zone = readZone(text)
  if (!zone)
    throw cells.fault(
      'time_zone',
      `is ${quoted(text)}: it must be an offset such as +08:00, or a zone such as Asia/Shanghai`,
    )
  return zone
}

/** The order of day and month that the dates of a sheet show, unless they contradict each other. */
function shownOrder({ columns, rows }: SheetColumns): TableDateOrder | undefined {
  const indexes = [...(columns.get('date') ?? []), ...(columns.get('issued_at') ?? [])].map(({ index }) => index)
  const orders = new Set<DateOrder>()
  for (const { cells } of rows) {
    for (const index of indexes) {
      const cell = cells[index]
      const order = typeof cell === 'string' && cell.length <= 60 ? readWritten(cell, undefined)?.order : undefined
      if (order) orders.add(order)
    }
  }
  return orders.size === 1 ? [...orders][0] : undefined
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}
