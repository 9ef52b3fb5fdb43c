import type { ReactNode } from 'react'
import { ChangeMark } from '../../../ui/change-mark.js'
import { useChanges } from '../../../ui/use-changes.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import styles from '../my-work/work.module.css'

type Props<Row> = {
  label: string
  rows: Row[]
  rowKey: (row: Row) => string
  /** Marks what comes or changes while the list is looked at. */
  versionOf: (row: Row) => string
  /** Which list it is, with its filters; undefined while it shows the rows of another one. */
  list: string | undefined
  /** Whether there are no further rows. */
  isComplete: boolean
  nameHeader: string
  nameOf: (row: Row) => string
  columns: { header: string; cell: (row: Row) => ReactNode }[]
  open: Row | undefined
  onOpen: (row: Row) => void
  /** Of the open row. */
  detail: ReactNode
}

/** A list with the details of one row beside it; `j` and `k` move. */
export function DetailTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, versionOf, list, isComplete, nameHeader, nameOf, columns, open, onOpen, detail } = props
  const { feeds: m } = useOfficeMessages()
  const move = (by: number) => {
    const next = rows[open === undefined ? 0 : rows.indexOf(open) + by]
    if (next !== undefined) onOpen(next)
  }
  const { marks } = useChanges(
    list === undefined ? undefined : { list, versions: rows.map((row) => [rowKey(row), versionOf(row)]), isComplete },
  )
  useKeys({ j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1) })
  return (
    <div className={open === undefined ? undefined : styles.columns}>
      <div className={styles.list}>
        <table className={styles.queue} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{nameHeader}</th>
              {columns.map(({ header }, index) => (
                <th key={header} scope="col" className={index === 0 ? undefined : styles.wide}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)} aria-current={row === open ? 'true' : undefined} onClick={() => onOpen(row)}>
                <td>
                  <button type="button" className={`clipped ${styles.title}`}>
                    <ChangeMark mark={marks.get(rowKey(row))} />
                    {nameOf(row)}
                  </button>
                </td>
                {columns.map(({ header, cell }, index) => (
                  <td key={header} className={index === 0 ? undefined : styles.wide}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {detail && (
        <aside className={`panel ${styles.panel}`} aria-label={m.details} key={open && rowKey(open)}>
          {detail}
        </aside>
      )}
    </div>
  )
}
