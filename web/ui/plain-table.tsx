import type { ReactNode } from 'react'
import { ChangeMark } from './change-mark.js'
import styles from './plain-table.module.css'
import { useChanges } from './use-changes.js'

export type PlainColumn<Row> = {
  id: string
  header: string
  cell(row: Row): ReactNode
  align?: 'right'
  /** The name of the row. */
  isName?: boolean
  /** Of several tables below each other, whose columns are to be in line. */
  width?: string
  /** Needs no visible heading. */
  isPlain?: boolean
}

type Props<Row> = {
  label: string
  columns: PlainColumn<Row>[]
  rows: Row[]
  rowKey(row: Row): string
  isFaint?(row: Row): boolean
  /** Marks what comes or changes while the list is looked at; `''` if rows only come. */
  versionOf?(row: Row): string
}

/** A short table without row links. On a phone each row is a card. */
export function PlainTable<Row>({ label, columns, rows, rowKey, isFaint, versionOf }: Props<Row>) {
  const { marks } = useChanges(
    versionOf && {
      list: label,
      versions: rows.map((row) => [rowKey(row), versionOf(row)]),
      isComplete: true,
    },
  )
  // With explicit roles: on a phone the layout is not that of a table.
  return (
    <div className={styles.frame}>
      <table role="table" className={styles.table} aria-label={label}>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row">
            {columns.map(({ id, header, align, isPlain, width }) => (
              <th key={id} role="columnheader" scope="col" data-align={align} style={{ width }}>
                {isPlain ? <span className="visually-hidden">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" data-faint={isFaint?.(row) || undefined}>
              {columns.map((column) => (
                <Cell key={column.id} column={column}>
                  {column.isName && <ChangeMark mark={marks.get(rowKey(row))} />}
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({ column, children }: { column: PlainColumn<Row>; children: ReactNode }) {
  const { header, align, isName, isPlain } = column
  if (isName) {
    return (
      <th role="rowheader" scope="row">
        {children}
      </th>
    )
  }
  return (
    <td role="cell" data-align={align} data-label={isPlain ? undefined : header} data-plain={isPlain || undefined}>
      {children}
    </td>
  )
}
