import type { UseQueryResult } from '@tanstack/react-query'
import type { Journey } from '../../../../src/contract/portal/journey.js'
import type { Tracking } from '../../../../src/contract/public/tracking.js'
import { namedContainers } from '../../../../src/domain/tracking/tracking-containers.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { useIsPhone } from '../../../ui/media-query.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { EventName, EventTime } from './event-texts.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'
import { type TimelineLine, type TimelineStep, timelineOf } from './timeline.js'
import { zoneName } from './zone-name.js'

type Props = {
  tracking: UseQueryResult<Tracking>
  /** The shipment has no tracking. */
  isUntracked: boolean
  journey: Journey | undefined
  container: string | undefined
  onContainer(container: string | undefined): void
}

/** Planned, estimated and actual events by place, in local time. */
export function TrackingSection({ tracking, isUntracked, journey, container, onContainer }: Props) {
  const m = useMessages().shipment.timeline
  const containers = tracking.data ? [...namedContainers(tracking.data)] : []
  const chosen = containers.includes(container ?? '') ? container : undefined
  const filter = containers.length > 1 && (
    <FilterMenu
      label={m.container}
      value={chosen}
      options={containers.map((number) => ({ value: number, label: number }))}
      onChange={onContainer}
    />
  )
  return (
    <Section title={m.title} anchor="tracking" aside={filter || undefined}>
      <TrackingBody tracking={tracking} isUntracked={isUntracked} journey={journey} container={chosen} />
    </Section>
  )
}

function TrackingBody({ tracking, isUntracked, journey, container }: Omit<Props, 'onContainer'>) {
  const m = useMessages().shipment.timeline
  if (isUntracked) return <p className="soft">{m.none}</p>
  if (tracking.isPending) return <Lines count={8} />
  if (!tracking.data) return <SectionError error={tracking.error} retry={() => void tracking.refetch()} />
  const steps = timelineOf(tracking.data, journey, container)
  return steps.length === 0 ? <p className="soft">{m.none}</p> : <Timeline steps={steps} />
}

function Timeline({ steps }: { steps: TimelineStep[] }) {
  const isPhone = useIsPhone()
  const m = useMessages().shipment.timeline
  return (
    <>
      {!isPhone && (
        <div className={styles.columnsHead} aria-hidden="true">
          <span />
          <span>{m.planned}</span>
          <span>{m.estimated}</span>
          <span>{m.actual}</span>
        </div>
      )}
      <ol className={styles.timeline}>
        {steps.map((step, index) => (
          // Steps have no identifier and a fixed order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-state={step.state}>
            <StepHead step={step} />
            {step.lines.length > 0 && (isPhone ? <StepList step={step} /> : <StepTable step={step} />)}
          </li>
        ))}
      </ol>
    </>
  )
}

function StepHead({ step: { type, place, country, code, zone, state, lines } }: { step: TimelineStep }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.timeline
  const f = useFormat()
  const some = lines.map((line) => line.actual ?? line.estimated ?? line.planned).find((date) => date !== undefined)
  const clock = zoneName(zone, some, f.locale)
  return (
    <div className={styles.stepHead}>
      <h3>
        {place ?? m.unknownPlace}
        {country && <span className="soft">, {f.country(country)}</span>}
      </h3>
      <p className="small soft">
        {type && <span>{statuses.step[type]}</span>}
        {code && <span className="mono">{code}</span>}
        {clock && <span>{m.clock(clock)}</span>}
        <span className="visually-hidden">{m.states[state]}</span>
      </p>
    </div>
  )
}

function StepTable({ step: { place, lines } }: { step: TimelineStep }) {
  const { shipment } = useMessages()
  const m = shipment.timeline
  return (
    <table className={styles.events}>
      <caption className="visually-hidden">{m.eventsAt(place ?? m.unknownPlace)}</caption>
      <thead>
        <tr>
          {[m.what, m.planned, m.estimated, m.actual].map((column) => (
            <th key={column} scope="col">
              <span className="visually-hidden">{column}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.what} data-problem={line.problem !== undefined || undefined}>
            <th scope="row">
              <EventName line={line} />
            </th>
            {line.problem === undefined ? (
              <>
                <td>{line.planned && <EventTime date={line.planned} status="planned" />}</td>
                <td>{line.estimated && <EventTime date={line.estimated} status="estimated" than={line.planned} />}</td>
                <td>{line.actual && <EventTime date={line.actual} status="actual" than={line.planned} />}</td>
              </>
            ) : (
              <td colSpan={3}>
                <EventTime date={line.problem} status="problem" hasStatus />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** On a phone: the most certain date of each event, and its deviation from the plan. */
function StepList({ step: { lines } }: { step: TimelineStep }) {
  return (
    <ul className={styles.eventList}>
      {lines.map((line) => {
        const [date, status] = bestOf(line)
        return (
          <li key={line.what} data-problem={line.problem !== undefined || undefined}>
            <EventName line={line} />
            {date && (
              <EventTime date={date} status={status} than={status === 'planned' ? undefined : line.planned} hasStatus />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function bestOf({ problem, actual, estimated, planned }: TimelineLine) {
  if (problem) return [problem, 'problem'] as const
  if (actual) return [actual, 'actual'] as const
  return estimated ? ([estimated, 'estimated'] as const) : ([planned, 'planned'] as const)
}
