import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ButtonLink } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { Skeleton } from '../../../ui/skeleton.js'
import skeleton from '../../../ui/skeleton.module.css'
import { EmptyState, ErrorState, Lines } from '../../../ui/states.js'
import { refusalCodeOf } from '../../api/client.js'
import { shipmentQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { LeadPlaceholder } from './lead-placeholder.js'
import styles from './shipment.module.css'
import { ShipmentView } from './shipment-view.js'

export function ShipmentPage() {
  const { id = '' } = useParams({ strict: false })
  const shipment = useQuery(shipmentQuery(id))
  if (shipment.data) return <ShipmentView key={id} shipment={shipment.data} />
  if (shipment.isPending) return <ShipmentPlaceholder />
  if (refusalCodeOf(shipment.error) === 'shipment_not_found') return <NoSuchShipment id={id} />
  return <FailedShipment error={shipment.error} retry={() => void shipment.refetch()} />
}

function NoSuchShipment({ id }: { id: string }) {
  const m = useMessages().shipment
  const back = (
    <ButtonLink href={paths.shipments()} variant="default">
      {m.toList}
    </ButtonLink>
  )
  return (
    <Page title={m.title}>
      <div className="panel">
        <EmptyState title={m.notFound(id)} text={m.notFoundText} action={back} />
      </div>
    </Page>
  )
}

function FailedShipment({ error, retry }: { error: unknown; retry(): void }) {
  const m = useMessages().shipment
  return (
    <Page title={m.title}>
      <div className="panel">
        <ErrorState error={error} retry={retry} />
      </div>
    </Page>
  )
}

/** Skeleton with the final layout. */
function ShipmentPlaceholder() {
  const m = useMessages().shipment
  return (
    <Page
      title={<span className={`${skeleton.skeleton} ${styles.title}`} />}
      documentTitle={m.title}
      lead={<LeadPlaceholder />}
      isLoading
    >
      <Skeleton height={24} width="min(22rem, 100%)" />
      <Skeleton height={100} />
      <div className={styles.frame}>
        <div className={styles.columns}>
          <div className={styles.column}>
            <div className={`${styles.map} ${skeleton.skeleton}`} />
          </div>
          <div className={styles.column}>
            <Lines count={6} />
          </div>
        </div>
      </div>
    </Page>
  )
}
