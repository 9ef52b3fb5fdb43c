import type { ShipmentChecklist } from '../../../../../src/contract/portal/supplier-links.js'
import { AppLink } from '../../../../ui/app-link.js'
import { useMessages } from '../../../i18n/messages.js'
import { paths } from '../../../paths.js'
import { stateOf } from './checklist.js'
import styles from './exchange.module.css'

/** The name and route of a shipment above its documents, and what is missing. */
export function ShipmentHeading({ id, checklist }: { id: string; checklist: ShipmentChecklist | undefined }) {
  const { proposals: m } = useMessages()
  const { name, origin, destination, documents = [] } = checklist ?? {}
  const route = [origin, destination].filter(Boolean).join(' – ')
  // Names often contain the route already.
  const isRouteShown = route !== '' && !name?.includes(route)
  const missing = documents.filter((each) => stateOf(each) === 'missing').map(({ type }) => m.required[type])
  return (
    <span className={styles.heading}>
      <AppLink href={paths.shipment(id)} className={name === undefined ? 'mono' : ''}>
        {name ?? id}
      </AppLink>
      {name !== undefined && <span className="mono small soft">{id}</span>}
      {isRouteShown && <span className="small soft">{route}</span>}
      {missing.length > 0 && <span className={`small ${styles.missing}`}>{m.missing(missing.join(', '))}</span>}
    </span>
  )
}
