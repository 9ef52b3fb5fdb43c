import type { Overview } from '../../../../src/contract/portal/overview.js'
import type { ExceptionKind } from '../../../../src/contract/public/exception.js'
import { lateOrders } from '../../../../src/domain/purchase-orders/order-view.js'
import { arrivingWithin } from '../../../../src/domain/shipments/shipment-lists.js'
import { AppLink } from '../../../ui/app-link.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './overview.module.css'

type Figure = { name: string; count: Overview['to_do']['late']; href: string; tone?: 'late' | 'problem' }

/** What needs doing, as numbers. Each opens exactly the list that it counts. */
export function NeedsDoing({ overview }: { overview: Overview }) {
  const m = useMessages().overview
  const f = useFormat()
  const { today, to_do } = overview
  const { arrives_from, arrives_to } = arrivingWithin(to_do.days, today)
  const openOf = (kind: ExceptionKind) => paths.exceptions({ state: 'open', kind })
  const figures: Figure[] = [
    { name: m.lateNow, count: to_do.late, href: paths.shipments({ tab: 'late' }), tone: 'late' },
    { name: m.held, count: to_do.held, href: openOf('hold'), tone: 'problem' },
    { name: m.freeTime, count: to_do.free_time, href: openOf('free_time'), tone: 'problem' },
    { name: m.missingDocuments, count: to_do.missing_documents, href: openOf('missing_document'), tone: 'late' },
    {
      name: m.arriving,
      count: to_do.arriving,
      href: paths.shipments({ tab: 'under_way', arrives_from, arrives_to }),
    },
    {
      name: m.overdueInvoices,
      count: to_do.overdue_invoices,
      href: paths.invoices({ state: 'overdue' }),
      tone: 'problem',
    },
    { name: m.lateOrders, count: to_do.late_orders, href: paths.orders(lateOrders), tone: 'late' },
    {
      name: m.orders,
      count: to_do.unassigned_orders,
      href: paths.orders({ state: 'open', sort: 'ex_factory', order: 'asc' }),
    },
  ]
  return (
    <section aria-label={m.needsDoing}>
      <ul className={styles.figures}>
        {figures.map(({ name, count: { value, exact }, href, tone }) => (
          <li key={name}>
            <AppLink href={href} className={styles.figureLink} data-tone={value > 0 ? tone : undefined}>
              <span className={styles.figure}>
                {f.number(value)}
                {!exact && '+'}
              </span>
              <span className={styles.figureName}>{name}</span>
            </AppLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
