import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { CardList } from './card-list.js'
import { ColumnMenu } from './column-menu.js'
import { columnsThatFit, useColumnChoice, widthOf } from './column-visibility.js'
import { DataRow } from './data-row.js'
import styles from './data-table.module.css'
import { LoadMore } from './load-more.js'
import { useActiveRow } from './row-navigation.js'
import { Skeleton } from './skeleton.js'
import { SpacerRow } from './spacer-row.js'
import { type Mark, useChanges } from './use-changes.js'
import { useVirtualRows } from './virtual-rows.js'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The sort key of the query; without one the column cannot be sorted. */
  sort?: string
  /** The order that the first click sorts by. */
  firstOrder?: 'asc' | 'desc'
  align?: 'right'
  /** The least width, in pixels. */
  width?: number
  /** Takes the remaining width; without such a column all share it. */
  grow?: boolean
  /** Cannot be hidden. */
  always?: boolean
  /** Where not all columns fit, those with the highest rank are hidden first. Default: its position. */
  rank?: number
}

export type DataTableProps<Row> = {
  rows: Row[]
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  /** From `paths`. */
  rowLink: (row: Row) => string
  /** Accessible name. */
  label: string
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
  onSort?: (sort: string, order: 'asc' | 'desc') => void
  /** How a row looks on a phone. */
  card?: (row: Row) => ReactNode
  isLoading?: boolean
  hasMore?: boolean
  loadMore?: () => void
  empty?: ReactNode
  /** In pixels: 40 for one line, 48 for two. */
  rowHeight?: 40 | 48
  /** The choice of columns is stored under this name. */
  name: string
  /** Marks what comes or changes while the list is looked at. `list`: which one it is, with its filters. */
  changes?: { list: string; versionOf: (row: Row) => string }
}

const headHeight = 37
// The table is wider than its frame by the padding of its outer cells.
const overhang = 24
const narrow = 640
const menuWidth = 44
const placeholders = Array.from({ length: 12 }, (_, index) => index)

/** A list of records. The first column is the link, the whole row follows it, and arrow keys move between rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, card, isLoading = false, empty = null, hasMore = false, loadMore, changes, rowKey } = props
  const { marks } = useChanges(
    changes && !isLoading
      ? {
          list: changes.list,
          versions: rows.map((row) => [rowKey(row), changes.versionOf(row)]),
          isComplete: !hasMore,
        }
      : undefined,
  )
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const isEmpty = rows.length === 0 && !isLoading
  return (
    <div ref={frame} className={styles.frame}>
      {isEmpty ? (
        <div className="panel">{empty}</div>
      ) : card && width < narrow ? (
        <CardList {...props} card={card} isLoading={isLoading} marks={marks} />
      ) : (
        <Table {...props} room={width + overhang} isLoading={isLoading} marks={marks} />
      )}
      {hasMore && loadMore && !isLoading && <LoadMore count={rows.length} loadMore={loadMore} />}
    </div>
  )
}

type TableProps<Row> = DataTableProps<Row> & { room: number; isLoading: boolean; marks: ReadonlyMap<string, Mark> }

function Table<Row>(props: TableProps<Row>) {
  const { rows, columns, rowKey, rowLink, label, name, room, isLoading, rowHeight = 40, marks } = props
  const [choice, choose] = useColumnChoice(name)
  const fitting = useMemo(() => columnsThatFit(columns, choice, room - menuWidth), [columns, choice, room])
  const shown = useMemo(() => columns.filter(({ id }) => fitting.has(id)), [columns, fitting])
  const body = useRef<HTMLTableSectionElement>(null)
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey])
  const { first, last, scrollToRow } = useVirtualRows({ body, count: rows.length, rowHeight, headHeight })
  const { active, onKeyDown, onFocus } = useActiveRow({ body, keys, name, scrollToRow })

  return (
    <table
      className={styles.table}
      style={{ '--row': `${rowHeight}px` } as React.CSSProperties}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={isLoading}
    >
      <colgroup>
        {shown.map((column) => (
          <col key={column.id} style={column.grow ? {} : { width: widthOf(column) }} />
        ))}
        <col style={{ width: menuWidth }} />
      </colgroup>
      <thead>
        <tr>
          {shown.map((column) => (
            <HeadCell key={column.id} column={column} {...props} />
          ))}
          <td className={styles.menuCell}>
            <ColumnMenu columns={columns} choice={choice} shown={fitting} onChoose={choose} />
          </td>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={onKeyDown}>
        {isLoading ? (
          placeholders.map((row) => (
            <tr key={row} className={styles.row} aria-hidden="true">
              {shown.map(({ id }, column) => (
                <td key={id}>
                  <Skeleton height={12} width={`${[72, 54, 83, 61][(row + column) % 4]}%`} />
                </td>
              ))}
              <td />
            </tr>
          ))
        ) : (
          <>
            <SpacerRow height={first * rowHeight} />
            {rows.slice(first, last).map((row, offset) => {
              const index = first + offset
              return (
                <DataRow
                  key={keys[index]}
                  row={row}
                  columns={shown}
                  index={index}
                  id={`${name}-${index}`}
                  href={rowLink(row)}
                  isActive={index === active}
                  mark={marks.get(keys[index] ?? '')}
                  onFocus={onFocus}
                />
              )
            })}
            <SpacerRow height={(rows.length - last) * rowHeight} />
          </>
        )}
      </tbody>
    </table>
  )
}

type HeadProps<Row> = Pick<DataTableProps<Row>, 'sort' | 'order' | 'onSort'> & { column: Column<Row> }

function HeadCell<Row>({ column, sort, order, onSort }: HeadProps<Row>) {
  const { common } = useMessages()
  const { header, align, sort: by, firstOrder = 'asc' } = column
  const isSorted = by !== undefined && by === sort
  const other = order === 'asc' ? 'desc' : 'asc'
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      data-align={align}
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {by === undefined || !onSort ? (
        <span className={styles.cell}>{header}</span>
      ) : (
        <button
          type="button"
          className={styles.sort}
          title={isSorted ? (order === 'asc' ? common.sortedUp : common.sortedDown) : undefined}
          onClick={() => onSort(by, isSorted ? other : firstOrder)}
        >
          <span className="clipped">{header}</span>
          {isSorted && <Arrow size={14} aria-hidden="true" />}
        </button>
      )}
    </th>
  )
}

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(() => window.innerWidth)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}
