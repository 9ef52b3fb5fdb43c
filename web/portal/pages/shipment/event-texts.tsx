import type { TrackingDateStatus } from '../../../../src/contract/public/shared-types.js'
import { useFormat } from '../../i18n/format.js'
import { type Messages, useMessages } from '../../i18n/messages.js'
import { daysBetween } from './headline.js'
import styles from './shipment.module.css'
import type { TimelineLine } from './timeline.js'

/** An event, translated if it is a common one, and the number of containers. */
export function EventName({ line: { what, reached } }: { line: TimelineLine }) {
  const m = useMessages()
  return (
    <span>
      {eventName(what, m) || m.shipment.timeline.unknownEvent}
      {reached && <span className="small soft nowrap"> {m.shipment.timeline.reached(reached.count, reached.of)}</span>}
    </span>
  )
}

// "Vessel arrived: port congestion": a common event and a remark.
export function eventName(what: string, { shipment }: Messages): string {
  const known: Record<string, string> = shipment.eventNames
  const [common = '', ...remarks] = what.split(/(?=: )/)
  return `${known[common.toLowerCase()] ?? common}${remarks.join('')}`
}

type Props = {
  date: string
  status: TrackingDateStatus
  /** The date to compare with. */
  than?: string | undefined
  /** Shows the status as a word; in a table the column heading does. */
  hasStatus?: boolean
}

/** A time in the local time of its place, with its deviation from the plan. */
export function EventTime({ date, status, than, hasStatus = false }: Props) {
  const { shipment, statuses } = useMessages()
  const f = useFormat()
  const drift = than === undefined ? 0 : daysBetween(than, date)
  return (
    <span className={styles.time} data-status={status}>
      <time dateTime={date} title={f.dateTime(date)}>
        <span className="nowrap">{f.day(date)},</span> <span className="nowrap">{f.time(date)}</span>
      </time>
      {hasStatus && <span className={styles.how}> {statuses.date[status]}</span>}
      {drift !== 0 && (
        <span className={styles.drift} data-late={drift > 0}>
          {shipment.timeline.drift(drift)}
        </span>
      )}
    </span>
  )
}
