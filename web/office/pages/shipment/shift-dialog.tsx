import { type FormEvent, useState } from 'react'
import type { TrackingState } from '../../../../src/contract/operator/tracking.js'
import { expectedFrom, shiftedDate } from '../../../../src/domain/tracking/shifted-dates.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { eventName } from '../../../portal/pages/shipment/event-texts.js'
import { Button } from '../../../ui/button.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './file.module.css'
import { placeOf, type StatedEvent, type Step } from './place-of.js'

type Props = {
  params: ShipmentParams
  tracking: TrackingState
  /** The event from which on dates are moved. */
  from: StatedEvent
  onClose: () => void
}

type Shift = { count: string; unit: 'days' | 'hours'; reason: string }

type Moved = StatedEvent & { date: string; step: Step }

/** Moves all later planned and estimated dates. What would change is shown before, and can be left out. */
export function ShiftDialog({ params, tracking, from, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const messages = useMessages()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const [{ count, unit, reason }, change, drop] = useDraft<Shift>(
    `shift ${params.account} ${params.svc_shipment_id} ${from.event_id}`,
    { count: '1', unit: 'days', reason: '' },
  )
  const close = () => {
    drop()
    onClose()
  }
  const [left, setLeft] = useState<Set<string>>(new Set())
  const [error, setError] = useState<unknown>()
  // Those of the moment the dialog was opened: dates that change meanwhile are refused.
  const [later] = useState<Moved[]>(() =>
    expectedFrom(
      tracking.steps.flatMap((step) => step.events.map((event) => ({ ...event, step }))),
      from,
    ).toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date)),
  )
  const hours = Math.round(Number(count.replace(',', '.')) * (unit === 'days' ? 24 : 1))
  const moved = later.filter(({ event_id }) => !left.has(event_id))
  const isPossible = Number.isInteger(hours) && hours !== 0 && moved.length > 0
  const nameOf = ({ description, code }: StatedEvent) => eventName(description ?? code ?? '', messages)
  const dayOf = (date: string) => `${f.day(date)}, ${f.time(date)}`

  const send = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const events = moved.map(({ event_id, date }) => ({ event_id, date }))
    const given = reason.trim() || m.shiftReason(count, unit === 'days' ? m.days : m.hours)
    void run(
      async () => {
        await ops.shiftDates({ params, body: { events, hours, reason: given } })
        close()
        const undo = () =>
          ops.shiftDates({
            params,
            body: {
              events: events.map(({ event_id, date }) => ({ event_id, date: shiftedDate(date, hours) ?? date })),
              hours: -hours,
              reason: m.shiftUndone,
            },
          })
        return { text: m.done.shifted(events.length), undo }
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={m.shiftFrom(nameOf(from))} onClose={close} isPersistent isWide>
      <form className={actionStyles.form} onSubmit={send}>
        <div className={styles.formRow}>
          <Field
            label={m.shiftBy}
            description={m.shiftHint}
            inputMode="numeric"
            value={count}
            data-autofocus
            onChange={(event) => change({ count: event.currentTarget.value })}
          />
          <SelectField
            label={m.unitOfTime}
            value={unit}
            options={[
              { value: 'days', label: m.days },
              { value: 'hours', label: m.hours },
            ]}
            onChange={(value) => change({ unit: value })}
          />
          <Field
            label={m.reason}
            value={reason}
            maxLength={1000}
            onChange={(event) => change({ reason: event.currentTarget.value })}
          />
        </div>
        {tracking.pins && <Notice tone="quiet">{m.pinsStay}</Notice>}
        <PlainTable<Moved>
          label={m.whatMoves}
          rows={later}
          rowKey={({ event_id }) => event_id}
          columns={[
            {
              id: 'moved',
              header: m.moves,
              isPlain: true,
              cell: (event) => (
                <RowCheckbox
                  label={m.moveDate(nameOf(event), placeOf(event.step, messages.statuses.step))}
                  checked={!left.has(event.event_id)}
                  onChange={({ currentTarget: { checked } }) =>
                    setLeft(
                      checked
                        ? new Set([...left].filter((id) => id !== event.event_id))
                        : new Set([...left, event.event_id]),
                    )
                  }
                />
              ),
            },
            { id: 'what', header: m.event, isName: true, cell: nameOf },
            { id: 'place', header: m.place, cell: ({ step }) => placeOf(step, messages.statuses.step) },
            {
              id: 'container',
              header: m.container,
              cell: ({ container_number }) => container_number && <span className="mono">{container_number}</span>,
            },
            { id: 'before', header: m.dateNow, cell: ({ date }) => dayOf(date) },
            {
              id: 'after',
              header: m.dateThen,
              cell: ({ event_id, date }) => {
                const then = left.has(event_id) || !isPossible ? undefined : shiftedDate(date, hours)
                return then === undefined ? '–' : <span className="strong">{dayOf(then)}</span>
              },
            },
          ]}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={!isPossible}>
            {m.shift(moved.length)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
