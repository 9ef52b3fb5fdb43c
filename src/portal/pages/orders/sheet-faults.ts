import type { OrderSheetCheck } from '../../../contract/portal/order-sheet.js'

/** The faults of a spreadsheet by their cells. */

export type SheetFault = OrderSheetCheck['faults'][number]
export type SheetRow = OrderSheetCheck['rows'][number]

type Place = { row: number; sheet?: string | undefined; column?: string | undefined }

/** What a cell, or a row where no column is named, is called in the page. */
export function cellId({ row, sheet = '', column }: Place): string {
  return `cell ${row} ${sheet} ${column ?? ''}`.replaceAll(/\s+/g, '-')
}

export function faultsByCell(faults: SheetFault[]): Map<string, string[]> {
  const cells = new Map<string, string[]>()
  for (const fault of faults) {
    const id = cellId(fault)
    cells.set(id, [...(cells.get(id) ?? []), fault.detail])
  }
  return cells
}
