import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type ColumnDef, flexRender, getCoreRowModel, type Header, useReactTable } from '@tanstack/react-table'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMessages } from '../i18n/messages.js'
import { CardList } from './card-list.js'
import { columnsThatFit, useChosenColumns, widthOf } from './chosen-columns.js'
import { ColumnMenu } from './column-menu.js'
import { TabStopContext } from './copyable.js'
import styles from './data-table.module.css'
import { MoreRows } from './more-rows.js'
import { followRow, useActiveRow } from './row-keys.js'
import { Skeleton } from './skeleton.js'
import { useVisibleRows } from './visible-rows.js'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** What it is sorted by, where it can be. */
  sort?: string
  /** How it is sorted by the first click. */
  firstOrder?: 'asc' | 'desc'
  align?: 'right'
  /** In pixels: what it needs at least. */
  width?: number
  /** Takes the room that is left; where none does, all share it. */
  grow?: boolean
  /** Cannot be left out. */
  always?: boolean
}

export type DataTableProps<Row> = {
  rows: Row[]
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  /** From `paths`; the row opens it. */
  rowLink: (row: Row) => string
  /** What the table is, for those who do not see it. */
  label: string
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
  onSort?: (sort: string, order: 'asc' | 'desc') => void
  /** A row on a phone. */
  card?: (row: Row) => ReactNode
  isLoading?: boolean
  hasMore?: boolean
  loadMore?: () => void
  empty?: ReactNode
  /** What the choice of columns is remembered by, where not by the columns themselves. */
  name?: string
}

const rowHeight = 40
const narrow = 640
const menuWidth = 44
const placeholders = Array.from({ length: 12 }, (_, index) => index)

/** What people compare. The first column is the link; the whole row opens it, and arrow keys go from row to row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, card, isLoading = false, empty = null, hasMore = false, loadMore } = props
  const frame = useRef<HTMLDivElement>(null)
  const room = useRoom(frame)
  const isEmpty = rows.length === 0 && !isLoading
  return (
    <div ref={frame} className={styles.frame}>
      {isEmpty ? (
        <div className="panel">{empty}</div>
      ) : card && room < narrow ? (
        <CardList {...props} card={card} isLoading={isLoading} />
      ) : (
        <Table {...props} room={room} isLoading={isLoading} />
      )}
      {hasMore && loadMore && !isLoading && <MoreRows count={rows.length} loadMore={loadMore} />}
    </div>
  )
}

function Table<Row>(props: DataTableProps<Row> & { room: number; isLoading: boolean }) {
  const { rows, columns, rowKey, rowLink, label, room, isLoading } = props
  const name = props.name ?? columns.map(({ id }) => id).join(' ')
  const [choice, choose] = useChosenColumns(name)
  const shown = columnsThatFit(columns, choice, room - menuWidth)
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, last } = useVisibleRows(body, rows.length, rowHeight)
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey])
  const { active, onKeyDown, onFocus } = useActiveRow({ body, keys, name, rowHeight })
  const router = useRouter()
  const table = useReactTable<Row>({
    data: rows,
    columns: columns.map(columnDef),
    getCoreRowModel: getCoreRowModel(),
    state: { columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, shown.has(id)])) },
  })
  const headers = table.getFlatHeaders()
  const byId = new Map(columns.map((column) => [column.id, column]))
  const shownRows = table.getRowModel().rows.slice(first, last)

  return (
    <table className={styles.table} aria-label={label} aria-rowcount={rows.length + 1} aria-busy={isLoading}>
      <colgroup>
        {headers.map(({ id }) => (
          <col key={id} style={byId.get(id)?.grow ? {} : { width: widthOf(byId.get(id) ?? { id }) }} />
        ))}
        <col style={{ width: menuWidth }} />
      </colgroup>
      <thead>
        <tr>
          {headers.map((header) => (
            <HeadCell key={header.id} header={header} column={byId.get(header.id)} {...props} />
          ))}
          <td className={styles.menuCell}>
            <ColumnMenu columns={columns} choice={choice} shown={shown} onChoose={choose} />
          </td>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={onKeyDown}>
        {isLoading &&
          placeholders.map((row) => (
            <tr key={row} className={styles.row} aria-hidden="true">
              {headers.map(({ id }, column) => (
                <td key={id}>
                  <Skeleton height={12} width={`${[72, 54, 83, 61][(row + column) % 4]}%`} />
                </td>
              ))}
              <td />
            </tr>
          ))}
        {!isLoading && first > 0 && <Spacer rows={first} />}
        {!isLoading &&
          shownRows.map((row, offset) => {
            const index = first + offset
            const href = rowLink(row.original)
            const id = `${name}-${index}`
            return (
              <TabStopContext key={keys[index]} value={index === active}>
                <tr
                  className={styles.row}
                  data-row={index}
                  aria-rowindex={index + 2}
                  onClick={(event) => followRow(event, router, href)}
                  onAuxClick={(event) => followRow(event, router, href)}
                  onFocus={() => onFocus(index)}
                >
                  {row.getVisibleCells().map((cell, position) => (
                    <td key={cell.column.id} data-align={byId.get(cell.column.id)?.align}>
                      {position === 0 && (
                        <a
                          href={href}
                          className={styles.link}
                          aria-labelledby={id}
                          tabIndex={index === active ? 0 : -1}
                        >
                          {' '}
                        </a>
                      )}
                      <div className={styles.cell} {...(position === 0 && { id })}>
                        {flexRender(cell.column.columnDef.cell, cell.getContext())}
                      </div>
                    </td>
                  ))}
                  <td />
                </tr>
              </TabStopContext>
            )
          })}
        {!isLoading && last < rows.length && <Spacer rows={rows.length - last} />}
      </tbody>
    </table>
  )
}

function columnDef<Row>({ id, header, cell }: Column<Row>): ColumnDef<Row> {
  return { id, header, cell: ({ row }) => cell(row.original) }
}

type HeadProps<Row> = Pick<DataTableProps<Row>, 'sort' | 'order' | 'onSort'> & {
  header: Header<Row, unknown>
  column: Column<Row> | undefined
}

function HeadCell<Row>({ header, column, sort, order, onSort }: HeadProps<Row>) {
  const { common } = useMessages()
  const text = flexRender(header.column.columnDef.header, header.getContext())
  const by = column?.sort
  const isSorted = by !== undefined && by === sort
  const other = order === 'asc' ? 'desc' : 'asc'
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      data-align={column?.align}
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {by === undefined || !onSort ? (
        <span className={styles.cell}>{text}</span>
      ) : (
        <button
          type="button"
          className={styles.sort}
          title={isSorted ? (order === 'asc' ? common.sortedUp : common.sortedDown) : undefined}
          onClick={() => onSort(by, isSorted ? other : (column?.firstOrder ?? 'asc'))}
        >
          <span className="clipped">{text}</span>
          {isSorted && <Arrow size={14} aria-hidden="true" />}
        </button>
      )}
    </th>
  )
}

function Spacer({ rows }: { rows: number }) {
  return (
    <tr aria-hidden="true">
      <td className={styles.spacer} style={{ height: rows * rowHeight }} />
    </tr>
  )
}

function useRoom(frame: React.RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(() => window.innerWidth)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    setRoom(element.clientWidth)
    const observer = new ResizeObserver(() => setRoom(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return room
}
