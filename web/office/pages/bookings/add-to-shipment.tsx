import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { AppLink } from '../../../ui/app-link.js'
import { ShipmentStatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { Dialog } from '../../../ui/dialog.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { SearchField } from '../../../ui/search-field.js'
import { Lines } from '../../../ui/states.js'
import { useActions } from '../../actions/use-actions.js'
import { openShipmentsQuery } from '../../api/bookings.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './bookings.module.css'
import { orderLinesOf, type UsedSelection } from './selection.js'

/** Assigns the chosen lines to a shipment that exists. */
export function AddToShipment({ used, onClose }: { used: UsedSelection; onClose: () => void }) {
  const { bookings: m } = useOfficeMessages()
  const router = useRouter()
  const { run, isBusy } = useActions()
  const { account, name } = used.selection
  const [q, setQ] = useState('')
  const [error, setError] = useState<unknown>()
  const { data } = useQuery(openShipmentsQuery(account, q.trim()))
  const add = (svc_shipment_id: string) =>
    run(
      async () => {
        const body = { order_lines: orderLinesOf(used.selection) }
        await ops.addOrderLines({ params: { account, svc_shipment_id }, body })
        used.clear()
        onClose()
        router.history.push(paths.shipment(account, svc_shipment_id))
        return { text: m.added(body.order_lines.length, svc_shipment_id) }
      },
      async (refusal) => setError(refusal),
    )
  return (
    <Dialog title={m.addTo(name)} onClose={onClose} isWide>
      <div className={styles.find}>
        <SearchField label={m.searchShipments} placeholder={m.searchShipments} value={q} onChange={setQ} />
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      {data ? (
        data.shipments.length === 0 ? (
          <p className="soft">{m.noShipments}</p>
        ) : (
          <ul className={styles.templates}>
            {data.shipments.map(({ shipment }) => (
              <li key={shipment.svc_shipment_id}>
                <span className={styles.template}>
                  <AppLink href={paths.shipment(account, shipment.svc_shipment_id)} className="mono">
                    {shipment.svc_shipment_id}
                  </AppLink>
                  <span className="clipped">{shipment.name}</span>
                  {shipment.status && <ShipmentStatusBadge status={shipment.status} />}
                </span>
                <Button
                  size="xs"
                  variant="default"
                  disabled={isBusy}
                  aria-label={`${m.add}: ${shipment.svc_shipment_id}`}
                  onClick={() => void add(shipment.svc_shipment_id)}
                >
                  {m.add}
                </Button>
              </li>
            ))}
          </ul>
        )
      ) : (
        <Lines count={4} />
      )}
    </Dialog>
  )
}
