/** A cell that a spreadsheet shows as an error, such as #DIV/0!. */
export type ErrorCell = { error: string }
export type Cell = string | number | boolean | Date | ErrorCell | null

/** The letter of a column: 0 is A, 25 is Z, 26 is AA. */
export function letterOf(index: number): string {
  const before = Math.floor(index / 26)
  return `${before === 0 ? '' : letterOf(before - 1)}${String.fromCodePoint(65 + (index % 26))}`
}

/** The trimmed text of a cell; empty for a cell without a value. */
export function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell === 'object') return cell.error
  return String(cell).trim()
}

export function isBlank(cell: Cell | undefined): boolean {
  return textOf(cell) === ''
}

/** The text that a cell displays: a date at midnight is shown without its time. */
export function shownText(cell: Cell | undefined): string {
  return cell instanceof Date ? dateText(cell) : textOf(cell)
}

function dateText(date: Date): string {
  return date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/\.\d+Z$/, '')
}
