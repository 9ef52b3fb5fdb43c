import type { Overview } from '../../../../src/contract/portal/overview.js'
import type { ShipmentStatus } from '../../../../src/contract/public/shipment.js'
import { AppLink } from '../../../ui/app-link.js'
import { ShipmentStatusBadge } from '../../../ui/badges.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './overview.module.css'

// In the order of a shipment's life.
const inOrder: ShipmentStatus[] = [
  'draft',
  'booking_request',
  'awaiting_booking',
  'booked',
  'in_progress',
  'finished',
  'cancelled',
]

/** Number of shipments per status, as a bar and as a list. */
export function ShipmentsByStatus({ counts }: { counts: Overview['shipments_by_status'] }) {
  const m = useMessages()
  const f = useFormat()
  const shown = inOrder
    .map((status) => ({ status, count: counts.find((each) => each.status === status)?.count ?? 0 }))
    .filter(({ count }) => count > 0)
  const total = shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <Section
      title={m.overview.byStatus}
      aside={<AppLink href={paths.shipments({ tab: 'all' })}>{m.overview.total(total)}</AppLink>}
    >
      <div className={styles.bar} aria-hidden="true">
        {shown.map(({ status, count }) => (
          <AppLink
            key={status}
            href={paths.shipments({ status })}
            tabIndex={-1}
            className={styles.segment}
            data-status={status}
            style={{ flexGrow: count }}
            title={`${m.statuses.shipment[status]}${m.common.colon}${f.number(count)}`}
          />
        ))}
      </div>
      <ul className={styles.statuses}>
        {shown.map(({ status, count }) => (
          <li key={status}>
            <AppLink href={paths.shipments({ status })} className={styles.status}>
              <span className={styles.figure}>{f.number(count)}</span>
              <ShipmentStatusBadge status={status} />
            </AppLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}
