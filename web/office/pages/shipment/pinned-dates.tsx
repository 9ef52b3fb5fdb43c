import { IconPin, IconX } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import type { TrackingState } from '../../../../src/contract/operator/tracking.js'
import { milestoneNames } from '../../../../src/contract/public/explanation.js'
import type { StepType } from '../../../../src/contract/public/tracking.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button, IconButton } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './file.module.css'
import { localNow, offsetOf, withOffset } from './local-time.js'

type Milestone = (typeof milestoneNames)[number]
type Props = { params: ShipmentParams; tracking: TrackingState }

/** Dates that were set whatever the sources say. */
export function PinnedDates({ params, tracking }: Props) {
  const { file: m } = useOfficeMessages()
  const { shipment } = useMessages()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const mayOperate = useMayDo('operate')
  const pins = milestoneNames.flatMap((milestone) => {
    const pin = tracking.pins?.[milestone]
    return pin ? [{ milestone, ...pin }] : []
  })
  const unpin = (milestone: Milestone) =>
    run(async () => {
      await ops.unpinDate({ params: { ...params, milestone }, query: { reason: m.unpin } })
      return { text: m.done.unpinned }
    })
  if (pins.length === 0) return null
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
    </div>
  )
}

export function pinDraft({ account, svc_shipment_id }: ShipmentParams): string {
  return `pin ${account} ${svc_shipment_id}`
}

/** The place of a milestone, by whose clock its date is. */
function stepOf(milestone: Milestone, { steps }: TrackingState): TrackingState['steps'][number] | undefined {
  const find = (type: StepType) => steps.find((step) => step.type === type)
  if (milestone === 'pickup_date') return find('pickup') ?? steps[0]
  if (milestone === 'departure_date') return find('origin_port') ?? steps[0]
  if (milestone === 'arrival_date') return find('destination_port') ?? steps.at(-1)
  return find('delivery') ?? steps.at(-1)
}

export function PinForm({ params, tracking, onClose }: Props & { onClose: () => void }) {
  const { file: m } = useOfficeMessages()
  const { shipment } = useMessages()
  const { run, isBusy } = useActions()
  const initial = { milestone: 'arrival_date' as Milestone, date: localNow(), reason: '' }
  const [{ milestone, date, reason }, change, drop] = useDraft(pinDraft(params), initial)
  const close = () => {
    drop()
    onClose()
  }
  const offset = offsetOf(stepOf(milestone, tracking), date)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const body = { date: withOffset(date, offset), reason: reason.trim() }
      await ops.pinDate({ params: { ...params, milestone }, body })
      close()
      const undo = () => ops.unpinDate({ params: { ...params, milestone }, query: { reason: m.unpin } })
      return { text: m.done.pinned, undo }
    })
  }
  return (
    <Dialog title={m.pin} onClose={close} isPersistent>
      <form className={actionStyles.form} onSubmit={submit}>
        <SelectField
          label={m.milestone}
          value={milestone}
          options={milestoneNames.map((value) => ({ value, label: shipment.why.milestones[value] }))}
          onChange={(value) => change({ milestone: value })}
        />
        <Field
          type="datetime-local"
          label={m.when}
          description={m.localTime(offset)}
          value={date}
          required
          onChange={(event) => change({ date: event.currentTarget.value })}
        />
        <Field
          label={m.reason}
          value={reason}
          maxLength={1000}
          required
          hasAsterisk
          onChange={(event) => change({ reason: event.currentTarget.value })}
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
