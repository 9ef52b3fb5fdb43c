import { type ReactNode, useId } from 'react'
import { AppLink } from './app-link.js'
import { ChangeMark } from './change-mark.js'
import styles from './data-table.module.css'
import { Skeleton } from './skeleton.js'
import type { Mark } from './use-changes.js'

type Props<Row> = {
  rows: Row[]
  rowKey: (row: Row) => string
  rowLink: (row: Row) => string
  label: string
  card: (row: Row) => ReactNode
  isLoading: boolean
  marks: ReadonlyMap<string, Mark>
}

const placeholders = [0, 1, 2, 3, 4]

/** The rows of a `DataTable` on a phone. */
export function CardList<Row>({ rows, rowKey, rowLink, label, card, isLoading, marks }: Props<Row>) {
  const prefix = useId()
  return (
    <ul className={styles.cards} aria-label={label} aria-busy={isLoading}>
      {isLoading
        ? placeholders.map((row) => (
            <li key={row} className={`panel ${styles.card}`} aria-hidden="true">
              <Skeleton height={14} width="60%" />
              <Skeleton height={10} mt={16} />
              <Skeleton height={12} mt={16} width="40%" />
            </li>
          ))
        : rows.map((row, index) => {
            const id = `${prefix}-${index}`
            return (
              <li key={rowKey(row)} className={`panel ${styles.card}`}>
                <AppLink href={rowLink(row)} className={styles.link} aria-labelledby={id}>
                  {' '}
                </AppLink>
                <div id={id}>
                  <ChangeMark mark={marks.get(rowKey(row))} />
                  {card(row)}
                </div>
              </li>
            )
          })}
    </ul>
  )
}
