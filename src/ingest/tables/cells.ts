import {
  type DateOrder,
  readContainerNumber,
  readContainerType,
  readDecimal,
  readPortCode,
  readWrittenDate,
} from '../../domain/records/liberal-values.js'
import { readAs } from '../../domain/shipments/normalize-shipment.js'
import { type Cell, textOf } from '../../spreadsheet/cell.js'
import type { Column } from './columns.js'

/**
 * The value of a cell, read by the type of its field. `detail` is why it cannot be read; invalid values are left to the
 * validation of the whole record.
 */
export type CellReading = {
  value: unknown
  detail?: string
  /** Set where the value was normalised. */
  warning?: string
  /** Set where it depends on the order of day and month. */
  dates?: Record<DateOrder, string>
  /** Set where it shows the order of day and month. */
  order?: DateOrder
}

// A cell of these removes the stored value, where an empty one leaves it.
export const clearMarks = ['(clear)', '(effacer)']

export function isClearMark(cell: Cell): boolean {
  return typeof cell === 'string' && clearMarks.includes(cell.trim().toLowerCase())
}

export function readCell(column: Column, cell: Cell): CellReading {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return refuse(`holds ${cell.error}, not a value`)
  switch (column.type) {
    case 'text':
      return readText(cell)
    case 'texts':
      return readTexts(cell)
    case 'code':
      return readCode(cell)
    case 'number':
      return readNumber(cell)
    case 'boolean':
      return readBoolean(cell)
    case 'date':
      return readDate(cell)
    case 'date_time':
      return readDateTime(cell)
    case 'choice':
      return { value: matchChoice(column.choices, textOf(cell)) }
    case 'port':
      return readForm(cell, readPortCode)
    case 'container_number':
      return readForm(cell, readContainerNumber)
    case 'container_type':
      return readForm(cell, (text) => matchingChoice(column.choices, text) ?? readContainerType(text))
  }
}

function readForm(cell: Cell, read: (text: string) => string | undefined): CellReading {
  const { value: text, detail } = readText(cell)
  if (detail !== undefined) return refuse(detail)
  return normalized(text as string, read(text as string) ?? text)
}

function normalized(text: string, value: unknown): CellReading {
  const isSame = alike(String(value)) === alike(text)
  return isSame ? { value } : { value, warning: readAs(text, value) }
}

function refuse(detail: string): CellReading {
  return { value: undefined, detail }
}

// Spreadsheets store 15 significant digits: longer numbers have lost some.
const digits = 15
const largestExact = 10 ** digits

function readText(cell: Cell): CellReading {
  if (cell instanceof Date)
    return refuse('was made a date by the spreadsheet: format the cell as text, and write it again')
  if (typeof cell !== 'number') return { value: textOf(cell) }
  const shown = String(rounded(cell))
  if (Math.abs(cell) < largestExact && !shown.includes('e')) return { value: shown }
  return refuse('was made a number by the spreadsheet and lost digits: format the cell as text, and write it again')
}

function readTexts(cell: Cell): CellReading {
  const { value, detail } = readText(cell)
  if (detail !== undefined) return refuse(detail)
  const items = String(value).split(';')
  return { value: items.map((item) => item.trim()).filter((item) => item !== '') }
}

// Integers in the interface, but not always in practice: numbers become numbers, other text is kept.
function readCode(cell: Cell): CellReading {
  const { value, detail } = readText(cell)
  if (detail !== undefined) return refuse(detail)
  const number = Number(value)
  return { value: Number.isFinite(number) && String(number) === value ? number : value }
}

const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const decoratedNumber = /^[-+]?[\d.,'’\s]*\d[\d.,'’\s]*$/

function readNumber(cell: Cell): CellReading {
  if (typeof cell === 'number') return { value: rounded(cell) }
  if (cell instanceof Date) return refuse('must be a number; the spreadsheet shows a date')
  const text = textOf(cell)
  if (plainNumber.test(text)) return { value: Number(text) }
  if (!decoratedNumber.test(text)) return refuse('must be a number')
  const decimal = readDecimal(text)
  if (decimal !== undefined) return { value: decimal, warning: readAs(text, decimal) }
  return refuse('must be a number written like 1234.5: a point before the decimals, and nothing between the thousands')
}

// 3 * 1.1 is 3.3000000000000003 in the file, and 3.3 on the screen.
function rounded(number: number): number {
  return Number(number.toPrecision(digits))
}

const booleans = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])

function readBoolean(cell: Cell): CellReading {
  const value = booleans.get(textOf(cell).toLowerCase())
  return value === undefined ? refuse('must be true or false (or yes or no)') : { value }
}

function readDate(cell: Cell): CellReading {
  if (!(cell instanceof Date)) return readDateText(textOf(cell))
  const [date, time] = isoOf(cell).split('T')
  return time?.startsWith('00:00:00') ? { value: date } : refuse('must be a date without a time of day')
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/

function readDateText(text: string): CellReading {
  const written = isoDate.test(text) ? undefined : readWrittenDate(text)
  if (!written) return { value: text }
  if ('dates' in written) return { value: undefined, dates: written.dates }
  const { date, order } = written
  return { value: date, warning: readAs(text, date), ...(order && { order }) }
}

function readDateTime(cell: Cell): CellReading {
  if (!(cell instanceof Date)) return { value: textOf(cell) }
  const example = `${isoOf(cell).slice(0, 19)}+08:00`
  return refuse(`has no UTC offset, as dates of spreadsheets never do: write it as text, such as ${example}`)
}

// Times are stored as fractions of a day, which round to a millisecond less.
function isoOf(date: Date): string {
  return new Date(Math.round(date.getTime() / 1000) * 1000).toISOString()
}

/** `In progress` is in_progress, `eur` is EUR. Other values are left for the validation to refuse. */
function matchChoice(choices: string[], text: string): string {
  return matchingChoice(choices, text) ?? text
}

function matchingChoice(choices: string[], text: string): string | undefined {
  return choices.find((choice) => alike(choice) === alike(text))
}

function alike(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, '_')
}
