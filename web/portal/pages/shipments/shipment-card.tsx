import { ShipmentStatusBadge } from '../../../ui/badges.js'
import { JourneyStrip } from '../../../ui/journey-strip.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { DateCell, goodsOf, Late, type ListedShipment, RouteText } from './columns.js'
import type { PortNames } from './port-names.js'
import styles from './shipments.module.css'

export function ShipmentCard({ shipment, names }: { shipment: ListedShipment; names: PortNames }) {
  const m = useMessages().shipments
  const f = useFormat()
  const {
    name,
    svc_shipment_id,
    status,
    main_tracking_dates: dates,
    desired_delivery_date,
    purchase_order_references: orders = [],
  } = shipment
  // What comes next, with what holds it up.
  const milestone = dates?.delivery_date && dates.arrival_date?.status === 'actual' ? 'delivery_date' : 'arrival_date'
  const label = milestone === 'delivery_date' ? m.columns.delivery : m.columns.arrival
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.name}>
          <span className={`strong ${styles.cardName}`}>{goodsOf(shipment, names)}</span>
          {name !== undefined && <span className="mono soft clipped">{svc_shipment_id}</span>}
        </span>
        {status && <ShipmentStatusBadge status={status} />}
      </div>
      <JourneyStrip shipment={shipment} names={names} size="small" />
      <div className={styles.cardFoot}>
        <RouteText shipment={shipment} names={names} />
        <Late shipment={shipment} />
      </div>
      <dl className={styles.cardFacts}>
        {dates?.[milestone] && (
          <div>
            <dt>{label}</dt>
            <dd>
              <DateCell shipment={shipment} milestone={milestone} />
            </dd>
          </div>
        )}
        {desired_delivery_date && (
          <div>
            <dt>{m.columns.desired}</dt>
            <dd>{f.day(desired_delivery_date)}</dd>
          </div>
        )}
        {orders.length > 0 && (
          <div>
            <dt>{m.columns.orders}</dt>
            <dd className="mono clipped">{orders.length > 1 ? `${orders[0]} +${orders.length - 1}` : orders[0]}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}
