import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { ModeIcon, ShipmentStatusBadge, StatusBadge } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import { useMessages } from '../../i18n/messages.js'
import { Late } from '../shipments/columns.js'
import { problemMilestone } from '../shipments/problem-milestone.js'
import styles from './shipment.module.css'

/** Number, status, mode and terms in one line. */
export function ShipmentFacts({ shipment }: { shipment: Shipment }) {
  const { statuses, shipments, shipment: m } = useMessages()
  const problem = problemMilestone(shipment)
  const { svc_shipment_id, status, freight_mode, freight_type, incoterm } = shipment
  return (
    <div className={styles.known}>
      <Copyable text={svc_shipment_id} />
      {status && <ShipmentStatusBadge status={status} />}
      {problem && (
        <StatusBadge tone="problem" mark="half">
          {shipments.problem(m.why.milestones[problem])}
        </StatusBadge>
      )}
      <Late shipment={shipment} />
      {freight_mode && (
        <span className={styles.mode}>
          <span aria-hidden="true">
            <ModeIcon mode={freight_mode} />
          </span>
          {statuses.mode[freight_mode]}
        </span>
      )}
      {freight_type && <span>{statuses.freightType[freight_type]}</span>}
      {incoterm && <span title={statuses.incoterm[incoterm]}>{incoterm.toUpperCase()}</span>}
    </div>
  )
}
