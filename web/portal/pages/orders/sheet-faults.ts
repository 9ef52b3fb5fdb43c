import type { OrderSheetCheck } from '../../../../src/contract/portal/order-sheet.js'

/** Errors of a spreadsheet by cell. */

export type SheetFault = OrderSheetCheck['faults'][number]
export type SheetRow = OrderSheetCheck['rows'][number]

type Place = { row: number; sheet?: string | undefined; column?: string | undefined }

/** Element ID of a cell, or of a row if no column is given. */
export function cellId({ row, sheet = '', column }: Place): string {
  return `cell ${row} ${sheet} ${column ?? ''}`.replaceAll(/\s+/g, '-')
}

/** The errors without those of headings that can be assigned, which are listed as such. */
export function faultsToFix({ faults, fault_count, unknown_columns }: OrderSheetCheck) {
  const listed = faults.filter(({ row, column = '' }) => row !== 1 || !unknown_columns.includes(column))
  return { faults: listed, count: fault_count - (faults.length - listed.length) }
}

export function faultsByCell(faults: SheetFault[]): Map<string, string[]> {
  const cells = new Map<string, string[]>()
  for (const fault of faults) {
    const id = cellId(fault)
    cells.set(id, [...(cells.get(id) ?? []), fault.detail])
  }
  return cells
}
