import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import type { ShipmentStatus } from '../../../../src/contract/public/shipment.js'
import { shipmentMoves } from '../../../../src/domain/shipments/shipment-status.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Menu, MenuItem } from '../../../ui/menu.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ReasonDialog } from '../../actions/reason-dialog.js'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import type { ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'

/** Moves a shipment on, or cancels it with a reason, which can be undone. */
export function StatusMenu({ params, status }: { params: ShipmentParams; status: ShipmentStatus }) {
  const { file: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const { run } = useActions()
  const draft = `cancel ${params.account} ${params.svc_shipment_id}`
  const [isCancelling, setCancelling] = useState(() => hasDraft(draft))
  const next = shipmentMoves(status)
  const move = (to: ShipmentStatus) =>
    run(async () => {
      await ops.moveShipment({ params, body: { status: to } })
      return { text: m.done.moved }
    })
  const cancel = async (reason: string) => {
    await ops.moveShipment({ params, body: { status: 'cancelled', reason } })
    const back = { status, correction: true, reason: m.cancelUndone }
    return { text: m.done.cancelled, undo: () => ops.moveShipment({ params, body: back }) }
  }
  return (
    <>
      {next.length > 0 && (
        <Menu
          label={m.move}
          align="end"
          trigger={(trigger) => (
            <Button variant="default" rightSection={<IconChevronDown size={14} />} {...trigger}>
              {statuses.shipment[status]}
            </Button>
          )}
        >
          {next.map((each) =>
            each === 'cancelled' ? (
              <MenuItem key={each} tone="problem" onClick={() => setCancelling(true)}>
                {m.cancelShipment}
              </MenuItem>
            ) : (
              <MenuItem key={each} onClick={() => void move(each)}>
                {m.moveTo(statuses.shipment[each])}
              </MenuItem>
            ),
          )}
        </Menu>
      )}
      {isCancelling && (
        <ReasonDialog
          draft={draft}
          title={m.cancelShipment}
          text={m.cancelText}
          confirm={m.cancelShipment}
          onClose={() => setCancelling(false)}
          act={cancel}
        />
      )}
    </>
  )
}
