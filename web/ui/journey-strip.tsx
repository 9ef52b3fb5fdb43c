import type { Shipment } from '../../src/contract/public/shipment.js'
import { type Format, useFormat } from '../portal/i18n/format.js'
import { type Messages, useMessages } from '../portal/i18n/messages.js'
import { type JourneyStops, journeyStops, type PlaceNames, type Stop, type Tracked } from './journey-stops.js'
import styles from './journey-strip.module.css'

type Props = {
  shipment: Shipment
  tracked?: Tracked | undefined
  /** For shipments without tracking, whose ports are codes. */
  names?: PlaceNames | undefined
  size?: 'small' | 'large'
}

/** The stops of a shipment: filled, half and hollow marks for actual, estimated and planned, and a notch at the current position. */
export function JourneyStrip({ shipment, tracked, names, size = 'small' }: Props) {
  const m = useMessages()
  const format = useFormat()
  const journey = journeyStops(shipment, { tracked, names })
  return size === 'small' ? (
    <SmallStrip journey={journey} text={describe(journey, m, format)} />
  ) : (
    <LargeStrip journey={journey} m={m} format={format} />
  )
}

function SmallStrip({ journey, text }: { journey: JourneyStops; text: string }) {
  const { stops, isOver, isCancelled } = journey
  return (
    <span
      className={styles.strip}
      data-size="small"
      data-over={isOver}
      data-cancelled={isCancelled}
      role="img"
      aria-label={text}
      title={text}
    >
      {stops.map((stop, index) => (
        <span key={stop.step + String(index)} className={styles.stop}>
          <Mark stop={stop} />
          {index < stops.length - 1 && <Segment journey={journey} index={index} />}
          {journey.at === index && !isOver && <span className={styles.notch} data-here="true" />}
        </span>
      ))}
    </span>
  )
}

function LargeStrip({ journey, m, format }: { journey: JourneyStops; m: Messages; format: Format }) {
  const { stops, at, isOver, isCancelled } = journey
  const { statuses } = m
  return (
    <ol
      className={styles.strip}
      data-size="large"
      data-over={isOver}
      data-cancelled={isCancelled}
      aria-label={statuses.journey.name}
    >
      {stops.map((stop, index) => (
        <li key={stop.step + String(index)} className={styles.stop}>
          <span className={styles.track} aria-hidden="true">
            <Mark stop={stop} />
            {index < stops.length - 1 && <Segment journey={journey} index={index} />}
            {at === index && !isOver && <span className={styles.notch} data-here="true" />}
          </span>
          <span className={styles.label}>
            <span className={styles.step}>{statuses.step[stop.step]}</span>
            {stop.place !== undefined && <span className={styles.place}>{stop.place}</span>}
            {stop.date !== undefined && (
              <time
                dateTime={stop.date}
                title={format.dateTime(stop.date)}
                className={styles.date}
                data-status={stop.status}
              >
                {format.day(stop.date)}
                {stop.status && <span className={styles.how}> {statuses.date[stop.status]}</span>}
              </time>
            )}
            {at === index && !isOver && <span className="visually-hidden">, {statuses.journey.here}</span>}
            {at !== undefined && Math.floor(at) === index && at !== index && (
              <span className="visually-hidden">
                , {statuses.journey.between(nameOf(stop, m), nameOf(stops[index + 1] ?? stop, m))}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Mark({ stop }: { stop: Stop }) {
  return <span className={styles.mark} data-status={stop.status ?? 'unknown'} />
}

function Segment({ journey: { at, isOver }, index }: { journey: JourneyStops; index: number }) {
  const behind = at === undefined ? 0 : Math.min(1, Math.max(0, at - index))
  const isHere = behind > 0 && behind < 1 && !isOver
  return (
    <span className={styles.segment} style={{ '--behind': `${behind * 100}%` } as React.CSSProperties}>
      {isHere && <span className={styles.notch} />}
    </span>
  )
}

const nameOf = ({ place, step }: Stop, { statuses }: Messages) => place ?? statuses.step[step]

/** The strip in words, for screen readers. */
function describe({ stops, at, isOver }: JourneyStops, m: Messages, format: Format): string {
  const { journey, step, date } = m.statuses
  const descriptions = stops.map((stop) =>
    journey.stop(step[stop.step], stop.place, stop.date && format.day(stop.date), stop.status && date[stop.status]),
  )
  const label = journey.label(descriptions.join('; '))
  if (isOver) return `${label}; ${journey.done}`
  if (at === undefined) return `${label}; ${journey.notStarted}`
  const from = stops[Math.floor(at)]
  const to = stops[Math.ceil(at)]
  if (!from || !to) return label
  const where =
    from === to ? `${nameOf(from, m)}${m.common.colon}${journey.here}` : journey.between(nameOf(from, m), nameOf(to, m))
  return `${label}; ${where}`
}
