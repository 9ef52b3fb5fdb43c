import skeleton from '../../../ui/skeleton.module.css'
import styles from './shipment.module.css'

/** Placeholder of the first sentence. */
export function LeadPlaceholder() {
  return <span className={`${skeleton.skeleton} ${styles.lead}`} />
}
