import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { AppLink } from '../../../ui/app-link.js'
import { type ShipmentParams, shipmentExceptionsQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { exceptionText, ItemBadge } from '../my-work/item-texts.js'
import { exceptionItem } from '../my-work/work-items.js'
import styles from './file.module.css'

// The rest is in the queue.
const mostShown = 4

/** The open exceptions of a shipment, each a link to the queue, where it can be handled. */
export function FileExceptions({ params }: { params: ShipmentParams }) {
  const { file: m } = useOfficeMessages()
  const messages = useMessages()
  const f = useFormat()
  const { data } = useQuery(shipmentExceptionsQuery(params))
  const items = (data?.exceptions ?? []).map(exceptionItem).toSorted((one, other) => one.rank - other.rank)
  if (items.length === 0) return null
  const { account, svc_shipment_id: shipment } = params
  return (
    <ul className={styles.exceptions} aria-label={m.exceptions}>
      {items.slice(0, mostShown).map((item) => (
        <li key={item.key}>
          <AppLink href={paths.work({ account, shipment, item: item.key })} title={m.inQueue}>
            <ItemBadge item={item} />
            <span>{exceptionText(item, messages, f)}</span>
          </AppLink>
        </li>
      ))}
      {items.length > mostShown && (
        <li>
          <AppLink href={paths.work({ account, shipment })}>{m.moreExceptions(items.length - mostShown)}</AppLink>
        </li>
      )}
    </ul>
  )
}
