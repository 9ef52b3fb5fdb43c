import { IconCalendarTime, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { TrackingState } from '../../../../src/contract/operator/tracking.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { isExpected } from '../../../../src/domain/tracking/shifted-dates.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { eventName } from '../../../portal/pages/shipment/event-texts.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button, IconButton } from '../../../ui/button.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { hasDraft, useOpened } from '../../../ui/use-draft.js'
import { useMayDo } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { type DecidedEvent, EventDecision } from './event-decision.js'
import { EventForm } from './event-form.js'
import styles from './file.module.css'
import { PinForm, PinnedDates, pinDraft } from './pinned-dates.js'
import { placeOf, type StatedEvent, type Step } from './place-of.js'
import { ShiftDialog } from './shift-dialog.js'

type Props = {
  params: ShipmentParams
  tracking: TrackingState
  mode: Shipment['freight_mode']
  containers: string[]
  isAdding: boolean
  onAdd: (isAdding: boolean) => void
  onRoute: () => void
}

type Chosen = { step: Step; event: StatedEvent }

const tones = { actual: 'accent', estimated: 'planned', planned: 'planned', problem: 'problem' } as const

/** Every event as it was sent, by place. */
export function TrackingEditor({ params, tracking, mode, containers, isAdding, onAdd, onRoute }: Props) {
  const { file: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const mayOperate = useMayDo('operate')
  const ofShipment = `${params.account} ${params.svc_shipment_id}`
  const [correctedId, correct] = useOpened(`corrected ${ofShipment}`)
  const [decidedId, decide] = useOpened(`decided ${ofShipment}`)
  const events = tracking.steps.flatMap((step) => step.events.map((event): Chosen => ({ step, event })))
  const corrected = mayOperate ? events.find(({ event }) => event.event_id === correctedId) : undefined
  const decided = mayOperate ? decidedOf(events, decidedId) : undefined
  const [shifted, shift] = useState<StatedEvent>()
  const first = firstExpected(tracking)
  const [isPinning, setPinning] = useState(() => mayOperate && hasDraft(pinDraft(params)))
  useKeys(mayOperate ? { d: first && (() => shift(first)), p: () => setPinning(true) } : {})
  return (
    <Section
      title={m.tracking}
      anchor="tracking"
      aside={
        mayOperate && (
          <span className={styles.sectionActions}>
            <Button size="xs" variant="default" onClick={() => setPinning(true)}>
              {m.pin} <kbd className={styles.key}>p</kbd>
            </Button>
            <Button size="xs" variant="default" onClick={onRoute}>
              {m.editRoute} <kbd className={styles.key}>r</kbd>
            </Button>
            {first && (
              <Button size="xs" variant="default" onClick={() => shift(first)}>
                {m.shiftDates} <kbd className={styles.key}>d</kbd>
              </Button>
            )}
            <Button size="xs" onClick={() => onAdd(true)}>
              {m.addEvent} <kbd className={styles.key}>a</kbd>
            </Button>
          </span>
        )
      }
    >
      <PinnedDates params={params} tracking={tracking} />
      {tracking.steps.map((step) => (
        <div key={step.id} className={styles.step}>
          <h3 className={styles.place}>{placeOf(step, statuses.step)}</h3>
          {step.events.length > 0 && (
            <Events
              step={step}
              mayOperate={mayOperate}
              onCorrect={({ event_id }) => correct(event_id)}
              onDecide={({ event, action }) => decide(`${action} ${event.event_id}`)}
              onShift={shift}
            />
          )}
        </div>
      ))}
      {(isAdding || corrected) && (
        <EventForm
          key={correctedId}
          params={params}
          mode={mode}
          steps={tracking.steps}
          containers={containers}
          corrected={corrected}
          onClose={() => {
            correct(undefined)
            onAdd(false)
          }}
        />
      )}
      {shifted && <ShiftDialog params={params} tracking={tracking} from={shifted} onClose={() => shift(undefined)} />}
      {isPinning && <PinForm params={params} tracking={tracking} onClose={() => setPinning(false)} />}
      {decided && <EventDecision params={params} decided={decided} onClose={() => decide(undefined)} />}
    </Section>
  )
}

function decidedOf(events: Chosen[], key = ''): DecidedEvent | undefined {
  const [action, id] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
  const found = events.find(({ event }) => event.event_id === id)
  return found && (action === 'retract' || action === 'release') ? { event: found.event, action } : undefined
}

/** The next date that is expected: from it on, or from another event, dates are moved. */
function firstExpected({ steps }: TrackingState): StatedEvent | undefined {
  return steps
    .flatMap(({ events }) => events)
    .filter(isExpected)
    .toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date))[0]
}

const certainty = ['planned', 'estimated', 'actual']

/** What was planned or estimated, where something more certain is known of the same step of the journey. */
function isSuperseded({ code, status, container_number }: StatedEvent, events: StatedEvent[]): boolean {
  const rank = certainty.indexOf(status ?? '')
  return (
    rank !== -1 &&
    events.some(
      (other) =>
        other.code === code &&
        other.container_number === container_number &&
        certainty.indexOf(other.status ?? '') > rank &&
        (other.quarantine === undefined || other.released === true),
    )
  )
}

type EventsProps = {
  step: Step
  mayOperate: boolean
  onCorrect: (event: StatedEvent) => void
  onDecide: (decided: DecidedEvent) => void
  onShift: (event: StatedEvent) => void
}

function Events({ step, mayOperate, onCorrect, onDecide, onShift }: EventsProps) {
  const { file: m } = useOfficeMessages()
  const messages = useMessages()
  const f = useFormat()
  const nameOf = ({ description, code }: StatedEvent) => eventName(description ?? code ?? '', messages)
  return (
    <PlainTable
      label={placeOf(step, messages.statuses.step)}
      rows={step.events}
      rowKey={({ event_id }) => event_id}
      versionOf={(row) => JSON.stringify(row)}
      isFaint={(event) => isSuperseded(event, step.events)}
      columns={[
        { id: 'what', header: m.event, isName: true, cell: nameOf },
        {
          id: 'status',
          header: m.status,
          width: '13%',
          cell: ({ status, quarantine, released }) =>
            quarantine !== undefined && !released ? (
              <span title={quarantine}>
                <StatusBadge tone="late">{m.keptBack}</StatusBadge>
              </span>
            ) : (
              status && <StatusBadge tone={tones[status]}>{messages.statuses.date[status]}</StatusBadge>
            ),
        },
        {
          id: 'when',
          header: m.when,
          width: '22%',
          cell: ({ date, precision, zone }) =>
            date && (
              <>
                {precision === 'day' ? f.day(date) : `${f.day(date)}, ${f.time(date)}`}
                {zone === 'assumed' && <span className="soft small"> {m.assumedZone}</span>}
              </>
            ),
        },
        {
          id: 'container',
          header: m.container,
          width: '16%',
          cell: ({ container_number }) => container_number && <span className="mono">{container_number}</span>,
        },
        { id: 'source', header: m.source, width: '14%', cell: ({ source }) => source },
        ...(mayOperate
          ? [
              {
                id: 'actions',
                header: m.correct,
                isPlain: true,
                width: '112px',
                align: 'right' as const,
                cell: (event: StatedEvent) => (
                  <span className={styles.rowActions}>
                    {event.quarantine !== undefined && !event.released && (
                      <Button size="xs" variant="default" onClick={() => onDecide({ event, action: 'release' })}>
                        {m.release}
                      </Button>
                    )}
                    {isExpected(event) && (
                      <IconButton
                        aria-label={m.shiftFrom(nameOf(event))}
                        title={m.shiftFrom(nameOf(event))}
                        onClick={() => onShift(event)}
                      >
                        <IconCalendarTime size={16} aria-hidden="true" />
                      </IconButton>
                    )}
                    <IconButton
                      aria-label={m.correctOf(nameOf(event))}
                      title={m.correct}
                      onClick={() => onCorrect(event)}
                    >
                      <IconPencil size={16} aria-hidden="true" />
                    </IconButton>
                    <IconButton
                      aria-label={m.retractOf(nameOf(event))}
                      title={m.retract}
                      onClick={() => onDecide({ event, action: 'retract' })}
                    >
                      <IconTrash size={16} aria-hidden="true" />
                    </IconButton>
                  </span>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}
