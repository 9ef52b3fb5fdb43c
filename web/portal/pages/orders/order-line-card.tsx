import { IconAlertTriangle } from '@tabler/icons-react'
import type { AssignedLine, PurchaseOrderLine, ShippedLine } from '../../../../src/contract/public/purchase-order.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { orderProgressOf, quantitiesOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { AppLink } from '../../../ui/app-link.js'
import { ShipmentStatusBadge } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import { DayText } from '../../../ui/day-text.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './orders.module.css'
import { QuantityBar } from './quantity-bar.js'

type Shipments = ReadonlyMap<string, Shipment>

/** A line of an order with the shipments and containers of its pieces. */
export function OrderLineCard({ line, shipments }: { line: PurchaseOrderLine; shipments: Shipments }) {
  const m = useMessages()
  const format = useFormat()
  const { product, unit_price, assigned_order_lines = [] } = line
  const quantities = quantitiesOf([line])
  const { unassigned } = orderProgressOf([line])
  return (
    <li className={styles.lineCard}>
      <div className={styles.lineHead}>
        <div className={styles.product}>
          <h3>{product.name ?? product.description ?? product.sku}</h3>
          <p className={styles.productFacts}>
            <span>{m.order.lineReference(line.reference)}</span>
            <Copyable text={product.sku} />
            {product.hs_code && <span>{m.order.hsCode(product.hs_code)}</span>}
            {unit_price && <span>{m.order.each(format.money(unit_price))}</span>}
          </p>
          {product.name && product.description && <p className="small soft">{product.description}</p>}
          {product.is_hazardous === 'true' && (
            <p className={styles.hazard}>
              <IconAlertTriangle size={16} aria-hidden="true" /> {m.order.hazardous(product.hazardous_description)}
            </p>
          )}
          {product.custom_parameters?.map(({ name, value }, index) => (
            <p key={`${index} ${name}`} className="small soft">
              {name}
              {m.common.colon}
              {value}
            </p>
          ))}
        </div>
        <div className={styles.lineQuantities}>
          <dl>
            {(['ordered', 'assigned', 'shipped'] as const).map((name) => (
              <div key={name}>
                <dt>{m.orders[name]}</dt>
                <dd>{format.number(quantities[name])}</dd>
              </div>
            ))}
          </dl>
          <QuantityBar {...quantities} />
        </div>
      </div>
      <ul className={styles.places}>
        {assigned_order_lines.map((assigned) => (
          <Place
            key={assigned.svc_shipment_id}
            assigned={assigned}
            shipment={shipments.get(assigned.svc_shipment_id)}
          />
        ))}
        {unassigned > 0 && (
          <li className={styles.place}>
            <span className={styles.placeQuantity}>{format.number(unassigned)}</span>
            <span className="soft">{m.order.notAssigned}</span>
          </li>
        )}
      </ul>
    </li>
  )
}

function Place({ assigned, shipment }: { assigned: AssignedLine; shipment: Shipment | undefined }) {
  const m = useMessages()
  const format = useFormat()
  const { svc_shipment_id, assigned_quantity, shipment_status, shipped_order_lines = [] } = assigned
  const arrival = shipment?.main_tracking_dates?.arrival_date
  return (
    <li className={styles.place}>
      <span className={styles.placeQuantity}>{format.number(assigned_quantity)}</span>
      <div>
        <p className={styles.placeFacts}>
          <AppLink href={paths.shipment(svc_shipment_id)}>{shipment?.name ?? svc_shipment_id}</AppLink>
          {shipment_status && <ShipmentStatusBadge status={shipment_status} />}
          {arrival && shipment_status !== 'cancelled' && (
            <span>
              {arrival.status === 'actual' ? m.order.arrived : m.order.arrives}{' '}
              <DayText date={arrival.date} status={arrival.status} />
            </span>
          )}
        </p>
        {shipped_order_lines.length > 0 && (
          <ul className={styles.containers}>
            {shipped_order_lines.map((shipped, index) => (
              <InContainer key={`${index} ${shipped.container_number}`} shipped={shipped} />
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

function InContainer({ shipped }: { shipped: ShippedLine }) {
  const m = useMessages()
  const format = useFormat()
  const { container_number, shipped_quantity = 0, number_of_packages, packaging_type } = shipped
  const quantity = format.number(shipped_quantity)
  const { gross_weight, weight_unit = 'kg', packaging_total_volume, volume_unit = 'cbm' } = shipped
  const packages =
    number_of_packages !== undefined &&
    m.order.packages(
      format.number(number_of_packages),
      packaging_type && m.statuses.packaging[packaging_type],
      number_of_packages,
    )
  const facts = [
    packages,
    gross_weight !== undefined && format.weight({ value: gross_weight, unit: weight_unit }),
    packaging_total_volume !== undefined && format.volume({ value: packaging_total_volume, unit: volume_unit }),
  ].filter((fact) => fact !== false)
  return (
    <li>
      {container_number === undefined ? (
        m.order.loose(quantity)
      ) : (
        <>
          {m.order.shippedIn(quantity)} <Copyable text={container_number} />
        </>
      )}
      {facts.length > 0 && <span className="soft"> · {facts.join(' · ')}</span>}
    </li>
  )
}
