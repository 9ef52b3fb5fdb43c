import type { Overview } from '../../../../src/contract/portal/overview.js'
import { AppLink } from '../../../ui/app-link.js'
import { DayText } from '../../../ui/day-text.js'
import { Section } from '../../../ui/section.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './overview.module.css'

/** Orders without any assigned line, by desired ex-factory date. */
export function UnassignedOrders({ orders }: { orders: Overview['unassigned_orders'] }) {
  const m = useMessages().overview
  const all = paths.orders({ state: 'open', sort: 'ex_factory', order: 'asc' })
  return (
    <Section
      title={m.orders}
      aside={orders.count > 0 && <AppLink href={all}>{m.orderCount(orders.count)}</AppLink>}
      isBare
    >
      {orders.first.length === 0 ? (
        <p className={`soft ${styles.nothing}`}>{m.nothingToAssign}</p>
      ) : (
        <ol className={styles.rows}>
          {orders.first.map(({ reference, supplier_name, desired_ex_factory_date }) => (
            <li key={reference}>
              <AppLink href={paths.order(reference)} className={styles.row}>
                <span className={styles.text}>
                  <span className="mono clipped">{reference}</span>
                  {supplier_name !== undefined && <span className={`${styles.detail} clipped`}>{supplier_name}</span>}
                </span>
                {desired_ex_factory_date !== undefined && (
                  <span className={styles.due}>
                    <DayText date={desired_ex_factory_date} />
                    <span className={styles.detail}>{m.exFactory}</span>
                  </span>
                )}
              </AppLink>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
