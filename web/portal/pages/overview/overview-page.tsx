import { useQuery } from '@tanstack/react-query'
import type { Overview } from '../../../../src/contract/portal/overview.js'
import { ButtonLink } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { Skeleton } from '../../../ui/skeleton.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { overviewQuery, shipmentFacetsQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { portNamesOf } from '../shipments/port-names.js'
import { Calendar } from './calendar.js'
import { InvoicesToPay } from './invoices-to-pay.js'
import { LateShipments } from './late-shipments.js'
import { NeedsDoing } from './needs-doing.js'
import styles from './overview.module.css'
import { ShipmentsByStatus } from './shipments-by-status.js'
import { UnassignedOrders } from './unassigned-orders.js'

/** What needs attention today. Every number links to the list that it counts. */
export function OverviewPage() {
  const m = useMessages().overview
  const { data, error, refetch } = useQuery(overviewQuery())
  const { data: facets } = useQuery(shipmentFacetsQuery())

  if (!data) {
    return (
      <Page title={m.title} isLoading={!error} lead={error ? undefined : '\u00a0'}>
        {error ? (
          <div className="panel">
            <ErrorState error={error} retry={() => void refetch()} />
          </div>
        ) : (
          <Waiting />
        )}
      </Page>
    )
  }
  if (isEmpty(data)) {
    return (
      <Page title={m.title}>
        <Nothing />
      </Page>
    )
  }
  return (
    <Page title={m.title} lead={m.day(dayOf(data))}>
      <NeedsDoing overview={data} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <LateShipments late={data.late} />
          <InvoicesToPay invoices={data.invoices} isAll={data.invoices_exact} />
        </div>
        <UnassignedOrders orders={data.unassigned_orders} />
      </div>
      <Calendar {...data} names={portNamesOf(facets)} />
      <ShipmentsByStatus counts={data.shipments_by_status} />
    </Page>
  )
}

function dayOf({ shipments_by_status, late, invoices }: Overview) {
  return {
    underWay: shipments_by_status.find(({ status }) => status === 'in_progress')?.count ?? 0,
    late: late.count,
    overdue: invoices.reduce((sum, { overdue_count }) => sum + overdue_count, 0),
  }
}

function isEmpty({ shipments_by_status, coming, invoices, unassigned_orders }: Overview): boolean {
  const hasShipments = shipments_by_status.some(({ count }) => count > 0)
  return !hasShipments && coming.length === 0 && invoices.length === 0 && unassigned_orders.count === 0
}

function Nothing() {
  const m = useMessages().overview
  const mayWrite = useMay('write')
  return (
    <div className="panel">
      <EmptyState
        title={m.emptyTitle}
        text={mayWrite ? m.emptyText : m.emptyReader}
        action={
          mayWrite && (
            <div className={styles.actions}>
              <ButtonLink href={paths.newOrder()}>{m.newOrder}</ButtonLink>
              <ButtonLink href={paths.uploadOrders()} variant="default">
                {m.uploadOrders}
              </ButtonLink>
            </div>
          )
        }
      />
    </div>
  )
}

/** Skeleton with the final layout, so that nothing moves. */
function Waiting() {
  const { common } = useMessages()
  return (
    <>
      <span className="visually-hidden">{common.loading}</span>
      <Skeleton height={76} />
      <div className={styles.columns}>
        <Skeleton height={320} />
        <Skeleton height={320} />
      </div>
      <Skeleton height={420} />
      <Skeleton height={140} />
    </>
  )
}
