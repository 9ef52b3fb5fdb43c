import type { Overview } from '../../../../src/contract/portal/overview.js'
import { AppLink } from '../../../ui/app-link.js'
import { LateChip, ModeIcon } from '../../../ui/badges.js'
import { DayText } from '../../../ui/day-text.js'
import { Section } from '../../../ui/section.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './overview.module.css'

/** Shipments expected after their desired delivery date, the latest first. */
export function LateShipments({ late }: { late: Overview['late'] }) {
  const m = useMessages().overview
  const all = paths.shipments({ tab: 'late' })
  return (
    <Section title={m.late} aside={late.count > 0 && <AppLink href={all}>{m.lateCount(late.count)}</AppLink>} isBare>
      {late.worst.length === 0 ? (
        <p className={`soft ${styles.nothing}`}>{m.nothingLate}</p>
      ) : (
        <ol className={styles.rows}>
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
      <span className={styles.text}>
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
