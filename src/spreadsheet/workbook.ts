import { letterOf } from './cell.js'
import { UnreadableTable } from './sheet.js'

/** Facts that the XLSX library does not expose: cells with errors, and the extent of a sheet. */

export type CellError = { row: number; column: number; error: string }

// The library pads every row to the width of the sheet: a single far cell would allocate a billion.
const mostCells = 5_000_000

/** The errors of every sheet, in the order of the workbook. */
export function findErrors(files: Map<string, Buffer>): CellError[][] {
  const textOf = (path: string) => files.get(path)?.toString('utf8') ?? ''
  const paths = new Map(
    elementsOf(textOf('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ Id, Target }) => [Id, Target]),
  )
  return elementsOf(textOf('xl/workbook.xml'), 'sheet').map(({ id }) => {
    const path = (paths.get(id) ?? '').replace(/^\/xl\//, '')
    return errorsIn(textOf(`xl/${path}`))
  })
}

type OpenCell = { row: number; column: number; type: string | undefined; isFormula: boolean; value: string | undefined }

function errorsIn(xml: string): CellError[] {
  const errors: CellError[] = []
  let [rows, columns] = [0, 0]
  let cell: OpenCell | undefined
  for (const { name, attributes, isEmpty, end } of tagsOf(xml)) {
    if (name === '/c' && cell) {
      const { row, column } = cell
      const error = errorOf(cell)
      if (error !== undefined) errors.push({ row, column, error })
      cell = undefined
    } else if (cell && name === 'f') cell.isFormula = true
    else if (cell && name === 'v') cell.value ??= xml.slice(end, textEnd(xml, end))
    else if (name === 'c' && !isEmpty && !cell) {
      const { r = '', t } = attributesOf(attributes)
      const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(r) ?? []
      cell = { row: Number(digits), column: indexOf(letters), type: t, isFormula: false, value: undefined }
      rows = Math.max(rows, cell.row)
      columns = Math.max(columns, cell.column + 1)
      if (rows * columns > mostCells) {
        throw new UnreadableTable(`reaches to ${letterOf(columns - 1)}${rows}, which is too far; save it as CSV`)
      }
    }
  }
  if (cell) throw new UnreadableTable('is a damaged XLSX file')
  return errors
}

function errorOf({ type, isFormula, value }: OpenCell): string | undefined {
  if (type === 'e') return value || 'an error'
  return isFormula && value === undefined ? 'a formula that was never computed' : undefined
}

type Tag = {
  /** Without its namespace; that of a closing tag begins with a slash. */
  name: string
  attributes: string
  isEmpty: boolean
  /** The position after it. */
  end: number
}

/** The tags of a document. Every character is read once or twice: regular expressions would start again at every bracket. */
function* tagsOf(xml: string): Generator<Tag> {
  for (let start = xml.indexOf('<'); start >= 0; start = xml.indexOf('<', start + 1)) {
    const close = xml.indexOf('>', start)
    if (close < 0) return
    const isEmpty = xml[close - 1] === '/'
    const isClosing = xml[start + 1] === '/'
    const begin = start + (isClosing ? 2 : 1)
    const nameEnd = endOfName(xml, begin, close)
    const local = xml.slice(begin, nameEnd).replace(/^[^:]*:/, '')
    const attributes = xml.slice(nameEnd, isEmpty ? close - 1 : close)
    yield { name: isClosing ? `/${local}` : local, attributes, isEmpty, end: close + 1 }
    start = close
  }
}

function endOfName(xml: string, start: number, end: number): number {
  for (let position = start; position < end; position += 1) {
    if (' \t\r\n/'.includes(xml[position] as string)) return position
  }
  return end
}

function textEnd(xml: string, start: number): number {
  const end = xml.indexOf('<', start)
  return end < 0 ? xml.length : end
}

function elementsOf(xml: string, wanted: string): Record<string, string>[] {
  const elements: Record<string, string>[] = []
  for (const { name, attributes } of tagsOf(xml)) if (name === wanted) elements.push(attributesOf(attributes))
  return elements
}

/** The attributes of a tag, by their names without namespace. */
function attributesOf(text: string): Record<string, string> {
  const attributes: [string, string][] = []
  for (let start = 0; ; ) {
    const equals = text.indexOf('=', start)
    const quote = equals < 0 ? undefined : text.slice(equals + 1).trimStart()[0]
    if (quote !== '"' && quote !== "'") break
    const open = text.indexOf(quote, equals)
    const close = text.indexOf(quote, open + 1)
    if (close < 0) break
    const name = text.slice(start, equals).trim()
    attributes.push([name.slice(name.indexOf(':') + 1), text.slice(open + 1, close)])
    start = close + 1
  }
  return Object.fromEntries(attributes)
}

function indexOf(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) as number) - 64, 0) - 1
}
