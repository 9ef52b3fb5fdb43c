import { memo, type ReactNode } from 'react'
import { AppLink } from '../../../ui/app-link.js'
import type { FoundShipment } from '../../api/ops.js'
import { paths } from '../../paths.js'
import { columnFields, type FieldName, type Values } from '../shipment/shipment-fields.js'
import { CellEditor } from './cell-editor.js'
import { storedValues } from './edits.js'
import styles from './grid.module.css'

export const cellId = (row: number, column: number) => `grid-${row}-${column}`

type Props = {
  row: FoundShipment
  index: number
  /** Unsaved values of the row. */
  edited: Values | undefined
  base: Values | undefined
  /** Fields that somebody else has changed since the page was opened. */
  changed: FieldName[] | undefined
  active: number | undefined
  /** The selected columns, inclusive. */
  from: number | undefined
  to: number | undefined
  /** The text that an open editor starts with. */
  editing: string | undefined
  onEditorEnd: (value: string | undefined, move: 'down' | 'right' | 'left' | 'stay') => void
}

// Memoized: moving the active cell renders two rows, not all.
export const GridRow = memo(function GridRow(props: Props): ReactNode {
  const { row, index, edited, base, changed, active, from, to, editing, onEditorEnd } = props
  const { account, account_name, shipment } = row
  const stored = storedValues(row)
  const values = edited ?? stored
  const isSelected = (column: number) => from !== undefined && to !== undefined && column >= from && column <= to
  return (
    <tr aria-rowindex={index + 2} className={styles.row}>
      <th scope="row" className={styles.name}>
        <AppLink href={paths.shipment(account, shipment.svc_shipment_id)} tabIndex={-1}>
          {shipment.svc_shipment_id}
        </AppLink>
      </th>
      <td className={styles.customer} aria-colindex={2}>
        <span className={styles.text}>{account_name}</span>
      </td>
      {columnFields.map(({ text }, column) => (
        <td
          key={text}
          id={cellId(index, column)}
          role="gridcell"
          aria-colindex={column + 3}
          aria-selected={isSelected(column)}
          className={styles.cell}
          data-cell={`${index} ${column}`}
          data-active={column === active || undefined}
          data-edited={(base !== undefined && values[text] !== base[text]) || undefined}
          data-changed={changed?.includes(text) || undefined}
        >
          {column === active && editing !== undefined ? (
            <CellEditor start={editing} onEnd={onEditorEnd} />
          ) : (
            <span className={styles.text}>{values[text]}</span>
          )}
        </td>
      ))}
    </tr>
  )
})
