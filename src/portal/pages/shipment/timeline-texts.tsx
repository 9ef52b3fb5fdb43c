import type { TrackingDateStatus } from '../../../contract/shared-types.js'
import { useFormat } from '../../i18n/format.js'
import { type Messages, useMessages } from '../../i18n/messages.js'
import { daysBetween } from './headline.js'
import styles from './shipment.module.css'
import type { TimelineLine } from './timeline.js'

/** What happens, in the reader's language where it is one of the usual things; how many containers it has happened to. */
export function EventWords({ line: { what, reached } }: { line: TimelineLine }) {
  const m = useMessages()
  return (
    <span>
      {eventWords(what, m) || m.shipment.timeline.something}
      {reached && <span className="small soft nowrap"> {m.shipment.timeline.reached(reached.count, reached.of)}</span>}
    </span>
  )
}

// "Vessel arrived: port congestion": the usual words, and what somebody added to them.
function eventWords(what: string, { shipment }: Messages): string {
  const known: Record<string, string> = shipment.eventWords
  const [usual = '', ...added] = what.split(/(?=: )/)
  return `${known[usual.toLowerCase()] ?? usual}${added.join('')}`
}

type Props = {
  date: string
  status: TrackingDateStatus
  /** What it is compared with. */
  than?: string | undefined
  /** Whether its status is told in a word; in a table its column tells it. */
  isTold?: boolean
}

/** A time on the clock of its place: how sure it is by its mark and word, how far from the plan beside it. */
export function EventTime({ date, status, than, isTold = false }: Props) {
  const { shipment, statuses } = useMessages()
  const f = useFormat()
  const drift = than === undefined ? 0 : daysBetween(than, date)
  return (
    <span className={styles.time} data-status={status}>
      <time dateTime={date} title={f.dateTime(date)}>
        <span className="nowrap">{f.day(date)},</span> <span className="nowrap">{f.time(date)}</span>
      </time>
      {isTold && <span className={styles.how}> {statuses.date[status]}</span>}
      {drift !== 0 && (
        <span className={styles.drift} data-late={drift > 0}>
          {shipment.timeline.drift(drift)}
        </span>
      )}
    </span>
  )
}
