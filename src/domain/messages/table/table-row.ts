import type { TableColumns, TableField } from '../../../contract/operator/tables.js'
import { letterOf, type SheetColumns, type TableCell, type TableRow } from './table-columns.js'

/** Why a row is not used. */
export class RowFault extends Error {}

/** The cells of a row by their fields. */
export type Cells = {
  /** The text of the first column of a field, or its constant; empty if there is none. */
  text(field: TableField): string
  /** The texts of all columns of a field, or its constant; a cell may list several. */
  texts(field: TableField): string[]
  /** Like `text`; a date of a spreadsheet is written as such. */
  written(field: TableField): string
  /** A fault of a field, with its row and column. */
  fault(field: TableField | undefined, detail: string): RowFault
  /** `row 7, column C (Container)`. */
  at(field: TableField | undefined): string
}

const longestText = 1000

export function cellsOf({ number, cells }: TableRow, { sheet, columns }: SheetColumns, settings: TableColumns): Cells {
  function at(field: TableField | undefined): string {
    const [column] = (field && columns.get(field)) ?? []
    const named = column ? `, column ${letterOf(column.index)} (${column.heading.slice(0, 100)})` : ''
    return `${sheet === undefined ? '' : `${sheet.slice(0, 100)}, `}row ${number}${named}${column || !field ? '' : `, ${field}`}`
  }
  const fault = (field: TableField | undefined, detail: string) => new RowFault(`${at(field)}: ${detail}`)

  function textOf(field: TableField, cell: TableCell, isTime: boolean): string {
    if (typeof cell === 'string') return cell.slice(0, longestText)
    if ('error' in cell) throw fault(field, `holds ${cell.error.slice(0, 100)}, not a value`)
    if (isTime) return cell.date
    throw fault(field, 'was made a date by the spreadsheet: format the cell as text, and write it again')
  }

  function textsOf(field: TableField, isTime = false): string[] {
    const given = (columns.get(field) ?? []).map(({ index }) => textOf(field, cells[index] ?? '', isTime))
    const filled = given.filter((text) => clean(text) !== '')
    if (filled.length > 0) return filled
    return (settings.constants ?? []).flatMap((constant) => (constant.field === field ? constant.value : []))
  }

  return {
    text: (field) => clean(textsOf(field)[0] ?? ''),
    texts: (field) =>
      textsOf(field)
        .flatMap((text) => text.split(/[\r\n;,]+/))
        .map(clean)
        .filter((text) => text !== ''),
    written: (field) => clean(textsOf(field, true)[0] ?? ''),
    fault,
    at,
  }
}

/** Without characters that cannot be shown. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}
