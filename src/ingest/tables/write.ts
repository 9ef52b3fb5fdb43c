import type { Cell } from '../../spreadsheet/cell.js'
import type { Column, Table } from './columns.js'

/** The rows of a record: one, and one more for each further entry of its longest list. */
export function rowsOf(table: Table, record: object): Cell[][] {
  const lists = [...new Set(table.columns.flatMap(({ list }) => list ?? []))]
  const lengths = lists.map(({ path }) => entriesAt(record, path).length)
  return Array.from({ length: Math.max(1, ...lengths) }, (_, index) =>
    table.columns.map((column) => {
      const { list, path } = column
      if (list) return cellOf(column, valueAt(entriesAt(record, list.path)[index], path))
      return index === 0 || column === table.identifier ? cellOf(column, valueAt(record, path)) : null
    }),
  )
}

function cellOf({ type }: Column, value: unknown): Cell {
  if (value === undefined) return null
  if (type === 'texts') return (value as string[]).join('; ')
  return type === 'date' ? new Date(`${value as string}T00:00:00Z`) : (value as Cell)
}

function entriesAt(record: object, path: string[]): object[] {
  return (valueAt(record, path) ?? []) as object[]
}

function valueAt(node: unknown, path: string[]): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], node)
}
