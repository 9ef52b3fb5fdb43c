import { useQuery } from '@tanstack/react-query'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { AppLink } from '../../../ui/app-link.js'
import { ModeIcon } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { Lines } from '../../../ui/states.js'
import { lastShipmentsQuery } from '../../api/bookings.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './bookings.module.css'
import type { ShipmentDraft } from './shipment-draft.js'

// As the service reads them: with or without a slash.
function codeOf(port: string): string | undefined {
  const [, country, place] = /^\s*([A-Za-z]{2})\s*\/?\s*([A-Za-z0-9]{3})\s*$/.exec(port) ?? []
  return country && place && `${country}/${place}`.toUpperCase()
}

type Props = { account: string; draft: ShipmentDraft; onUse: (shipment: Shipment) => void }

/** The last shipments of the customer, on the lane of the form once it has one: a new shipment may be like them. */
export function EarlierShipments({ account, draft, onUse }: Props) {
  const { bookings: m } = useOfficeMessages()
  const f = useFormat()
  const [origin, destination] = [codeOf(draft.origin), codeOf(draft.destination)]
  const hasLane = origin !== undefined || destination !== undefined
  const { data } = useQuery(
    lastShipmentsQuery(account, { ...(origin && { origin }), ...(destination && { destination }) }),
  )
  const place = (code: string | undefined) => (code === undefined ? '–' : (data?.place_names[code] ?? code))
  return (
    <aside className={`panel ${styles.earlier}`} aria-label={m.earlier}>
      <h2 className={styles.heading}>{hasLane ? m.earlierOnLane : m.earlier}</h2>
      <p className="soft small">{m.earlierText}</p>
      {data ? (
        data.shipments.length === 0 ? (
          <p className="soft">{hasLane ? m.noneOnLane : m.noneEarlier}</p>
        ) : (
          <ul className={styles.templates}>
            {data.shipments.map(({ shipment }) => (
              <li key={shipment.svc_shipment_id} data-used={draft.like === shipment.svc_shipment_id || undefined}>
                <span className={styles.template}>
                  {shipment.freight_mode && <ModeIcon mode={shipment.freight_mode} />}
                  <span className={styles.lane}>
                    <span className="clipped">
                      {place(shipment.route?.origin_port_unlocode)} → {place(shipment.route?.destination_port_unlocode)}
                    </span>
                    <span className="soft small clipped">
                      <AppLink href={paths.shipment(account, shipment.svc_shipment_id)} className="mono">
                        {shipment.svc_shipment_id}
                      </AppLink>
                      {shipment.created_at !== undefined && ` · ${f.day(shipment.created_at)}`}
                      {shipment.incoterm !== undefined && ` · ${shipment.incoterm.toUpperCase()}`}
                      {(shipment.cargo?.containers ?? []).length > 0 &&
                        ` · ${m.unitCount(shipment.cargo?.containers?.length ?? 0)}`}
                    </span>
                  </span>
                </span>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`${m.use}: ${shipment.svc_shipment_id}`}
                  onClick={() => onUse(shipment)}
                >
                  {m.use}
                </Button>
              </li>
            ))}
          </ul>
        )
      ) : (
        <Lines count={5} />
      )}
    </aside>
  )
}
