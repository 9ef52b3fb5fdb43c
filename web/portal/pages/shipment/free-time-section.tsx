import { useQuery } from '@tanstack/react-query'
import type { FreeTimeClock } from '../../../../src/contract/public/free-time.js'
import { StatusBadge } from '../../../ui/badges.js'
import { DayText } from '../../../ui/day-text.js'
import { MoneyText } from '../../../ui/money-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { freeTimeQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'

/** Until when containers are free of charge, and what they cost after that. Absent where nothing runs and nothing has cost. */
export function FreeTimeSection({ id }: { id: string }) {
  const m = useMessages().shipment.freeTime
  const { data, error, isError, refetch } = useQuery(freeTimeQuery(id))
  if (isError && !data) {
    return (
      <Section title={m.title}>
        <SectionError error={error} retry={() => void refetch()} />
      </Section>
    )
  }
  const clocks = shownClocks(data?.clocks ?? [])
  if (clocks.length === 0) return null
  return (
    <Section title={m.title} isBare>
      <Clocks clocks={clocks} />
    </Section>
  )
}

const urgency: FreeTimeClock['state'][] = ['expired', 'ending', 'running', 'unknown', 'stopped']

/** What costs or will cost, the most urgent first. */
export function shownClocks(clocks: FreeTimeClock[]): FreeTimeClock[] {
  return clocks
    .filter(({ state, days_over = 0 }) => state !== 'not_started' && (state !== 'stopped' || days_over > 0))
    .toSorted(
      (one, other) =>
        urgency.indexOf(one.state) - urgency.indexOf(other.state) ||
        (one.last_free_day ?? '').localeCompare(other.last_free_day ?? ''),
    )
}

export function Clocks({ clocks }: { clocks: FreeTimeClock[] }) {
  const m = useMessages().shipment.freeTime
  return (
    <PlainTable
      label={m.title}
      rows={clocks}
      rowKey={({ direction, clock, container_number }) => `${direction} ${clock} ${container_number}`}
      columns={[
        { id: 'container', header: m.container, isName: true, cell: (clock) => <Container clock={clock} /> },
        { id: 'day', header: m.lastFreeDay, cell: (clock) => <LastFreeDay clock={clock} /> },
        { id: 'days', header: m.status, cell: (clock) => <Standing clock={clock} /> },
        { id: 'cost', header: m.cost, align: 'right', cell: (clock) => <Cost clock={clock} /> },
        { id: 'rule', header: m.rule, cell: (clock) => <Rule clock={clock} /> },
      ]}
    />
  )
}

function Container({ clock: { container_number, clock, direction } }: { clock: FreeTimeClock }) {
  const m = useMessages().shipment.freeTime
  return (
    <span className={styles.stack}>
      {container_number === undefined ? <span>{m.all}</span> : <span className="mono">{container_number}</span>}
      <span className="small soft">{direction === 'export' ? m.export(m.clocks[clock]) : m.clocks[clock]}</span>
    </span>
  )
}

/** The day that counts, who gave it, and the computed one where it is another. */
function LastFreeDay({ clock }: { clock: FreeTimeClock }) {
  const m = useMessages().shipment.freeTime
  const f = useFormat()
  const { last_free_day, last_free_day_source: source, computed_last_free_day: computed, difference_days } = clock
  if (last_free_day === undefined) return <span className="soft">{m.unknown}</span>
  return (
    <span className={styles.stack}>
      <DayText date={last_free_day} isShort />
      {source && source !== 'computed' && <span className="small soft">{m.sources[source]}</span>}
      {computed && difference_days ? <span className="small soft">{m.computed(f.day(computed))}</span> : null}
      {clock.extra_days ? <span className="small soft">{m.extra(clock.extra_days)}</span> : null}
    </span>
  )
}

function Standing({ clock: { state, days_left = 0, days_over = 0 } }: { clock: FreeTimeClock }) {
  const m = useMessages().shipment.freeTime
  switch (state) {
    case 'expired':
      return (
        <StatusBadge tone="problem" mark="full">
          {m.over(days_over)}
        </StatusBadge>
      )
    case 'ending':
      return (
        <StatusBadge tone="late" mark="half">
          {m.left(days_left)}
        </StatusBadge>
      )
    case 'running':
      return (
        <StatusBadge tone="accent" mark="half">
          {m.left(days_left)}
        </StatusBadge>
      )
    case 'stopped':
      return (
        <StatusBadge tone="planned" mark="full">
          {m.ended(days_over)}
        </StatusBadge>
      )
    default:
      return <span className="soft">{m.noRule}</span>
  }
}

function Cost({ clock: { cost, each_further_day, state } }: { clock: FreeTimeClock }) {
  const m = useMessages().shipment.freeTime
  const f = useFormat()
  if (state === 'unknown') return <span className="soft">–</span>
  return (
    <span className={styles.amounts}>
      {cost ? <MoneyText price={cost} /> : <span className="soft">{m.noRate}</span>}
      {each_further_day && (
        <span className="small soft nowrap">
          {state === 'expired' ? m.perDay(f.money(each_further_day)) : m.afterwards(f.money(each_further_day))}
        </span>
      )}
    </span>
  )
}

function Rule({ clock: { rule } }: { clock: FreeTimeClock }) {
  const m = useMessages().shipment.freeTime
  if (!rule) return <span className="soft">–</span>
  return (
    <span className={styles.stack}>
      <span>{m.free(rule.free, rule.unit)}</span>
      {rule.label !== undefined && <span className="small soft">{rule.label}</span>}
    </span>
  )
}
