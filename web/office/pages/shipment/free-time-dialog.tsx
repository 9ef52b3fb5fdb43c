import { type FormEvent, useState } from 'react'
import {
  type FreeTimeFactFields,
  freeTimeClocks,
  freeTimeDirections,
  freeTimeSources,
} from '../../../../src/contract/public/free-time.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'

type Draft = Pick<FreeTimeFactFields, 'direction' | 'clock' | 'source'> & {
  container: string
  what: 'day' | 'days'
  day: string
  days: string
  reason: string
}

const initial: Draft = {
  direction: 'import',
  clock: 'demurrage',
  source: 'carrier',
  container: '',
  what: 'day',
  day: '',
  days: '',
  reason: '',
}

export const freeTimeDraft = ({ account, svc_shipment_id }: ShipmentParams) => `free time ${account} ${svc_shipment_id}`

type Props = { params: ShipmentParams; containers: string[]; onClose: () => void }

/** Records a last free day that somebody gave, or days granted in addition. */
export function FreeTimeDialog({ params, containers, onClose }: Props) {
  const { freeTime: texts } = useMessages().shipment
  const { file: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const [draft, change, drop] = useDraft(freeTimeDraft(params), initial)
  const [error, setError] = useState<unknown>()
  const close = () => {
    drop()
    onClose()
  }
  const { direction, clock, source, container, what, day, days, reason } = draft
  const isComplete = reason.trim() !== '' && (what === 'day' ? day !== '' : /^[1-9]\d*$/.test(days))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const of = { ...params, fact_id: crypto.randomUUID() }
    const given = what === 'day' ? { last_free_day: day } : { extra_days: Number(days) }
    const body = { direction, clock, source, reason: reason.trim(), ...(container && { container_number: container }) }
    void run(
      async () => {
        await ops.giveFreeTime({ params: of, body: { ...body, ...given } })
        close()
        const undo = () => ops.retractFreeTime({ params: of, query: { reason: m.free.undone } })
        return { text: m.free.saved, undo }
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={m.free.give} onClose={close} isPersistent>
      <form className={actionStyles.form} onSubmit={submit}>
        <SelectField
          label={m.container}
          value={container}
          options={[
            { value: '', label: m.wholeShipment },
            ...containers.map((number) => ({ value: number, label: number })),
          ]}
          onChange={(chosen) => change({ container: chosen })}
        />
        <SelectField
          label={m.free.clock}
          value={clock}
          options={freeTimeClocks.map((value) => ({ value, label: texts.clocks[value] }))}
          onChange={(chosen) => change({ clock: chosen })}
        />
        <SelectField
          label={m.free.direction}
          value={direction}
          options={freeTimeDirections.map((value) => ({ value, label: m.free.directions[value] }))}
          onChange={(chosen) => change({ direction: chosen })}
        />
        <SelectField
          label={m.free.given}
          value={what}
          options={(['day', 'days'] as const).map((value) => ({ value, label: m.free.whats[value] }))}
          onChange={(chosen) => change({ what: chosen })}
        />
        {what === 'day' ? (
          <Field
            type="date"
            label={m.free.whats.day}
            value={day}
            onChange={({ currentTarget: { value } }) => change({ day: value })}
          />
        ) : (
          <Field
            inputMode="numeric"
            label={m.free.count}
            value={days}
            onChange={({ currentTarget: { value } }) => change({ days: value })}
          />
        )}
        <SelectField
          label={m.source}
          value={source}
          options={freeTimeSources.map((value) => ({ value, label: m.free.sources[value] }))}
          onChange={(chosen) => change({ source: chosen })}
        />
        <Field
          label={m.reason}
          maxLength={1000}
          value={reason}
          onChange={({ currentTarget: { value } }) => change({ reason: value })}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={!isComplete}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
