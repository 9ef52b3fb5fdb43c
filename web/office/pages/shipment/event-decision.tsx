import { useMessages } from '../../../portal/i18n/messages.js'
import { eventName } from '../../../portal/pages/shipment/event-texts.js'
import { Dialog } from '../../../ui/dialog.js'
import { TextForm } from '../../actions/text-form.js'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import type { StatedEvent } from './place-of.js'

export type DecidedEvent = { event: StatedEvent; action: 'retract' | 'release' }

type Props = { params: ShipmentParams; decided: DecidedEvent; onClose: () => void }

/** Retracts an event, or lets one count that was kept back, with a reason. */
export function EventDecision({ params, decided: { event, action }, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const messages = useMessages()
  const { run, isBusy } = useActions()
  const { event_id, description, code, revision } = event
  const name = eventName(description ?? code ?? '', messages)
  const named = { ...params, event_id }
  const send = (reason: string) =>
    run(async () => {
      if (action === 'release') await ops.releaseEvent({ params: named, body: { reason } })
      else await ops.retractEvent({ params: named, query: { reason, ...(revision !== undefined && { revision }) } })
      onClose()
      return { text: action === 'release' ? m.done.released : m.done.retracted }
    })
  return (
    <Dialog title={action === 'release' ? m.releaseOf(name) : m.retractOf(name)} onClose={onClose}>
      {event.quarantine !== undefined && <p>{m.keptBackSince(event.quarantine)}</p>}
      <TextForm
        draft={`${action} ${params.account} ${params.svc_shipment_id} ${event_id}`}
        label={m.reason}
        submit={action === 'release' ? m.release : m.retract}
        isBusy={isBusy}
        onSubmit={send}
      />
    </Dialog>
  )
}
