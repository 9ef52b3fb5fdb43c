import { useQuery } from '@tanstack/react-query'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import type { Tracking } from '../../../../src/contract/public/tracking.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { useHeadline } from '../../../portal/pages/shipment/use-headline.js'
import { Milestones } from '../../../portal/pages/shipment/why-section.js'
import { ShipmentStatusBadge } from '../../../ui/badges.js'
import { DayText } from '../../../ui/day-text.js'
import { JourneyStrip } from '../../../ui/journey-strip.js'
import { explanationQuery, type ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './file.module.css'

type Props = { params: ShipmentParams; shipment: Shipment; tracking: Tracking | undefined }

const milestones = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const

/** What the portal and the public interface show of the shipment now, and why. */
export function CustomerView({ params, shipment, tracking }: Props) {
  const { file: m } = useOfficeMessages()
  const { shipment: texts } = useMessages()
  const sentence = useHeadline(shipment, tracking, undefined)
  const { data } = useQuery({ ...explanationQuery(params), enabled: tracking !== undefined })
  const dates = shipment.main_tracking_dates
  return (
    <aside className={`panel ${styles.customer}`} aria-label={m.asCustomer}>
      <h2>{m.asCustomer}</h2>
      {shipment.status && (
        <span>
          <ShipmentStatusBadge status={shipment.status} />
        </span>
      )}
      <p>{sentence}</p>
      <div className={styles.strip}>
        <JourneyStrip shipment={shipment} names={(code) => code} size="small" />
      </div>
      <Facts
        facts={milestones.map((milestone) => {
          const date = dates?.[milestone]
          return [texts.why.milestones[milestone], date && <DayText key={milestone} {...date} isStacked />]
        })}
      />
      {data && (
        <>
          <h2>{texts.why.title}</h2>
          <Milestones milestones={data.milestones} />
        </>
      )}
    </aside>
  )
}
