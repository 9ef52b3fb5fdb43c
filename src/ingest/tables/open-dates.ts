import type { DateOrder } from '../../domain/records/liberal-values.js'
import { letterOf } from '../../spreadsheet/cell.js'
import type { CellPlace } from '../../spreadsheet/sheet.js'
import type { Header } from './header.js'

/** Dates whose day and month are distinguished only when the whole sheet is read. `row` and `index` are those of the cell. */
export type OpenDate = {
  path: string[]
  row: number
  index: number
  name: string
  text: string
  dates: Record<DateOrder, string>
}

/** The order of day and month in a sheet: stated, or shown by its other dates, unless they contradict each other. */
function orderOf({ statedOrder, dateOrders }: Header): DateOrder | undefined {
  return statedOrder ?? (dateOrders.size === 1 ? [...dateOrders][0] : undefined)
}

/** Sets the date in the record, or returns why it cannot be read. */
export function settleDate(
  data: Record<string, unknown>,
  { path, dates }: OpenDate,
  header: Header,
): string | undefined {
  const order = orderOf(header)
  if (order === undefined) {
    return 'could have the day or the month first: state the order of the dates (day-month or month-day), or write 2026-11-30'
  }
  let node = data
  for (const step of path.slice(0, -1)) {
    node[step] ??= {}
    node = node[step] as Record<string, unknown>
  }
  node[path.at(-1) as string] = dates[order]
  return undefined
}

/** What the warning says of a date that was settled. */
export function settledDate({ dates }: OpenDate, header: Header): string | undefined {
  const order = orderOf(header)
  return order && dates[order]
}

export function placeOfDate({ sheet }: Header, { row, index, name }: OpenDate): CellPlace {
  return { sheet, row, column: { letter: letterOf(index), name } }
}
