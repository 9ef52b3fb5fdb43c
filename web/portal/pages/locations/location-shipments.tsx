import { useInfiniteQuery } from '@tanstack/react-query'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { AppLink } from '../../../ui/app-link.js'
import { ModeIcon, ShipmentStatusBadge } from '../../../ui/badges.js'
import { DayText } from '../../../ui/day-text.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { shipmentsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './locations.module.css'

const most = 5

/** The newest shipments picked up or delivered at a location. */
export function LocationShipments({ id }: { id: number }) {
  const m = useMessages().locations
  const format = useFormat()
  const { data, error, refetch } = useInfiniteQuery(shipmentsQuery({ location: id, take: most }))
  const [page] = data?.pages ?? []
  const { count, shipments = [] } = page ?? {}
  const all = count && count.value > 0 && (
    <AppLink href={paths.shipments({ location: id })}>
      {m.allShipments(format.number(count.value), count.exact)}
    </AppLink>
  )
  return (
    <Section title={m.shipmentsHere} aside={all} isBare={shipments.length > 0}>
      {!page && (error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={most} />)}
      {page && shipments.length === 0 && <p className="soft">{m.noShipments}</p>}
      {shipments.length > 0 && (
        <ul className={`panel ${styles.shipments}`}>
          {shipments.map((shipment) => (
            <li key={shipment.svc_shipment_id}>
              <ShipmentRow shipment={shipment} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function ShipmentRow({ shipment }: { shipment: Shipment }) {
  const m = useMessages().shipments.columns
  const { svc_shipment_id, name = svc_shipment_id, freight_mode, status, main_tracking_dates: dates } = shipment
  return (
    <AppLink href={paths.shipment(svc_shipment_id)} className={styles.shipment}>
      {freight_mode && <ModeIcon mode={freight_mode} />}
      <span className={styles.shipmentText}>
        <span className="clipped">{name}</span>
        {dates?.arrival_date && (
          <span className="small soft">
            {m.arrival} <DayText {...dates.arrival_date} />
          </span>
        )}
      </span>
      {status && <ShipmentStatusBadge status={status} />}
    </AppLink>
  )
}
