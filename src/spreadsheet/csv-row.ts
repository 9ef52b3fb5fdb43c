import { type Cell, shownText } from './cell.js'

export function csvRow(cells: Cell[]): string {
  return `${cells.map(csvField).join(',')}\r\n`
}

function csvField(cell: Cell): string {
  const text = typeof cell === 'string' ? escapeFormulas(shownText(cell)) : shownText(cell)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// Spreadsheet programs evaluate text that begins with one of these characters, also after a separator or line break within a
// field (CSV injection). Plain numbers and a single dash are harmless and stay as they are.
const start = String.raw`(?<=^|[;\t\r\n])([^\S\t\r\n]*)`
const harmless = String.raw`(?:[-+]?\d+(?:[.,]\d+)?|-)\s*(?:$|[;\t\r\n])`
// Text that already begins with apostrophes gets one more, so that unescaping restores it exactly.
const marks = `'*[=+@＝＋－＠-]`
const formulas = new RegExp(`${start}(?=${marks})(?!${harmless})`, 'g')
const escapedFormulas = new RegExp(`${start}'(?=${marks})`, 'g')

function escapeFormulas(text: string): string {
  return text.replaceAll(formulas, "$1'")
}

/** Removes the apostrophes that keep spreadsheet programs from evaluating a text as a formula. */
export function unescapeFormulas(text: string): string {
  return text.replaceAll(escapedFormulas, '$1')
}
