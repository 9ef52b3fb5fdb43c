import type { TrackingDateStatus } from '../../contract/shared-types.js'
import { useFormat } from '../i18n/format.js'
import { useMessages } from '../i18n/messages.js'
import styles from './day-text.module.css'

type Props = {
  /** `YYYY-MM-DD`, or a date with time in the local time of its place. */
  date: string | undefined
  status?: TrackingDateStatus
  /** The day alone, without how far away it is. */
  isShort?: boolean
  /** In two lines. Otherwise it is one, in which how far away it is gives way where there is no room. */
  isStacked?: boolean
}

/** A day as people read it; the exact local time with its zone on hover, and for screen readers. */
export function DayText({ date, status, isShort = false, isStacked = false }: Props) {
  const format = useFormat()
  const { statuses } = useMessages()
  if (date === undefined) return <span className="soft">–</span>
  const how = status && statuses.date[status]
  const exact = [format.dateTime(date), how].filter(Boolean).join(', ')
  return (
    <time dateTime={date} title={exact} className={isStacked ? styles.stacked : styles.day} data-status={status}>
      <span>{format.day(date)}</span>
      {!isShort && (
        <span className={styles.away}>
          <span {...(isStacked && { className: 'visually-hidden' })}>, </span>
          {format.fromToday(date)}
        </span>
      )}
      {how && <span className="visually-hidden"> ({how})</span>}
    </time>
  )
}
