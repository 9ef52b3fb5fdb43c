import { useContext } from 'react'
import { AppLink } from '../../parts/app-link.js'
import { TabStopContext } from '../../parts/copyable.js'
import { paths } from '../../paths.js'
import styles from './invoices.module.css'

/** To a shipment, from a row that is itself a link to something else. */
export function ShipmentLink({ id }: { id: string }) {
  const isTabStop = useContext(TabStopContext)
  return (
    <AppLink href={paths.shipment(id)} className={`mono ${styles.shipment}`} tabIndex={isTabStop ? 0 : -1}>
      {id}
    </AppLink>
  )
}
