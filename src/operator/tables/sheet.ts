/** What CSV and XLSX have in common: rows of cells below a header. */

/** A cell that a spreadsheet shows as an error, such as #DIV/0!. */
export type ErrorCell = { error: string }
export type Cell = string | number | boolean | Date | ErrorCell | null

/** Numbered as spreadsheet programs do: the header is row 1, empty rows count. */
export type Row = { number: number; cells: Cell[] }

export type Sheet = {
  /** Undefined where the file has no sheets. */
  name: string | undefined
  header: Cell[]
  rows: AsyncIterable<Row> | Iterable<Row>
}

/** A file that is no table at all; the message tells why. */
export class UnreadableTable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableTable'
  }
}

export type Place = {
  sheet: string | undefined
  row: number
  /** Undefined where a fault belongs to a whole row; without letter where the header does not have the column. */
  column: { letter: string | undefined; name: string } | undefined
}

export type CellFault = Place & { detail: string }

/** `Sheet1, row 7, column E (cargo.total_weight.value): must be a number` */
export function describeFault(fault: CellFault): string {
  return `${describePlace(fault)}: ${fault.detail}`
}

export function describePlace({ sheet, row, column }: Place): string {
  const letter = column?.letter === undefined ? '' : `, column ${column.letter}`
  const name = column?.name ? ` (${column.name})` : ''
  return `${sheet === undefined ? '' : `${sheet}, `}row ${row}${letter}${name}`
}

/** Why a record is refused whose first rows are somewhere else. */
export function repeatDetail(first: Place): string {
  return `is in ${describePlace(first)} already: rows of one record follow each other`
}

/** 0 is A, 25 is Z, 26 is AA. */
export function letterOf(index: number): string {
  const before = Math.floor(index / 26)
  return `${before === 0 ? '' : letterOf(before - 1)}${String.fromCodePoint(65 + (index % 26))}`
}

/** The cell as text, without the blanks around it; empty where it has no value. */
export function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell === 'object') return cell.error
  return String(cell).trim()
}

export function isBlank(cell: Cell | undefined): boolean {
  return textOf(cell) === ''
}
