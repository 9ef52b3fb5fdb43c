import { IconChevronRight } from '@tabler/icons-react'
import { Fragment, useId, useState } from 'react'
import type { LineArrivals, OrderArrivals } from '../../../../src/contract/public/inbound.js'
import type { PurchaseOrderLine } from '../../../../src/contract/public/purchase-order.js'
import { LateChip } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExpectedDay } from '../inbound/expected-day.js'
import { OrderLinePlaces } from './order-line-places.js'
import styles from './order-lines-table.module.css'

type Props = {
  lines: PurchaseOrderLine[]
  arrivals: OrderArrivals | undefined
  shipmentPath(svc_shipment_id: string): string
}

/** The lines of an order. Each opens to the shipments and containers of its pieces. */
export function OrderLinesTable({ lines, arrivals, shipmentPath }: Props) {
  const m = useMessages()
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(lines.length === 1 ? lines.map(({ reference }) => reference) : []),
  )
  const turn = (reference: string) =>
    setOpened((before) => {
      const next = new Set(before)
      if (!next.delete(reference)) next.add(reference)
      return next
    })
  const arrivalsOf = new Map(arrivals?.lines.map((each) => [each.line, each]))
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={m.order.lines}>
        <thead>
          <tr>
            <th scope="col">{m.order.product}</th>
            <th scope="col" data-align="right">
              {m.orders.ordered}
            </th>
            <th scope="col" data-align="right">
              {m.order.unassigned}
            </th>
            <th scope="col" data-align="right">
              {m.order.unshipped}
            </th>
            <th scope="col">{m.orders.expected}</th>
            <th scope="col">
              <span className="visually-hidden">{m.inbound.late}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Fragment key={line.reference}>
              <LineRow
                line={line}
                arrivals={arrivalsOf.get(line.reference)}
                isOpen={opened.has(line.reference)}
                onTurn={() => turn(line.reference)}
                shipmentPath={shipmentPath}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = Pick<Props, 'shipmentPath'> & {
  line: PurchaseOrderLine
  arrivals: LineArrivals | undefined
  isOpen: boolean
  onTurn(): void
}

function LineRow({ line, arrivals, isOpen, onTurn, shipmentPath }: RowProps) {
  const m = useMessages()
  const format = useFormat()
  const id = useId()
  const { product, reference } = line
  const amount = (value: number | undefined) => (value === undefined || value === 0 ? '–' : format.number(value))
  return (
    <>
      <tr>
        <th scope="row">
          <button type="button" className={styles.turn} aria-expanded={isOpen} aria-controls={id} onClick={onTurn}>
            <IconChevronRight size={16} stroke={1.8} aria-hidden="true" />
            <span>
              <span className="strong">{product.name ?? product.description ?? product.sku}</span>
              <span className={styles.facts}>
                {m.order.lineReference(reference)} · <span className="mono">{product.sku}</span>
              </span>
            </span>
          </button>
        </th>
        <td data-align="right" data-label={m.orders.ordered}>
          {format.number(line.ordered_quantity)}
        </td>
        <td data-align="right" data-label={m.order.unassigned}>
          {amount(arrivals?.unassigned_quantity)}
        </td>
        <td data-align="right" data-label={m.order.unshipped}>
          {amount(arrivals?.unshipped_quantity)}
        </td>
        <td data-label={m.orders.expected}>{arrivals && <ExpectedDay {...arrivals} />}</td>
        <td>
          <LateChip days={arrivals?.days_late ?? 0} />
        </td>
      </tr>
      <tr id={id} hidden={!isOpen} className={styles.detail}>
        <td colSpan={6}>
          {isOpen && (
            <>
              <p className={styles.facts}>
                <Copyable text={product.sku} />
                {product.hs_code && <span>{m.order.hsCode(product.hs_code)}</span>}
                {line.unit_price && <span>{m.order.each(format.money(line.unit_price))}</span>}
                {product.name && product.description && <span>{product.description}</span>}
                {product.is_hazardous === 'true' && <span>{m.order.hazardous(product.hazardous_description)}</span>}
                {product.custom_parameters?.map(({ name, value }, index) => (
                  // Names are not unique.
                  <span key={`${index} ${name}`}>{`${name}${m.common.colon}${value}`}</span>
                ))}
              </p>
              <OrderLinePlaces line={line} arrivals={arrivals} shipmentPath={shipmentPath} />
            </>
          )}
        </td>
      </tr>
    </>
  )
}
