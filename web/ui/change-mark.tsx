import { useMessages } from '../portal/i18n/messages.js'
import styles from './change-mark.module.css'
import type { Mark } from './use-changes.js'

/** That a row came or changed while the list was looked at. */
export function ChangeMark({ mark }: { mark: Mark | undefined }) {
  const { common } = useMessages()
  if (mark === undefined) return null
  return (
    <span className={styles.mark} title={common.marks[mark]}>
      <span className="visually-hidden">{common.marks[mark]}: </span>
    </span>
  )
}
