import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { clipboardCells, clipboardText } from '../../../ui/clipboard-cells.js'
import { SpacerRow } from '../../../ui/spacer-row.js'
import type { FoundShipment } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { columnFields, type FieldName } from '../shipment/shipment-fields.js'
import { cellsOf, type Edits, type Range, rowKeyOf, shownValues, withBlock } from './edits.js'
import styles from './grid.module.css'
import { cellId, GridRow } from './grid-row.js'
import { blankCells, type Cell, cellUnder, moved, movementOf } from './movement.js'

const rowHeight = 32
const fixedWidth = 130
// In pixels; what is left is shared out.
const widths: Partial<Record<FieldName, number>> = {
  name: 260,
  ready: 100,
  desired: 120,
  origin: 120,
  destination: 130,
  masterBill: 140,
  houseBill: 150,
  voyage: 90,
}
const headHeight = 33

type Props = {
  rows: FoundShipment[]
  edits: Edits
  changed: ReadonlyMap<string, FieldName[]>
  isReadOnly: boolean
  onChange: (next: (edits: Edits) => Edits) => void
  onUndo: () => void
  onRedo: () => void
  /** How many lines of a pasted block found no row. */
  onLeftOut: (lines: number) => void
}

/** Cells as in a spreadsheet: type to replace, F2 to edit, Enter down, Tab across, copy and paste of blocks. */
export function Grid({ rows, edits, changed, isReadOnly, onChange, onUndo, onRedo, onLeftOut }: Props) {
  const { grid: m, file } = useOfficeMessages()
  const table = useRef<HTMLTableElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: headHeight,
    useFlushSync: false,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = (items.at(-1)?.index ?? -1) + 1
  const [at, setAt] = useState<Cell>({ row: 0, column: 0 })
  // The other corner of the selection.
  const [anchor, setAnchor] = useState<Cell>(at)
  const [editing, setEditing] = useState<string>()
  // After Escape, Tab leaves the grid.
  const [isLeaving, setLeaving] = useState(false)
  const size = useMemo(() => ({ rows: rows.length, columns: columnFields.length }), [rows.length])
  const range: Range = {
    top: Math.min(at.row, anchor.row),
    bottom: Math.max(at.row, anchor.row),
    left: Math.min(at.column, anchor.column),
    right: Math.max(at.column, anchor.column),
  }

  const go = useCallback(
    (to: Cell, isExtending = false) => {
      setAt(to)
      if (!isExtending) setAnchor(to)
      virtualizer.scrollToIndex(to.row)
      document.getElementById(cellId(to.row, to.column))?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
    [virtualizer],
  )
  const put = (block: string[][]) => {
    if (!isReadOnly) onChange((old) => withBlock(old, rows, range, block))
  }
  const fillDown = () => {
    const [line = []] = cellsOf(rows, edits, { ...range, bottom: range.top })
    put(Array.from({ length: range.bottom - range.top + 1 }, () => line))
  }
  const edit = (start: string) => {
    if (isReadOnly || rows.length === 0) return
    setAnchor(at)
    setEditing(start)
  }
  // Read when an editor ends: a function that changed with the active cell would render all rows again with every key.
  const latest = useRef(at)
  useEffect(() => {
    latest.current = at
  }, [at])
  const onEditorEnd = useCallback(
    (value: string | undefined, move: 'down' | 'right' | 'left' | 'stay') => {
      const from = latest.current
      setEditing(undefined)
      if (value !== undefined) {
        const cell = { top: from.row, bottom: from.row, left: from.column, right: from.column }
        onChange((old) => withBlock(old, rows, cell, [[value]]))
      }
      if (move !== 'stay') go(moved(from, size, move))
      // A click elsewhere has moved the focus on purpose.
      if (document.activeElement?.closest('table') === table.current || document.activeElement === document.body) {
        table.current?.focus({ preventScroll: true })
      }
    },
    [size, rows, onChange, go],
  )

  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    if (rows.length === 0) return
    const isCommand = event.ctrlKey || event.metaKey
    const { key } = event
    if (key === 'Tab' && isLeaving) return
    setLeaving(key === 'Escape')
    const move = movementOf(event)
    if (move) go(moved(at, size, move), event.shiftKey && key !== 'Tab' && key !== 'Enter')
    else if (key === 'Tab') {
      const next = moved(at, size, event.shiftKey ? 'left' : 'right')
      // At either end Tab leaves the grid, as it does everywhere.
      if (next.row === at.row && next.column === at.column) return
      go(next)
    } else if (isCommand && key.toLowerCase() === 'z') (event.shiftKey ? onRedo : onUndo)()
    else if (isCommand && key.toLowerCase() === 'y') onRedo()
    else if (isCommand && key.toLowerCase() === 'd') fillDown()
    else if (isCommand && key.toLowerCase() === 'a') {
      setAnchor({ row: 0, column: 0 })
      setAt({ row: rows.length - 1, column: columnFields.length - 1 })
    } else if (isCommand || event.altKey) return
    else if (key === 'F2') edit(valueAt(at))
    else if (key === 'Delete' || key === 'Backspace') put(blankCells(range))
    else if (key.length === 1) edit(key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const valueAt = ({ row, column }: Cell): string => {
    const found = rows[row]
    const field = columnFields[column]
    return found && field ? shownValues(found, edits)[field.text] : ''
  }
  const select = (event: MouseEvent) => {
    const cell = cellUnder(event)
    if (!cell || editing !== undefined) return
    table.current?.focus({ preventScroll: true })
    setAt(cell)
    if (!event.shiftKey) setAnchor(cell)
    event.preventDefault()
  }

  return (
    <div ref={scroller} className={styles.scroller}>
      <table
        ref={table}
        role="grid"
        className={styles.grid}
        tabIndex={0}
        aria-label={m.title}
        aria-rowcount={rows.length + 1}
        aria-colcount={columnFields.length + 2}
        aria-multiselectable="true"
        aria-readonly={isReadOnly}
        aria-activedescendant={
          rows.length > 0 && at.row >= first && at.row < last ? cellId(at.row, at.column) : undefined
        }
        onKeyDown={onKeyDown}
        onMouseDown={select}
        onMouseOver={(event) => {
          const cell = event.buttons === 1 && editing === undefined ? cellUnder(event) : undefined
          if (cell) setAt(cell)
        }}
        onDoubleClick={(event) => {
          if (cellUnder(event)) edit(valueAt(at))
        }}
        onCopy={(event) => {
          event.clipboardData.setData('text/plain', clipboardText(cellsOf(rows, edits, range)))
          event.preventDefault()
        }}
        onCut={(event) => {
          event.clipboardData.setData('text/plain', clipboardText(cellsOf(rows, edits, range)))
          put(blankCells(range))
          event.preventDefault()
        }}
        onPaste={(event) => {
          const block = clipboardCells(event.clipboardData.getData('text/plain'))
          if (block.length === 0) return
          event.preventDefault()
          put(block)
          onLeftOut(Math.max(0, range.top + block.length - rows.length))
          if (block.length > 1 || (block[0]?.length ?? 0) > 1) {
            const width = Math.max(...block.map((line) => line.length))
            setAnchor({ row: range.top, column: range.left })
            setAt({
              row: Math.min(rows.length, range.top + block.length) - 1,
              column: Math.min(columnFields.length, range.left + width) - 1,
            })
          }
        }}
      >
        <colgroup>
          <col style={{ width: fixedWidth }} />
          <col style={{ width: fixedWidth }} />
          {columnFields.map(({ text }) => (
            <col key={text} style={{ width: widths[text] }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col" className={styles.name}>
              {m.shipment}
            </th>
            <th scope="col" className={styles.customer}>
              {m.customer}
            </th>
            {columnFields.map(({ text }) => (
              <th key={text} scope="col">
                {file[text]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <SpacerRow height={first * rowHeight} />
          {rows.slice(first, last).map((row, offset) => {
            const index = first + offset
            const key = rowKeyOf(row)
            const isInRange = index >= range.top && index <= range.bottom
            return (
              <GridRow
                key={key}
                row={row}
                index={index}
                edited={edits[key]?.values}
                base={edits[key]?.base}
                changed={changed.get(key)}
                active={index === at.row ? at.column : undefined}
                from={isInRange ? range.left : undefined}
                to={isInRange ? range.right : undefined}
                editing={index === at.row ? editing : undefined}
                onEditorEnd={onEditorEnd}
              />
            )
          })}
          <SpacerRow height={(rows.length - last) * rowHeight} />
        </tbody>
      </table>
    </div>
  )
}
