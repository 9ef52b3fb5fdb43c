import skeleton from '../../parts/skeleton.module.css'
import styles from './shipment.module.css'

/** The place of the first sentence. */
export function LeadPlaceholder() {
  return <span className={`${skeleton.skeleton} ${styles.lead}`} />
}
