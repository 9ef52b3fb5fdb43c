import type { UseQueryResult } from '@tanstack/react-query'
import type { Journey } from '../../../../src/contract/portal/journey.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import type { Tracking } from '../../../../src/contract/public/tracking.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { type ArrivalDate, arrivalDates, stepChart } from './arrival-history.js'
import { estimateOf } from './headline.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'

type Props = { shipment: Shipment; tracking: Tracking | undefined; journey: UseQueryResult<Journey> }

/** The history of the arrival date, as a step chart and a table. */
export function ArrivalSection({ shipment, tracking, journey }: Props) {
  const m = useMessages().shipment.arrival
  return (
    <Section title={m.title} anchor="eta">
      {journey.isPending ? (
        <Lines count={4} />
      ) : journey.data ? (
        <ArrivalHistory shipment={shipment} tracking={tracking} history={journey.data.arrival_history} />
      ) : (
        <SectionError error={journey.error} retry={() => void journey.refetch()} />
      )}
    </Section>
  )
}

type HistoryProps = { shipment: Shipment; tracking: Tracking | undefined; history: Journey['arrival_history'] }

function ArrivalHistory({ shipment, tracking, history }: HistoryProps) {
  const m = useMessages().shipment.arrival
  const f = useFormat()
  const estimate = estimateOf(tracking?.tracking_steps ?? [], 'arrival_date')
  const dates = arrivalDates(history, tracking?.initial_dates?.eta, estimate)
  const [first] = dates
  const last = dates.at(-1)
  if (!first || !last) return <p className="soft">{m.none}</p>
  const arrival = shipment.main_tracking_dates?.arrival_date
  const until = arrival?.status === 'actual' ? arrival.date : `${f.today()}T12:00:00Z`
  const moved = last.days === 0 ? m.unmoved(f.day(first.date)) : m.moved(f.day(first.date), f.day(last.date), last.days)
  return (
    <>
      <p className={styles.text}>{moved}</p>
      <Steps dates={dates} until={until} />
      <HistoryTable dates={dates} />
    </>
  )
}

const frame = { width: 320, height: 96, margin: 10 }

function Steps({ dates, until }: { dates: ArrivalDate[]; until: string }) {
  const m = useMessages().shipment.arrival
  const chart = stepChart(dates, until, frame)
  if (!chart) return null
  return (
    <svg className={styles.chart} viewBox={`0 0 ${frame.width} ${frame.height}`} role="img" aria-label={m.chart}>
      <line x1="0" x2={frame.width} y1={chart.baseline} y2={chart.baseline} className={styles.baseline} />
      <path d={chart.path} className={styles.steps} />
      {chart.marks.map(({ x, y, entry }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="3.5" className={styles.chartMark} data-status={entry.status}>
          <title>{m.drift(entry.days)}</title>
        </circle>
      ))}
    </svg>
  )
}

function HistoryTable({ dates }: { dates: ArrivalDate[] }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.arrival
  const f = useFormat()
  return (
    <table className={styles.history}>
      <caption className="visually-hidden">{m.title}</caption>
      <thead>
        <tr>
          <th scope="col">{m.recordedOn}</th>
          <th scope="col">{m.date}</th>
          <th scope="col" className="number">
            {m.shift}
          </th>
        </tr>
      </thead>
      <tbody>
        {dates.map(({ recordedAt, date, status, days }) => (
          <tr key={`${recordedAt} ${date} ${status}`}>
            <td>{recordedAt === undefined ? m.firstPlan : f.day(recordedAt)}</td>
            <td>
              {f.day(date)} <span className="soft small">{statuses.date[status]}</span>
            </td>
            <td className="number" data-late={days > 0}>
              {m.drift(days)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
