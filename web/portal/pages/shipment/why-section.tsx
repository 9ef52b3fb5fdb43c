import { useQuery } from '@tanstack/react-query'
import type { ExplainedEvent, MilestoneExplanation } from '../../../../src/contract/public/explanation.js'
import { changedBy, explanationSentence } from '../../../../src/domain/tracking/explanation-sentence.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { explanationQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { type Messages, useMessages } from '../../i18n/messages.js'
import { eventName } from './event-texts.js'
import { SectionError } from './section-error.js'
import styles from './why-section.module.css'

/** Why the shipment shows its dates: a sentence for each milestone, and on request what it follows from. */
export function WhySection({ id }: { id: string }) {
  const m = useMessages().shipment.why
  const explanation = useQuery(explanationQuery(id))
  const { data, error, isPending, refetch } = explanation
  return (
    <Section title={m.title} anchor="why">
      {isPending ? (
        <Lines count={4} />
      ) : data ? (
        <Milestones milestones={data.milestones} />
      ) : (
        <SectionError error={error} retry={() => void refetch()} />
      )}
    </Section>
  )
}

export function Milestones({ milestones }: { milestones: MilestoneExplanation[] }) {
  const m = useMessages().shipment.why
  if (milestones.length === 0) return <p className="soft">{m.none}</p>
  return (
    <ul className={styles.milestones}>
      {milestones.map((each) => (
        <li key={each.milestone}>
          <Milestone explanation={each} />
        </li>
      ))}
    </ul>
  )
}

function Milestone({ explanation: given }: { explanation: MilestoneExplanation }) {
  const messages = useMessages()
  const m = messages.shipment.why
  const f = useFormat()
  const explanation = translated(given, messages)
  return (
    <>
      <h3 className={styles.name}>{m.milestones[explanation.milestone]}</h3>
      <p className={styles.sentence}>{explanationSentence(explanation, m.texts, f.day)}</p>
      <details className={styles.details}>
        <summary>{m.details}</summary>
        <p>
          <span className="soft">{m.changedBy}:</span> {changedBy(explanation, m.texts)}
        </p>
        <Units explanation={explanation} />
        <OtherEvents explanation={explanation} />
      </details>
    </>
  )
}

/** With the names of common events in the language of the reader. */
function translated(explanation: MilestoneExplanation, messages: Messages): MilestoneExplanation {
  const named = (event: ExplainedEvent): ExplainedEvent =>
    event.description === undefined ? event : { ...event, description: eventName(event.description, messages) }
  const { event, problem, implied_by, conflicts_with, other_events } = explanation
  return {
    ...explanation,
    ...(event && { event: named(event) }),
    ...(problem && { problem: named(problem) }),
    ...(implied_by && { implied_by: named(implied_by) }),
    ...(conflicts_with && { conflicts_with: named(conflicts_with) }),
    other_events: other_events.map((each) => ({ ...each, event: named(each.event) })),
  }
}

function Units({ explanation: { units, more_units } }: { explanation: MilestoneExplanation }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.why
  const f = useFormat()
  if (units.length < 2) return null
  return (
    <>
      <h4>{m.containers}</h4>
      <ul>
        {units.map(({ container_number, date, status }) => (
          <li key={container_number}>
            {container_number}: {date ? f.day(date) : m.noDate}{' '}
            {status && <span className="soft small">{statuses.date[status]}</span>}
          </li>
        ))}
        {more_units !== undefined && <li className="soft">{m.more(more_units)}</li>}
      </ul>
    </>
  )
}

function OtherEvents({ explanation: { other_events, more_events } }: { explanation: MilestoneExplanation }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.why
  const f = useFormat()
  if (other_events.length === 0) return null
  return (
    <>
      <h4>{m.others}</h4>
      <ul>
        {other_events.map(({ event, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no identifier here, and the list is not reordered
          <li key={index}>
            {event.description ?? event.code}
            {event.container_number && ` (${event.container_number})`}
            {event.date && `, ${f.day(event.date)}`}{' '}
            {event.status && <span className="soft small">{statuses.date[event.status]}</span>}
            <span className="soft">: {m.reasons[reason]}</span>
          </li>
        ))}
        {more_events !== undefined && <li className="soft">{m.more(more_events)}</li>}
      </ul>
    </>
  )
}
