import { letterOf } from '../../spreadsheet/cell.js'
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

function errorsIn(xml: string): CellError[] {
  const errors: CellError[] = []
  let [rows, columns] = [0, 0]
  const close = /<\/(?:\w+:)?c>/g
  for (const open of xml.matchAll(/<(?:\w+:)?c(\s[^>]*[^/])>/g)) {
    close.lastIndex = open.index + open[0].length
    const closed = close.exec(xml)
    if (!closed) throw new UnreadableTable('is a damaged XLSX file')
    const content = xml.slice(open.index + open[0].length, closed.index)
    const attributes = attributesOf(open[1] ?? '')
    const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(attributes.r ?? '') ?? []
    const [row, column] = [Number(digits), indexOf(letters)]
    rows = Math.max(rows, row)
    columns = Math.max(columns, column + 1)
    if (rows * columns > mostCells) {
      throw new UnreadableTable(`reaches to ${letterOf(columns - 1)}${rows}, which is too far; save it as CSV`)
    }
    const error = errorOf(attributes.t, content)
    if (error !== undefined) errors.push({ row, column, error })
  }
  return errors
}

function errorOf(type: string | undefined, content: string): string | undefined {
  if (type === 'e') return /<(?:\w+:)?v>([^<]*)</.exec(content)?.[1] ?? 'an error'
  const isFormula = /<(?:\w+:)?f[\s/>]/.test(content)
  return isFormula && !/<(?:\w+:)?v[\s/>]/.test(content) ? 'a formula that was never computed' : undefined
}

function elementsOf(xml: string, name: string): Record<string, string>[] {
  return [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(\\s[^>]*)>`, 'g'))].map(([, text = '']) => attributesOf(text))
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w]+)\s*=\s*["']([^"']*)["']/g)].map(([, name, value]) => [name, value]),
  )
}

function indexOf(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) as number) - 64, 0) - 1
}
