import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { ShipmentStatusBadge } from '../../../ui/badges.js'
import { DayText } from '../../../ui/day-text.js'
import { JourneyStrip } from '../../../ui/journey-strip.js'
import { useMessages } from '../../i18n/messages.js'
import { Late, RouteText } from './columns.js'
import type { PortNames } from './port-names.js'
import styles from './shipments.module.css'

export function ShipmentCard({ shipment, names }: { shipment: Shipment; names: PortNames }) {
  const m = useMessages().shipments
  const { name, svc_shipment_id, status, main_tracking_dates: dates } = shipment
  const [label, date] =
    dates?.delivery_date?.status === 'actual'
      ? [m.columns.delivery, dates.delivery_date]
      : [m.columns.arrival, dates?.arrival_date]
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.name}>
          <span className={`strong ${styles.cardName}`}>{name ?? svc_shipment_id}</span>
          {name !== undefined && <span className="mono soft clipped">{svc_shipment_id}</span>}
        </span>
        {status && <ShipmentStatusBadge status={status} />}
      </div>
      <JourneyStrip shipment={shipment} names={names} size="small" />
      <div className={styles.cardFoot}>
        <RouteText shipment={shipment} names={names} />
        <Late shipment={shipment} />
      </div>
      {date && (
        <div className="small">
          <span className="soft">{label} </span>
          <DayText {...date} />
        </div>
      )}
    </div>
  )
}
