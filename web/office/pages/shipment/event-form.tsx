import { type FormEvent, useState } from 'react'
import { eventCodes } from '../../../../src/contract/public/event-codes.js'
import type { TrackingDateStatus } from '../../../../src/contract/public/shared-types.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { codeName } from './code-name.js'
import { localNow, localOf, offsetAt, withOffset } from './local-time.js'
import { placeOf, type StatedEvent, type Step } from './place-of.js'

type EventCode = (typeof eventCodes)[number]

const statuses: TrackingDateStatus[] = ['actual', 'estimated', 'planned', 'problem']

type Props = {
  params: ShipmentParams
  steps: Step[]
  containers: string[]
  /** The event to correct; a new one without it. */
  corrected?: { step: Step; event: StatedEvent } | undefined
  onClose: () => void
}

/** Adds an event, or corrects one. */
export function EventForm({ params, steps, containers, corrected, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const { statuses: texts } = useMessages()
  const { run, isBusy } = useActions()
  const [step, setStep] = useState((corrected?.step ?? openStep(steps))?.id ?? '')
  const at = steps.find(({ id }) => id === step)
  const [code, setCode] = useState<EventCode | ''>(corrected?.event.code ?? '')
  const [status, setStatus] = useState<TrackingDateStatus>(corrected?.event.status ?? 'actual')
  const offset = (corrected?.event.date && offsetAt([corrected.event])) || offsetAt(at?.events ?? [])
  const [date, setDate] = useState(corrected?.event.date ? localOf(corrected.event.date) : localNow())
  const [container, setContainer] = useState(corrected?.event.container_number ?? '')
  const [source, setSource] = useState(corrected?.event.source ?? '')
  const [reason, setReason] = useState('')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code === '' || date === '') return
    const body = {
      step,
      code,
      description: corrected?.event.code === code ? (corrected.event.description ?? codeName(code)) : codeName(code),
      status,
      date: withOffset(date, offset),
      ...(container !== '' && { container_number: container }),
      ...(source.trim() !== '' && { source: source.trim() }),
    }
    const event_id = corrected?.event.event_id
    void run(async () => {
      if (event_id === undefined) await ops.addEvent({ params, body })
      else await ops.correctEvent({ params: { ...params, event_id }, body: { ...body, reason: reason.trim() } })
      onClose()
      return { text: event_id === undefined ? m.done.added : m.done.corrected }
    })
  }

  return (
    <Dialog title={corrected ? m.correct : m.addEvent} onClose={onClose} isPersistent>
      <form className={actionStyles.form} onSubmit={submit}>
        <SelectField
          label={m.place}
          value={step}
          options={steps.map((each) => ({ value: each.id, label: placeOf(each, texts.step) }))}
          onChange={setStep}
        />
        <SelectField
          label={m.what}
          value={code}
          options={[
            { value: '' as const, label: '–' },
            ...eventCodes.map((value) => ({ value, label: codeName(value) })),
          ]}
          onChange={setCode}
        />
        <SelectField
          label={m.status}
          value={status}
          options={statuses.map((value) => ({ value, label: texts.date[value] }))}
          onChange={setStatus}
        />
        <Field
          type="datetime-local"
          label={m.when}
          description={m.localTime(offset)}
          value={date}
          required
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        {containers.length > 0 && (
          <SelectField
            label={m.container}
            value={container}
            options={[
              { value: '', label: m.wholeShipment },
              ...containers.map((number) => ({ value: number, label: number })),
            ]}
            onChange={setContainer}
          />
        )}
        <Field
          label={m.source}
          value={source}
          maxLength={255}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
        {corrected && (
          <Field
            label={m.reason}
            value={reason}
            maxLength={1000}
            required
            hasAsterisk
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={code === '' || (corrected !== undefined && !reason.trim())}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The first place where something has not happened yet. */
function openStep(steps: Step[]): Step | undefined {
  return steps.find(({ events }) => !events.some(({ status }) => status === 'actual')) ?? steps.at(-1)
}
