import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TrackingState } from '../../../../src/contract/operator/tracking.js'
import { type EventCode, eventCodes } from '../../../../src/contract/public/event-codes.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { refusalCodeOf } from '../../../portal/api/client.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { eventName } from '../../../portal/pages/shipment/event-texts.js'
import { Button } from '../../../ui/button.js'
import { presentDate } from '../../../ui/clock.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { type ShipmentParams, trackingQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { Conflict } from './conflict.js'
import { type Difference, differencesBetween, withOwn } from './differences.js'
import { textOfCode } from './event-codes.js'
import { type EventField, type EventValues, eventBodyOf, eventFields, newEvent, valuesOfEvent } from './event-values.js'
import styles from './file.module.css'
import { offsetOf } from './local-time.js'
import { placeOf, type StatedEvent, type Step } from './place-of.js'

const statuses = ['actual', 'estimated', 'planned', 'problem'] as const

type Props = {
  params: ShipmentParams
  mode: Shipment['freight_mode']
  steps: Step[]
  containers: string[]
  /** The event to correct; a new one without it. */
  corrected?: { step: Step; event: StatedEvent } | undefined
  onClose: () => void
}

type Draft = {
  values: EventValues
  base: EventValues
  revision: number | undefined
  reason: string
  /** When these values were first saved: a repeated attempt is the same request. */
  issued_at?: string | undefined
}

export const eventDraft = ({ account, svc_shipment_id }: ShipmentParams, event_id = '') =>
  `event ${account} ${svc_shipment_id} ${event_id}`

/** Adds an event, or corrects one. What somebody else corrected meanwhile is decided by field. */
export function EventForm({ params, mode, steps, containers, corrected, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const client = useQueryClient()
  const { run, isBusy } = useActions()
  const event_id = corrected?.event.event_id
  const [draft, change, drop] = useDraft<Draft>(eventDraft(params, event_id), draftOf(corrected, steps))
  const [conflict, setConflict] = useState<{ differences: Difference<EventField>[]; theirs: Draft }>()
  const [error, setError] = useState<unknown>()
  const { values, reason } = draft
  const close = () => {
    drop()
    onClose()
  }

  const save = (given: Draft) => {
    setError(undefined)
    // It is issued now: of several dates, the one that was issued last counts.
    const { issued_at = presentDate().toISOString() } = given
    change({ issued_at })
    const body = eventBodyOf(given.values, steps, mode, issued_at)
    return run(
      async () => {
        let after: TrackingState
        if (event_id === undefined) after = await ops.addEvent({ params, body })
        else {
          const query = given.revision === undefined ? {} : { revision: given.revision }
          after = await ops.correctEvent({
            params: { ...params, event_id },
            query,
            body: { ...body, reason: given.reason.trim() },
          })
        }
        close()
        const warnings = after.warnings?.map(({ detail }) => detail) ?? []
        return { text: [event_id === undefined ? m.done.added : m.done.corrected, ...warnings].join('. ') }
      },
      (refusal) => onRefusal(refusal, given),
    )
  }

  async function onRefusal(refusal: unknown, given: Draft): Promise<void> {
    if (refusalCodeOf(refusal) !== 'event_changed') return setError(refusal)
    const current = await client.fetchQuery({ ...trackingQuery(params), staleTime: 0 })
    const step = current.steps.find(({ events }) => events.some((each) => each.event_id === event_id))
    const event = step?.events.find((each) => each.event_id === event_id)
    if (!step || !event) return setError(refusal)
    const theirs = { ...draftOf({ step, event }, steps), reason: given.reason }
    setConflict({ differences: differencesBetween(eventFields, given.base, given.values, theirs.base), theirs })
  }

  if (conflict) {
    return (
      <Dialog title={m.conflict} onClose={close} isPersistent isWide>
        <EventConflict
          {...{ steps, mode, isBusy }}
          differences={conflict.differences}
          onChoose={(own) => {
            const { theirs, differences } = conflict
            const next = { ...theirs, values: withOwn(theirs.base, differences, own) as EventValues }
            change({ ...next, issued_at: undefined })
            setConflict(undefined)
            void save(next)
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={corrected ? m.correct : m.addEvent} onClose={close} isPersistent isWide>
      <form
        className={actionStyles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          if (values.code !== '' && values.date !== '') void save(draft)
        }}
      >
        <EventFields
          {...{ values, steps, containers, mode }}
          onChange={(changed) => change({ values: { ...values, ...changed }, issued_at: undefined })}
        />
        {corrected && (
          <Field
            label={m.reason}
            value={reason}
            maxLength={1000}
            required
            hasAsterisk
            onChange={(event) => change({ reason: event.currentTarget.value })}
          />
        )}
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button
            type="submit"
            loading={isBusy}
            disabled={
              values.code === '' ||
              (values.code === 'OTHER' && values.description.trim() === '') ||
              (corrected !== undefined && !reason.trim())
            }
          >
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type FieldsProps = Pick<Props, 'steps' | 'containers' | 'mode'> & {
  values: EventValues
  onChange: (changed: Partial<EventValues>) => void
}

function EventFields({ values, steps, containers, mode, onChange }: FieldsProps) {
  const { file: m } = useOfficeMessages()
  const { statuses: texts } = useMessages()
  const nameOfCode = useCodeNames(mode)
  const at = steps.find(({ id }) => id === values.step)
  return (
    <div className={styles.formRow}>
      <SelectField
        label={m.place}
        value={values.step}
        options={steps.map((each) => ({ value: each.id, label: placeOf(each, texts.step) }))}
        onChange={(step) => onChange({ step })}
      />
      <SelectField
        label={m.what}
        value={values.code}
        options={[
          { value: '' as const, label: '–' },
          ...eventCodes.map((value) => ({ value, label: nameOfCode(value) })),
        ]}
        onChange={(code) => onChange({ code })}
      />
      <SelectField
        label={m.status}
        value={values.status}
        options={statuses.map((value) => ({ value, label: texts.date[value] }))}
        onChange={(status) => onChange({ status })}
      />
      <Field
        type="datetime-local"
        label={m.when}
        description={m.localTime(offsetOf(at, values.date))}
        value={values.date}
        required
        onChange={(event) => onChange({ date: event.currentTarget.value })}
      />
      {containers.length > 0 && (
        <SelectField
          label={m.container}
          value={values.container}
          options={[
            { value: '', label: m.wholeShipment },
            ...containers.map((number) => ({ value: number, label: number })),
          ]}
          onChange={(container) => onChange({ container })}
        />
      )}
      {(['source', 'vessel', 'voyage'] as const).map((name) => (
        <Field
          key={name}
          label={m[name]}
          value={values[name]}
          maxLength={255}
          onChange={(event) => onChange({ [name]: event.currentTarget.value })}
        />
      ))}
      <Field
        label={m.inWords}
        placeholder={values.code === '' ? '' : nameOfCode(values.code)}
        value={values.description}
        maxLength={1000}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </div>
  )
}

type ConflictProps = Pick<Props, 'steps' | 'mode'> & {
  differences: Difference<EventField>[]
  isBusy: boolean
  onChoose: (own: Set<string>) => void
}

function EventConflict({ differences, steps, mode, isBusy, onChoose }: ConflictProps) {
  const { file: m } = useOfficeMessages()
  const { statuses: texts } = useMessages()
  const f = useFormat()
  const nameOfCode = useCodeNames(mode)
  const labels: Record<EventField, string> = {
    step: m.place,
    code: m.what,
    status: m.status,
    date: m.when,
    container: m.container,
    source: m.source,
    vessel: m.vessel,
    voyage: m.voyage,
    description: m.inWords,
  }
  const shown = (field: EventField, value: string): string => {
    if (value === '') return field === 'container' ? m.wholeShipment : ''
    if (field === 'code') return nameOfCode(value as EventCode)
    if (field === 'status') return texts.date[value as (typeof statuses)[number]]
    if (field === 'date') return `${f.day(value)}, ${f.time(value)}`
    const step = field === 'step' ? steps.find(({ id }) => id === value) : undefined
    return step ? placeOf(step, texts.step) : value
  }
  return (
    <Conflict
      differences={differences.map(({ text, mine, theirs, isMine }) => ({
        name: text,
        label: labels[text],
        mine: shown(text, mine),
        theirs: shown(text, theirs),
        isMine,
      }))}
      isBusy={isBusy}
      onChoose={onChoose}
    />
  )
}

function useCodeNames(mode: Shipment['freight_mode']): (code: EventCode) => string {
  const { file: m } = useOfficeMessages()
  const messages = useMessages()
  return (code) => (code === 'OTHER' ? m.otherEvent : eventName(textOfCode(code, mode), messages))
}

function draftOf(corrected: Props['corrected'], steps: Step[]): Draft {
  const values = corrected ? valuesOfEvent(corrected.step, corrected.event) : newEvent(steps)
  return { values, base: values, revision: corrected?.event.revision, reason: '' }
}
