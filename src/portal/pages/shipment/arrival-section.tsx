import type { UseQueryResult } from '@tanstack/react-query'
import type { Journey } from '../../../contract/portal/journey.js'
import type { Shipment } from '../../../contract/shipment.js'
import type { Tracking } from '../../../contract/tracking.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { Section } from '../../parts/section.js'
import { Lines } from '../../parts/states.js'
import { type ArrivalWord, arrivalWords, stepChart } from './arrival-history.js'
import { estimateOf } from './headline.js'
import { PartError } from './part-error.js'
import styles from './shipment.module.css'

type Props = { shipment: Shipment; tracking: Tracking | undefined; journey: UseQueryResult<Journey> }

/** How the date of arrival moved over time: drawn as steps, and the same as a table. */
export function ArrivalSection({ shipment, tracking, journey }: Props) {
  const m = useMessages().shipment.arrival
  return (
    <Section title={m.title}>
      {journey.isPending ? (
        <Lines count={4} />
      ) : journey.data ? (
        <ArrivalHistory shipment={shipment} tracking={tracking} history={journey.data.arrival_history} />
      ) : (
        <PartError error={journey.error} retry={() => void journey.refetch()} />
      )}
    </Section>
  )
}

type Told = { shipment: Shipment; tracking: Tracking | undefined; history: Journey['arrival_history'] }

function ArrivalHistory({ shipment, tracking, history }: Told) {
  const m = useMessages().shipment.arrival
  const f = useFormat()
  const estimate = estimateOf(tracking?.tracking_steps ?? [], 'arrival_date')
  const words = arrivalWords(history, tracking?.initial_dates?.eta, estimate)
  const [first] = words
  const last = words.at(-1)
  if (!first || !last) return <p className="soft">{m.none}</p>
  const arrival = shipment.main_tracking_dates?.arrival_date
  const until = arrival?.status === 'actual' ? arrival.date : `${f.today()}T12:00:00Z`
  const moved = last.days === 0 ? m.unmoved(f.day(first.date)) : m.moved(f.day(first.date), f.day(last.date), last.days)
  return (
    <>
      <p className={styles.words}>{moved}</p>
      <Steps words={words} until={until} />
      <WordsTable words={words} />
    </>
  )
}

const frame = { width: 320, height: 96, margin: 10 }

function Steps({ words, until }: { words: ArrivalWord[]; until: string }) {
  const m = useMessages().shipment.arrival
  const chart = stepChart(words, until, frame)
  if (!chart) return null
  return (
    <svg className={styles.chart} viewBox={`0 0 ${frame.width} ${frame.height}`} role="img" aria-label={m.chart}>
      <line x1="0" x2={frame.width} y1={chart.baseline} y2={chart.baseline} className={styles.baseline} />
      <path d={chart.path} className={styles.steps} />
      {chart.marks.map(({ x, y, word }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="3.5" className={styles.chartMark} data-status={word.status}>
          <title>{m.drift(word.days)}</title>
        </circle>
      ))}
    </svg>
  )
}

function WordsTable({ words }: { words: ArrivalWord[] }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.arrival
  const f = useFormat()
  return (
    <table className={styles.history}>
      <caption className="visually-hidden">{m.title}</caption>
      <thead>
        <tr>
          <th scope="col">{m.saidOn}</th>
          <th scope="col">{m.date}</th>
          <th scope="col" className="number">
            {m.comparedToFirst}
          </th>
        </tr>
      </thead>
      <tbody>
        {words.map(({ saidAt, date, status, days }) => (
          <tr key={`${saidAt} ${date} ${status}`}>
            <td>{saidAt === undefined ? m.atFirst : f.day(saidAt)}</td>
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
