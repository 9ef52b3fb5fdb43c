import type { Overview } from '../../../contract/portal/overview.js'
import { useMessages } from '../../i18n/messages.js'
import { AppLink } from '../../parts/app-link.js'
import { LateChip, ModeIcon } from '../../parts/badges.js'
import { DayText } from '../../parts/day-text.js'
import { Section } from '../../parts/section.js'
import { paths } from '../../paths.js'
import styles from './overview.module.css'

// What has come, however late, is nobody's worry any more.
const notDone = 'booking_request,awaiting_booking,booked,in_progress'

/** What comes after its desired delivery date, and by how much: the worst first. */
export function LateShipments({ late }: { late: Overview['late'] }) {
  const m = useMessages().overview
  const all = paths.shipments({ status: notDone, late: 'true', sort: 'late', order: 'desc' })
  return (
    <Section title={m.late} aside={late.count > 0 && <AppLink href={all}>{m.lateCount(late.count)}</AppLink>} isBare>
      {late.worst.length === 0 ? (
        <p className={`panel soft ${styles.nothing}`}>{m.nothingLate}</p>
      ) : (
        <ol className={`panel ${styles.rows}`}>
          {late.worst.map((shipment) => (
            <li key={shipment.svc_shipment_id}>
              <LateShipment shipment={shipment} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

function LateShipment({ shipment }: { shipment: Overview['late']['worst'][number] }) {
  const m = useMessages().overview
  const { svc_shipment_id, name = svc_shipment_id, freight_mode, days, desired_delivery_date, expected_on } = shipment
  return (
    <AppLink href={paths.shipment(svc_shipment_id)} className={`${styles.row} ${styles.late}`}>
      <ModeIcon mode={freight_mode} />
      <span className={styles.words}>
        <span className="clipped">{name}</span>
        <span className={styles.detail}>
          {m.desired} <DayText date={desired_delivery_date} isShort />
          {expected_on !== undefined && (
            <>
              {' · '}
              {m.expected} <DayText date={expected_on} isShort />
            </>
          )}
        </span>
      </span>
      <LateChip days={days} />
    </AppLink>
  )
}
