import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { shippedOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { useIsPhone } from '../../../ui/media-query.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { orderQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'

// Each order is a request; few shipments have more.
const shownAtFirst = 12

/** The orders of a shipment and the assigned quantities of their lines. */
export function OrdersSection({ shipment }: { shipment: Shipment }) {
  const m = useMessages().shipment.orders
  const { svc_shipment_id, purchase_order_references: references = [] } = shipment
  const [areAllShown, showAll] = useState(false)
  const shown = areAllShown ? references : references.slice(0, shownAtFirst)
  const results = useQueries({ queries: shown.map((reference) => orderQuery(reference)) })
  const Orders = useIsPhone() ? OrderList : OrderTable
  if (references.length === 0) {
    return (
      <Section title={m.title} anchor="orders">
        <p className="soft">{m.none}</p>
      </Section>
    )
  }
  return (
    <Section title={m.title} anchor="orders" aside={m.counted(references.length)} isBare>
      <Orders orders={shown.map((reference, index) => shipmentOrder(reference, results[index], svc_shipment_id))} />
      {shown.length < references.length && (
        <Button variant="subtle" size="xs" onClick={() => showAll(true)}>
          {m.showAll(references.length)}
        </Button>
      )}
    </Section>
  )
}

type Result = UseQueryResult<PurchaseOrder> | undefined
type Line = PurchaseOrder['purchase_order_lines'][number]
type ShipmentLine = { line: Line; assigned: number; shipped: number; containers: string[] }
type ShipmentOrder = { reference: string; supplier: string | undefined; lines: ShipmentLine[]; result: Result }

/** The lines of an order on this shipment. */
function shipmentOrder(reference: string, result: Result, shipmentId: string): ShipmentOrder {
  const lines = (result?.data?.purchase_order_lines ?? []).flatMap((line) =>
    (line.assigned_order_lines ?? [])
      .filter(({ svc_shipment_id }) => svc_shipment_id === shipmentId)
      .map((assigned) => ({
        line,
        assigned: assigned.assigned_quantity,
        shipped: shippedOf(assigned),
        containers: [...new Set((assigned.shipped_order_lines ?? []).flatMap((each) => each.container_number ?? []))],
      })),
  )
  return { reference, supplier: result?.data?.supplier_name, lines, result }
}

function OrderTable({ orders }: { orders: ShipmentOrder[] }) {
  const m = useMessages().shipment.orders
  const f = useFormat()
  const numbers = [m.assigned, m.shipped, m.ordered]
  return (
    <table className={styles.list}>
      <caption className="visually-hidden">{m.title}</caption>
      <thead>
        <tr>
          <th scope="col">{m.line}</th>
          <th scope="col">{m.product}</th>
          {numbers.map((header) => (
            <th key={header} scope="col" className="number">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      {orders.map((order) => (
        <tbody key={order.reference}>
          <tr className={styles.group}>
            <th scope="rowgroup" colSpan={5}>
              <OrderName order={order} />
            </th>
          </tr>
          {order.lines.map(({ line, assigned, shipped, containers }) => (
            <tr key={line.reference}>
              <td className="mono">{line.reference}</td>
              <td>
                <Product line={line} containers={containers} />
              </td>
              <td className="number strong">{f.number(assigned)}</td>
              <td className="number">{f.number(shipped)}</td>
              <td className="number soft">{f.number(line.ordered_quantity)}</td>
            </tr>
          ))}
          {order.lines.length === 0 && (
            <tr>
              <td colSpan={5}>
                <NoLines result={order.result} />
              </td>
            </tr>
          )}
        </tbody>
      ))}
    </table>
  )
}

function OrderList({ orders }: { orders: ShipmentOrder[] }) {
  const m = useMessages().shipment.orders
  const f = useFormat()
  const quantity = (header: string, value: number): ReactNode => (
    <div>
      <dt>{header}</dt>
      <dd>{f.number(value)}</dd>
    </div>
  )
  return (
    <div className={styles.tables}>
      {orders.map((order) => (
        <Fragment key={order.reference}>
          <p>
            <OrderName order={order} />
          </p>
          <ul className={styles.rows} aria-label={order.reference}>
            {order.lines.map(({ line, assigned, shipped, containers }) => (
              <li key={line.reference} className={styles.paragraph}>
                <Product line={line} containers={containers} />
                <dl>
                  {quantity(m.assigned, assigned)}
                  {quantity(m.shipped, shipped)}
                  {quantity(m.ordered, line.ordered_quantity)}
                </dl>
              </li>
            ))}
            {order.lines.length === 0 && (
              <li>
                <NoLines result={order.result} />
              </li>
            )}
          </ul>
        </Fragment>
      ))}
    </div>
  )
}

function OrderName({ order: { reference, supplier } }: { order: ShipmentOrder }) {
  return (
    <>
      <AppLink href={paths.order(reference)} className="mono">
        {reference}
      </AppLink>
      {supplier && <span className="soft"> {supplier}</span>}
    </>
  )
}

function Product({ line, containers }: Pick<ShipmentLine, 'line' | 'containers'>) {
  const m = useMessages().shipment.orders
  const { sku, name, description } = line.product
  return (
    <span className={styles.product}>
      <span>{name ?? description ?? sku}</span>
      <span className="small soft">
        <span className="mono">{sku}</span>
        {containers.length > 0 && <> · {m.inContainers(containers.join(', '))}</>}
      </span>
    </span>
  )
}

function NoLines({ result }: { result: Result }) {
  const m = useMessages().shipment.orders
  if (result?.isPending) return <Lines count={1} />
  if (result?.isError) return <SectionError error={result.error} retry={() => void result.refetch()} />
  return <span className="soft">{m.noLines}</span>
}
