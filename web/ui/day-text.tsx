import type { TrackingDateStatus } from '../../src/contract/public/shared-types.js'
import { useFormat } from '../portal/i18n/format.js'
import { useMessages } from '../portal/i18n/messages.js'
import styles from './day-text.module.css'

type Props = {
  /** `YYYY-MM-DD`, or a timestamp in the local time of its place. */
  date: string | undefined
  status?: TrackingDateStatus
  /** Without the relative time. */
  isShort?: boolean
  /** On two lines, the status in words. On one line, the relative time is hidden where it does not fit. */
  isStacked?: boolean
  /** What holds the shipment up, if it is not this date. On two lines, it takes the place of the relative time. */
  hold?: string | undefined
}

/** A date with its status; the exact local time with its zone on hover. */
export function DayText({ date, status, isShort = false, isStacked = false, hold }: Props) {
  const format = useFormat()
  const { statuses } = useMessages()
  if (date === undefined) return <span className="soft">–</span>
  const how = status && statuses.date[status]
  const exact = [format.dateTime(date), how].filter(Boolean).join(', ')
  return (
    <time dateTime={date} title={exact} className={isStacked ? styles.stacked : styles.day} data-status={status}>
      <span className={styles.date}>
        {status && <DateMark status={status} />}
        {format.day(date)}
      </span>
      {hold !== undefined && isStacked && (
        <span className={styles.hold}>
          <span className="visually-hidden">, </span>
          <DateMark status="problem" />
          {hold}
        </span>
      )}
      {!isShort && !(hold !== undefined && isStacked) && (
        <span className={styles.away}>
          <span {...(isStacked && { className: 'visually-hidden' })}>, </span>
          {isStacked && how && `${how}, `}
          {format.fromToday(date)}
        </span>
      )}
      {how && (!isStacked || hold !== undefined) && <span className="visually-hidden"> ({how})</span>}
    </time>
  )
}

/** How certain a date is, by the shapes of the journey strip. */
export function DateMark({ status }: { status: TrackingDateStatus }) {
  return <span className={styles.mark} data-status={status} aria-hidden="true" />
}
