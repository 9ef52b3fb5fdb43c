import { IconPin, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { TrackingState } from '../../../../src/contract/operator/tracking.js'
import { milestoneNames } from '../../../../src/contract/public/explanation.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button, IconButton } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './file.module.css'
import { localNow, offsetAt, withOffset } from './local-time.js'

type Milestone = (typeof milestoneNames)[number]
type Props = { params: ShipmentParams; tracking: TrackingState }

/** Dates that were set whatever the sources say. */
export function PinnedDates({ params, tracking }: Props) {
  const { file: m } = useOfficeMessages()
  const { shipment } = useMessages()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const mayOperate = useMayDo('operate')
  const [isPinning, setPinning] = useState(false)
  const pins = milestoneNames.flatMap((milestone) => {
    const pin = tracking.pins?.[milestone]
    return pin ? [{ milestone, ...pin }] : []
  })
  const unpin = (milestone: Milestone) =>
    run(async () => {
      await ops.unpinDate({ params: { ...params, milestone }, query: { reason: m.unpin } })
      return { text: m.done.unpinned }
    })
  if (!mayOperate && pins.length === 0) return null
  return (
    <div className={styles.pins}>
      {pins.map(({ milestone, date, reason }) => (
        <span key={milestone} className={styles.pin} title={reason}>
          <IconPin size={14} aria-hidden="true" />
          {m.pinnedTo(shipment.why.milestones[milestone], f.day(date))}
          {mayOperate && (
            <IconButton aria-label={m.unpin} title={m.unpin} disabled={isBusy} onClick={() => void unpin(milestone)}>
              <IconX size={14} aria-hidden="true" />
            </IconButton>
          )}
        </span>
      ))}
      {mayOperate && (
        <Button size="xs" variant="default" onClick={() => setPinning(true)}>
          {m.pin}
        </Button>
      )}
      {isPinning && <PinForm params={params} tracking={tracking} onClose={() => setPinning(false)} />}
    </div>
  )
}

function PinForm({ params, tracking, onClose }: Props & { onClose: () => void }) {
  const { file: m } = useOfficeMessages()
  const { shipment } = useMessages()
  const { run, isBusy } = useActions()
  const [milestone, setMilestone] = useState<Milestone>('arrival_date')
  const [date, setDate] = useState(localNow())
  const [reason, setReason] = useState('')
  const offset = offsetAt(tracking.steps.flatMap(({ events }) => events))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const body = { date: withOffset(date, offset), reason: reason.trim() }
      await ops.pinDate({ params: { ...params, milestone }, body })
      onClose()
      const undo = () => ops.unpinDate({ params: { ...params, milestone }, query: { reason: m.unpin } })
      return { text: m.done.pinned, undo }
    })
  }
  return (
    <Dialog title={m.pin} onClose={onClose} isPersistent>
      <form className={actionStyles.form} onSubmit={submit}>
        <SelectField
          label={m.milestone}
          value={milestone}
          options={milestoneNames.map((value) => ({ value, label: shipment.why.milestones[value] }))}
          onChange={setMilestone}
        />
        <Field
          type="datetime-local"
          label={m.when}
          description={m.localTime(offset)}
          value={date}
          required
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        <Field
          label={m.reason}
          value={reason}
          maxLength={1000}
          required
          hasAsterisk
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={reason.trim() === '' || date === ''}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
