import type { KeyboardEvent, MouseEvent } from 'react'
import type { Range } from './edits.js'

/** Where keys and the pointer lead in the grid. */

export type Cell = { row: number; column: number }
export type Movement =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'start'
  | 'end'
  | 'top'
  | 'bottom'
  | 'first-row'
  | 'last-row'
  | 'page-up'
  | 'page-down'

const pageRows = 20

/** Stays within the grid. At the end of a row, left and right go on in the next one. */
export function moved({ row, column }: Cell, { rows, columns }: { rows: number; columns: number }, by: Movement): Cell {
  const lastRow = Math.max(0, rows - 1)
  const within = (value: number) => Math.min(lastRow, Math.max(0, value))
  switch (by) {
    case 'up':
      return { row: within(row - 1), column }
    case 'down':
      return { row: within(row + 1), column }
    case 'page-up':
      return { row: within(row - pageRows), column }
    case 'page-down':
      return { row: within(row + pageRows), column }
    case 'start':
      return { row, column: 0 }
    case 'end':
      return { row, column: columns - 1 }
    case 'first-row':
      return { row: 0, column }
    case 'last-row':
      return { row: lastRow, column }
    case 'top':
      return { row: 0, column: 0 }
    case 'bottom':
      return { row: lastRow, column: columns - 1 }
    case 'left':
      if (column > 0) return { row, column: column - 1 }
      return row > 0 ? { row: row - 1, column: columns - 1 } : { row, column }
    case 'right':
      if (column < columns - 1) return { row, column: column + 1 }
      return row < lastRow ? { row: row + 1, column: 0 } : { row, column }
  }
}

export function movementOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Movement | undefined {
  const isCommand = ctrlKey || metaKey
  switch (key) {
    case 'ArrowUp':
      return isCommand ? 'first-row' : 'up'
    case 'ArrowDown':
      return isCommand ? 'last-row' : 'down'
    case 'ArrowLeft':
      return 'left'
    case 'ArrowRight':
      return 'right'
    case 'Home':
      return isCommand ? 'top' : 'start'
    case 'End':
      return isCommand ? 'bottom' : 'end'
    case 'PageUp':
      return 'page-up'
    case 'PageDown':
      return 'page-down'
    case 'Enter':
      if (isCommand) return undefined
      return shiftKey ? 'up' : 'down'
    default:
      return undefined
  }
}

export function cellUnder({ target }: MouseEvent): Cell | undefined {
  const [row, column] = (target as Element).closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(' ') ?? []
  return row === undefined ? undefined : { row: Number(row), column: Number(column) }
}

/** As many empty cells as a range has. */
export function blankCells({ top, bottom, left, right }: Range): string[][] {
  return Array.from({ length: bottom - top + 1 }, () => Array.from({ length: right - left + 1 }, () => ''))
}
