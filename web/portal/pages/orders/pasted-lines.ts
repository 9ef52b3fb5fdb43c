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

/** Tab-separated cells, quoted where they contain a tab, a line break or a quote. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let rest = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n+$/, '')
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"(?=\t|\n|$)/.exec(rest)
    const plain = /^[^\t\n]*/.exec(rest) as RegExpExecArray
    row.push(quoted ? quoted[1]!.replaceAll('""', '"') : plain[0])
    rest = rest.slice((quoted ?? plain)[0].length)
    if (rest.startsWith('\n')) {
      rows.push(row)
      row = []
    } else if (rest === '\t') {
      row.push('')
    }
    rest = rest.slice(1)
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
}

const headings: Record<string, LineField> = {
  reference: 'reference',
  ref: 'reference',
  line: 'reference',
  linereference: 'reference',
  ligne: 'reference',
  sku: 'sku',
  productsku: 'sku',
  article: 'sku',
  item: 'sku',
  name: 'name',
  productname: 'name',
  nom: 'name',
  designation: 'name',
  quantity: 'ordered_quantity',
  qty: 'ordered_quantity',
  orderedquantity: 'ordered_quantity',
  quantite: 'ordered_quantity',
  qte: 'ordered_quantity',
  price: 'price',
  unitprice: 'price',
  unitpriceamount: 'price',
  prixunitaire: 'price',
  prix: 'price',
  currency: 'currency',
  unitpricecurrency: 'currency',
  devise: 'currency',
  hscode: 'hs_code',
  producthscode: 'hs_code',
  codesh: 'hs_code',
  description: 'description',
  productdescription: 'description',
  volume: 'volume',
}

function headingOf(cell: string): LineField | undefined {
  const letters = cell
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  return Object.hasOwn(headings, letters) ? headings[letters] : undefined
}

/** Fills the lines downwards and to the right from a field, and appends lines as needed. */
export function pasteInto(lines: LineDraft[], text: string, at: { line: number; field: LineField }): LineDraft[] {
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
  return filled.filter((line, index) => index < at.line + rows.length || !isBlankLine(line))
}
