import { columnsByHeading, plainHeading } from '../../../../src/domain/records/column-headings.js'
import { clipboardCells } from '../../../ui/clipboard-cells.js'
import { emptyLine, isBlankLine, type LineDraft, type LineField } from './order-draft.js'

/** Rows from a spreadsheet, pasted into the lines of an order. */

/** The columns of the form, from left to right. */
export const lineColumns = [
  'reference',
  'sku',
  'name',
  'ordered_quantity',
  'price',
  'currency',
  'hs_code',
] as const satisfies LineField[]

/** Whether a paste is more than one cell. */
export function isTable(text: string): boolean {
  return /[\t\n]/.test(text.replace(/[\r\n]+$/, ''))
}

/** The rows that have something in them. */
export function cellsOf(text: string): string[][] {
  return clipboardCells(text).filter((cells) => cells.some((cell) => cell.trim() !== ''))
}

const fieldOfColumn: Record<string, LineField> = {
  'product_lines.reference': 'reference',
  'product_lines.product.sku': 'sku',
  'product_lines.product.name': 'name',
  'product_lines.ordered_quantity': 'ordered_quantity',
  'product_lines.unit_price.amount': 'price',
  'product_lines.unit_price.currency': 'currency',
  'product_lines.product.hs_code': 'hs_code',
  'product_lines.product.description': 'description',
  'product_lines.product.hazardous_description': 'hazardous_description',
  'product_lines.volume': 'volume',
}

// Within the lines of one order, a reference is that of the line, and an item its product.
const furtherHeadings: Record<string, LineField> = {
  reference: 'reference',
  ref: 'reference',
  item: 'sku',
  name: 'name',
  nom: 'name',
  designation: 'name',
}

const columns = columnsByHeading('purchase_orders')

/** The words of an uploaded sheet, the names of the interface, and the labels of the form. */
function headingOf(cell: string): LineField | undefined {
  const plain = plainHeading(cell)
  if (Object.hasOwn(furtherHeadings, plain)) return furtherHeadings[plain]
  const column = columns.get(plain) ?? cell.trim()
  return Object.hasOwn(fieldOfColumn, column) ? fieldOfColumn[column] : undefined
}

export type Pasted = {
  lines: LineDraft[]
  /** The headings, or the places, of columns that have no field. */
  leftOut: string[]
}

/** Fills the lines downwards and to the right from a field, and appends lines as needed. */
export function pasteInto(lines: LineDraft[], text: string, at: { line: number; field: LineField }): Pasted {
  const [first = [], ...others] = cellsOf(text)
  const named = first.map(headingOf)
  // At least two headings: a single one may be a product called `volume`.
  const hasHeadings = named.filter((field) => field !== undefined).length >= 2
  const start = Math.max(0, lineColumns.indexOf(at.field as (typeof lineColumns)[number]))
  const fields: (LineField | undefined)[] = hasHeadings ? named : lineColumns.slice(start)
  const rows = hasHeadings ? others : [first, ...others]
  const filled = lines.map((line) => line)
  for (const [offset, cells] of rows.entries()) {
    const texts = cells.flatMap((cell, position) => {
      const field = fields[position]
      return field === undefined ? [] : [[field, field === 'currency' ? cell.trim().toUpperCase() : cell.trim()]]
    })
    const index = at.line + offset
    filled[index] = { ...(filled[index] ?? emptyLine()), ...(Object.fromEntries(texts) as Partial<LineDraft>) }
  }
  const leftOut = first.flatMap((heading, position) => {
    const isFilled = rows.some((cells) => (cells[position] ?? '').trim() !== '')
    if (fields[position] !== undefined || !isFilled) return []
    return [hasHeadings && heading.trim() !== '' ? heading.trim() : String(position + 1)]
  })
  return { lines: filled.filter((line, index) => index < at.line + rows.length || !isBlankLine(line)), leftOut }
}
