import type { InboundPage } from '../../../../src/contract/portal/inbound.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './inbound.module.css'
import { weekOf } from './inbound-search.js'

type Week = InboundPage['weeks'][number] & { week: string }

const mostWeeks = 16
const [slot, height, labels] = [48, 96, 20]

/** Quantities by week as bars, with what is late in another colour and pattern; for screen readers a table. */
export function WeekChart({ weeks }: { weeks: InboundPage['weeks'] }) {
  const m = useMessages().inbound
  const format = useFormat()
  const dated = weeks.filter((each): each is Week => each.week !== undefined)
  const thisWeek = weekOf(format.today())
  const coming = dated.filter(({ week }) => week >= thisWeek)
  const shown = (coming.length > 0 ? coming : dated.slice(-mostWeeks)).slice(0, mostWeeks)
  if (shown.length < 2) return null
  const most = Math.max(...shown.map(({ quantity }) => quantity))
  const scaled = (quantity: number) => (most === 0 ? 0 : (quantity / most) * (height - 16))
  const width = shown.length * slot
  return (
    <figure className={styles.chart}>
      <figcaption>{m.chart}</figcaption>
      <svg viewBox={`0 0 ${width} ${height + labels}`} style={{ maxWidth: width * 1.6 }} aria-hidden="true">
        <defs>
          <pattern id="late-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" className={styles.lateGround} />
            <rect width="2" height="6" className={styles.lateStripe} />
          </pattern>
        </defs>
        {shown.map(({ week, quantity, late_quantity }, index) => {
          const x = index * slot
          const [all, late] = [scaled(quantity), scaled(late_quantity)]
          return (
            <g key={week}>
              <title>{m.weekSum(format.day(week), format.number(quantity), format.number(late_quantity))}</title>
              <rect x={x + 8} y={height - all} width={slot - 16} height={all - late} rx="2" className={styles.bar} />
              <rect x={x + 8} y={height - late} width={slot - 16} height={late} fill="url(#late-hatch)" />
              <text x={x + slot / 2} y={height - all - 4} className={styles.amount}>
                {format.number(Math.round(quantity))}
              </text>
              <text x={x + slot / 2} y={height + 14} className={styles.label}>
                {format.day(week)}
              </text>
            </g>
          )
        })}
        <line x1="0" x2={width} y1={height} y2={height} className={styles.axis} />
      </svg>
      <table className="visually-hidden">
        <caption>{m.chart}</caption>
        <thead>
          <tr>
            <th scope="col">{m.week}</th>
            <th scope="col">{m.quantity}</th>
            <th scope="col">{m.late}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ week, quantity, late_quantity }) => (
            <tr key={week}>
              <th scope="row">{format.day(week)}</th>
              <td>{format.number(quantity)}</td>
              <td>{format.number(late_quantity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
