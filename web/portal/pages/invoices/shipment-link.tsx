import { useContext } from 'react'
import { AppLink } from '../../../ui/app-link.js'
import { TabStopContext } from '../../../ui/copyable.js'
import { paths } from '../../paths.js'
import styles from './invoices.module.css'

/** A link inside a row that is itself a link. */
export function ShipmentLink({ id }: { id: string }) {
  const isTabStop = useContext(TabStopContext)
  return (
    <AppLink href={paths.shipment(id)} className={`mono ${styles.shipment}`} tabIndex={isTabStop ? 0 : -1}>
      {id}
    </AppLink>
  )
}
