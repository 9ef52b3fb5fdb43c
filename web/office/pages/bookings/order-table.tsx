import { useEffect, useRef } from 'react'
import { useFormat } from '../../../portal/i18n/format.js'
import { AppLink } from '../../../ui/app-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { ChangeMark } from '../../../ui/change-mark.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { presentDay } from '../../../ui/clock.js'
import type { Mark } from '../../../ui/use-changes.js'
import type { OpenLine, OpenOrder } from '../../api/bookings.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './bookings.module.css'
import { keyOf, type Selection } from './selection.js'

export type Row = { order: OpenOrder; line: OpenLine; key: string }

// An order may have thousands of lines.
const linesAtFirst = 12

type Props = {
  orders: OpenOrder[]
  opened: Set<string>
  onOpen: (order: OpenOrder) => void
  active: Row | undefined
  selection: Selection
  isSelectable: boolean
  onActivate: (row: Row) => void
  /** With Shift, everything between the last one and this. */
  onSelect: (rows: Row[], isChosen: boolean, isRange: boolean) => void
  onQuantity: (key: string, quantity: string) => void
  /** Of orders that came or changed, by their name. */
  marks: ReadonlyMap<string, Mark>
}

export const nameOf = ({ account, reference }: OpenOrder) => `${account} ${reference}`

/** The lines that are shown, in order. */
export function rowsOf(orders: OpenOrder[], opened: Set<string>): Row[] {
  return orders.flatMap((order) =>
    shownLines(order, opened).map((line) => ({
      order,
      line,
      key: `${order.account} ${keyOf(order.reference, line.line)}`,
    })),
  )
}

function shownLines(order: OpenOrder, opened: Set<string>): OpenLine[] {
  return opened.has(nameOf(order)) ? order.lines : order.lines.slice(0, linesAtFirst)
}

/** Orders with their open lines below them. */
export function OrderTable(props: Props) {
  const { orders, opened, onOpen, active, selection, isSelectable, onActivate, onSelect, onQuantity, marks } = props
  const { bookings: m } = useOfficeMessages()
  const body = useRef<HTMLTableElement>(null)
  useEffect(() => {
    body.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.key])
  return (
    <table ref={body} className={styles.orders} aria-label={m.title}>
      <thead>
        <tr>
          {isSelectable && <td className={styles.check} />}
          <th scope="col" className={styles.number}>
            {m.line}
          </th>
          <th scope="col">{m.product}</th>
          <th scope="col" className={`${styles.figure} ${styles.ordered}`}>
            {m.ordered}
          </th>
          <th scope="col" className={styles.figure}>
            {m.open}
          </th>
          <th scope="col" className={styles.amount}>
            {m.book}
          </th>
        </tr>
      </thead>
      {orders.map((order) => {
        const rows = rowsOf([order], opened)
        const isOther = selection.account !== '' && selection.account !== order.account
        const chosen = (key: string) => (isOther ? undefined : selection.lines[key])
        const count = rows.filter(({ line }) => chosen(keyOf(order.reference, line.line))).length
        return (
          <tbody key={nameOf(order)} data-other={isOther || undefined}>
            <tr className={styles.order}>
              {isSelectable && (
                <td className={styles.check}>
                  <RowCheckbox
                    label={m.selectOrder(order.reference)}
                    checked={count === rows.length}
                    isPartial={count > 0 && count < rows.length}
                    disabled={isOther}
                    onChange={() => onSelect(rows, count < rows.length, false)}
                  />
                </td>
              )}
              <th scope="rowgroup" colSpan={5}>
                <OrderHead order={order} mark={marks.get(nameOf(order))} />
              </th>
            </tr>
            {rows.map((row) => (
              <LineRow
                key={row.key}
                row={row}
                quantity={chosen(keyOf(order.reference, row.line.line))?.quantity}
                isActive={row.key === active?.key}
                isSelectable={isSelectable}
                isOther={isOther}
                onActivate={() => onActivate(row)}
                onSelect={(isChosen, isRange) => onSelect([row], isChosen, isRange)}
                onQuantity={(quantity) => onQuantity(keyOf(order.reference, row.line.line), quantity)}
              />
            ))}
            {rows.length < order.lines.length && (
              <tr>
                {isSelectable && <td />}
                <td colSpan={5}>
                  <Button size="xs" variant="subtle" onClick={() => onOpen(order)}>
                    {m.moreLines(order.lines.length - rows.length)}
                  </Button>
                </td>
              </tr>
            )}
          </tbody>
        )
      })}
    </table>
  )
}

function OrderHead({ order, mark }: { order: OpenOrder; mark: Mark | undefined }) {
  const { bookings: m } = useOfficeMessages()
  const f = useFormat()
  const { account, account_name, reference, state, supplier_name, desired_ex_factory_date, desired_delivery_date } =
    order
  const wanted = desired_ex_factory_date ?? desired_delivery_date
  const isPast = wanted !== undefined && wanted < presentDay()
  return (
    <span className={styles.head}>
      <span>
        <ChangeMark mark={mark} />
        <AppLink href={paths.order(account, reference)} className="mono">
          {reference}
        </AppLink>
      </span>
      <span>{account_name}</span>
      {supplier_name !== undefined && <span className={`soft ${styles.wide}`}>{supplier_name}</span>}
      {state === 'partly_assigned' && <StatusBadge tone="planned">{m.partly}</StatusBadge>}
      <span className={styles.day}>
        {isPast && <StatusBadge tone="late">{m.past}</StatusBadge>}
        {wanted === undefined && <span className="soft">{m.noDay}</span>}
        {desired_ex_factory_date !== undefined && (
          <span className={styles.readyDay}>{m.readyOn(f.day(desired_ex_factory_date))}</span>
        )}
        {desired_delivery_date !== undefined && (
          <span className={`${styles.wantedDay} ${desired_ex_factory_date === undefined ? '' : 'soft'}`}>
            {m.wantedOn(f.day(desired_delivery_date))}
          </span>
        )}
      </span>
    </span>
  )
}

type LineProps = {
  row: Row
  quantity: string | undefined
  isActive: boolean
  isSelectable: boolean
  isOther: boolean
  onActivate: () => void
  onSelect: (isChosen: boolean, isRange: boolean) => void
  onQuantity: (quantity: string) => void
}

function LineRow({ row, quantity, isActive, isSelectable, isOther, onActivate, onSelect, onQuantity }: LineProps) {
  const { bookings: m } = useOfficeMessages()
  const f = useFormat()
  const { order, line } = row
  const title = m.lineOf(order.reference, line.line)
  return (
    <tr
      aria-current={isActive ? 'true' : undefined}
      data-selected={quantity !== undefined || undefined}
      onClick={onActivate}
    >
      {isSelectable && (
        <td className={styles.check}>
          <RowCheckbox
            label={m.select(title)}
            checked={quantity !== undefined}
            disabled={isOther}
            // The change of a checkbox is a click, which knows whether Shift was held.
            onChange={(event) => onSelect(event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        </td>
      )}
      <td className="mono">{line.line}</td>
      <td>
        <span className="clipped">
          {line.name ?? line.sku} {line.name !== undefined && <span className="soft mono">{line.sku}</span>}
        </span>
      </td>
      <td className={`${styles.figure} ${styles.ordered}`}>{f.number(line.ordered_quantity)}</td>
      <td className={styles.figure}>{f.number(line.open_quantity)}</td>
      <td className={styles.amount}>
        {quantity !== undefined && (
          <input
            type="text"
            inputMode="decimal"
            className={styles.quantity}
            aria-label={m.quantityOf(title)}
            value={quantity}
            onChange={(event) => onQuantity(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
            }}
          />
        )}
      </td>
    </tr>
  )
}
