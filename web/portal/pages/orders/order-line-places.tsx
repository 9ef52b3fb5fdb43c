import type { LineArrival, LineArrivals } from '../../../../src/contract/public/inbound.js'
import type { AssignedLine, PurchaseOrderLine, ShippedLine } from '../../../../src/contract/public/purchase-order.js'
import { orderProgressOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { AppLink } from '../../../ui/app-link.js'
import { LateChip, ShipmentStatusBadge } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExpectedDay } from '../inbound/expected-day.js'
import styles from './orders.module.css'

type Props = {
  line: PurchaseOrderLine
  arrivals: LineArrivals | undefined
  shipmentPath(svc_shipment_id: string): string
}

/** Where the pieces of an order line are: by shipment with its date, and what is not assigned. */
export function OrderLinePlaces({ line, arrivals, shipmentPath }: Props) {
  const m = useMessages()
  const format = useFormat()
  const { assigned_order_lines = [] } = line
  const { unassigned } = orderProgressOf([line])
  const arrivalOf = new Map(arrivals?.arrivals.map((each) => [each.svc_shipment_id, each]))
  return (
    <ul className={styles.places}>
      {assigned_order_lines.map((assigned) => (
        <Place
          key={assigned.svc_shipment_id}
          assigned={assigned}
          arrival={arrivalOf.get(assigned.svc_shipment_id)}
          path={shipmentPath(assigned.svc_shipment_id)}
        />
      ))}
      {unassigned > 0 && (
        <li className={styles.place}>
          <span className={styles.placeQuantity}>{format.number(unassigned)}</span>
          <span className="soft">{m.order.notAssigned}</span>
        </li>
      )}
    </ul>
  )
}

type PlaceProps = { assigned: AssignedLine; arrival: LineArrival | undefined; path: string }

function Place({ assigned, arrival, path }: PlaceProps) {
  const format = useFormat()
  const { svc_shipment_id, assigned_quantity, shipment_status, shipped_order_lines = [] } = assigned
  return (
    <li className={styles.place}>
      <span className={styles.placeQuantity}>{format.number(assigned_quantity)}</span>
      <div>
        <p className={styles.placeFacts}>
          <AppLink href={path}>{arrival?.shipment_name ?? svc_shipment_id}</AppLink>
          {shipment_status && <ShipmentStatusBadge status={shipment_status} />}
          {arrival && shipment_status !== 'cancelled' && <ExpectedDay {...arrival} />}
          <LateChip days={arrival?.days_late ?? 0} />
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
