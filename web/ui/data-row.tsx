import { useRouter } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { ChangeMark } from './change-mark.js'
import { TabStopContext } from './copyable.js'
import styles from './data-table.module.css'
import { followRow } from './row-navigation.js'
import type { Mark } from './use-changes.js'

type Props<Row> = {
  row: Row
  columns: { id: string; align?: 'right'; cell: (row: Row) => ReactNode }[]
  index: number
  id: string
  href: string
  isActive: boolean
  mark: Mark | undefined
  onFocus: (index: number) => void
}

// Memoized: scrolling renders the table again for every row that comes into view.
export const DataRow = memo(function DataRow<Row>(props: Props<Row>) {
  const { row, columns, index, id, href, isActive, mark, onFocus } = props
  const router = useRouter()
  return (
    <TabStopContext value={isActive}>
      <tr
        className={styles.row}
        data-row={index}
        aria-rowindex={index + 2}
        onClick={(event) => followRow(event, router, href)}
        onAuxClick={(event) => followRow(event, router, href)}
        onFocus={() => onFocus(index)}
      >
        {columns.map((column, position) => (
          <td key={column.id} data-align={column.align}>
            {position === 0 && (
              <a href={href} className={styles.link} aria-labelledby={id} tabIndex={isActive ? 0 : -1}>
                {' '}
              </a>
            )}
            <div className={styles.cell} {...(position === 0 && { id })}>
              {position === 0 && <ChangeMark mark={mark} />}
              {column.cell(row)}
            </div>
          </td>
        ))}
        <td />
      </tr>
    </TabStopContext>
  )
}) as <Row>(props: Props<Row>) => ReactNode
