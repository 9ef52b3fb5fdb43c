import type { Cell } from './cell.js'

/** What CSV and XLSX have in common: rows of cells below a header. */

/** Numbered as spreadsheet programs do: the header is row 1, empty rows count. */
export type Row = { number: number; cells: Cell[] }

export type Sheet = {
  /** Undefined where the file has no sheets. */
  name: string | undefined
  header: Cell[]
  rows: AsyncIterable<Row> | Iterable<Row>
}

/** Thrown for a file that cannot be read as a table; the message is the reason. */
export class UnreadableTable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableTable'
  }
}

export type CellPlace = {
  sheet: string | undefined
  row: number
  /** Undefined where a fault belongs to a whole row; without letter where the header does not have the column. */
  column: { letter: string | undefined; name: string } | undefined
}

export type CellFault = CellPlace & { detail: string }

/** `Sheet1, row 7, column E (cargo.total_weight.value): must be a number` */
export function describeFault(fault: CellFault): string {
  return `${describePlace(fault)}: ${fault.detail}`
}

export function describePlace({ sheet, row, column }: CellPlace): string {
  const letter = column?.letter === undefined ? '' : `, column ${column.letter}`
  const name = column?.name ? ` (${column.name})` : ''
  return `${sheet === undefined ? '' : `${sheet}, `}row ${row}${letter}${name}`
}
