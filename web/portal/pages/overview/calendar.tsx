import { IconArrowBarRight, IconArrowBarToRight } from '@tabler/icons-react'
import type { Overview } from '../../../../src/contract/portal/overview.js'
import { dateAfter } from '../../../../src/domain/dates/local-days.js'
import { inCalendar } from '../../../../src/domain/shipments/shipment-lists.js'
import { comingDays } from '../../../../src/domain/tracking/coming-days.js'
import { AppLink } from '../../../ui/app-link.js'
import { DateMark } from '../../../ui/day-text.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import type { PortNames } from '../shipments/port-names.js'
import styles from './calendar.module.css'

type Event = Overview['coming'][number]
type Props = Pick<Overview, 'today' | 'coming' | 'coming_totals' | 'coming_days'> & { names: PortNames }

const mostInADay = 4

/** Departures and arrivals of the next two weeks: a calendar, or a list of days on narrow screens. */
export function Calendar({ today, coming, coming_totals, coming_days, names }: Props) {
  const m = useMessages().overview
  const dates = Array.from({ length: comingDays }, (_, index) => dateAfter(today, index))
  return (
    <Section title={m.coming} aside={<Totals dates={dates} totals={coming_totals} />} isBare>
      {coming.length === 0 ? (
        <p className={`panel soft ${styles.nothing}`}>{m.nothingComing}</p>
      ) : (
        <div className={styles.frame}>
          <ol className={`panel ${styles.calendar}`}>
            {dates.map((date) => (
              <Day
                key={date}
                date={date}
                isToday={date === today}
                events={coming.filter(({ day }) => day === date)}
                counts={coming_days.find(({ day }) => day === date)}
                names={names}
              />
            ))}
          </ol>
        </div>
      )}
    </Section>
  )
}

function Totals({ dates, totals }: { dates: string[]; totals: Overview['coming_totals'] }) {
  const m = useMessages().overview
  const from = dates[0]
  const to = dates.at(-1)
  const { departures, arrivals } = totals
  return (
    <span className={styles.totals}>
      <AppLink
        href={paths.shipments({ ...inCalendar, departs_from: from, departs_to: to, sort: 'departure', order: 'asc' })}
      >
        <What what="departure" /> {m.departures(departures.value, departures.exact)}
      </AppLink>
      <AppLink
        href={paths.shipments({ ...inCalendar, arrives_from: from, arrives_to: to, sort: 'arrival', order: 'asc' })}
      >
        <What what="arrival" /> {m.arrivals(arrivals.value, arrivals.exact)}
      </AppLink>
    </span>
  )
}

type DayProps = {
  date: string
  isToday: boolean
  events: Event[]
  counts: Overview['coming_days'][number] | undefined
  names: PortNames
}

function Day({ date, isToday, events, counts, names }: DayProps) {
  const m = useMessages().overview
  const f = useFormat()
  const shown = events.slice(0, mostInADay)
  const departing = shown.filter(({ what }) => what === 'departure').length
  const hiddenDepartures = (counts?.departures ?? 0) - departing
  const hiddenArrivals = (counts?.arrivals ?? 0) - (shown.length - departing)
  return (
    <li className={styles.day} data-today={isToday || undefined} data-empty={counts === undefined || undefined}>
      <h3 className={styles.date}>
        <time dateTime={date}>{f.weekday(date)}</time>
        {isToday && <span>{m.today}</span>}
      </h3>
      {counts === undefined && <p className={styles.none}>{m.nothing}</p>}
      <ul className={styles.events}>
        {shown.map((event) => (
          <li key={`${event.what} ${event.svc_shipment_id}`}>
            <Entry event={event} names={names} />
          </li>
        ))}
      </ul>
      {hiddenDepartures > 0 && (
        <AppLink
          className={styles.more}
          href={paths.shipments({ ...inCalendar, departs_from: date, departs_to: date })}
        >
          {m.more(m.departures(hiddenDepartures, true))}
        </AppLink>
      )}
      {hiddenArrivals > 0 && (
        <AppLink
          className={styles.more}
          href={paths.shipments({ ...inCalendar, arrives_from: date, arrives_to: date })}
        >
          {m.more(m.arrivals(hiddenArrivals, true))}
        </AppLink>
      )}
    </li>
  )
}

function Entry({ event, names }: { event: Event; names: PortNames }) {
  const { common, overview, statuses } = useMessages()
  const f = useFormat()
  const { what, svc_shipment_id, name = svc_shipment_id, origin, destination, date, status } = event
  const code = what === 'departure' ? origin : destination
  const place = code === undefined ? undefined : names(code)
  const phrase = what === 'departure' ? overview.departsFrom : overview.arrivesIn
  const text = place === undefined ? (what === 'departure' ? overview.departs : overview.arrives) : phrase(place)
  return (
    <AppLink
      className={styles.event}
      href={paths.shipment(svc_shipment_id)}
      title={`${name}\n${text}${common.colon}${f.dateTime(date)}, ${statuses.date[status]}`}
      data-status={status}
    >
      <What what={what} />
      <span className={styles.name}>{name}</span>
      <span className={styles.place}>
        <span className="visually-hidden">{text}</span>
        <DateMark status={status} />
        <span className="clipped" aria-hidden="true">
          {place}
        </span>
        <span className="visually-hidden">, {statuses.date[status]}</span>
      </span>
    </AppLink>
  )
}

/** Departure: an arrow away from a bar. Arrival: an arrow to a bar. */
function What({ what }: { what: Event['what'] }) {
  const Icon = what === 'departure' ? IconArrowBarRight : IconArrowBarToRight
  return <Icon className={styles.what} data-what={what} size={14} stroke={2} aria-hidden="true" />
}
