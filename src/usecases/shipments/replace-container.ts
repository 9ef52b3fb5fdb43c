import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { findAssignmentsOfShipments } from '../../store/assignments.js'
import type { OperatorHandler } from '../operator-context.js'
import { findKnownTracking, putTracking } from '../tracking/tracking-record.js'
import { getShipmentRecord, saveShipment } from './shipment-record.js'
import { refuseOtherShipmentRevision, refuseShipmentFaults } from './shipment-revision.js'

/** The goods of a container were moved to another one: its packing and its past are those of the other from now on. */
export const replaceContainer: OperatorHandler<'replaceContainer'> = async (
  { tx, account },
  {
    params: { svc_shipment_id: id, container_number: number },
    query: { revision },
    body: { container_number: replaced_by, reason },
  },
) => {
  await refuseOtherShipmentRevision(tx.sql, account, id, revision)
  const before = await getShipmentRecord(tx.sql, account, id)
  const numbers = numbersOf(before)
  if (!numbers.includes(number)) throw new Refusal('container_not_found')
  const known = await findKnownTracking(tx.sql, account, id)
  const former = known.record?.replaced_units?.map((each) => each.container_number) ?? []
  if (numbers.includes(replaced_by) || former.includes(replaced_by))
    throw invalid([{ pointer: '/container_number', detail: 'is a container of the shipment already, or was one' }])
  const record = withNumber(before, number, replaced_by)
  await refuseShipmentFaults(tx.sql, account, record, before)
  if (known.record) {
    const replaced_units = [...(known.record.replaced_units ?? []), { container_number: number, replaced_by }]
    await putTracking(tx, { ...known, shipment: record }, { ...known.record, replaced_units }, { reason })
  }
  const assignments = await findAssignmentsOfShipments(tx.sql, account, [id])
  const packed = assignments.filter((each) => each.shipped_order_lines.some((line) => line.container_number === number))
  tx.put(
    'assignment',
    packed.map((each) => ({
      record: {
        ...each,
        shipped_order_lines: each.shipped_order_lines.map((line) =>
          line.container_number === number ? { ...line, container_number: replaced_by } : line,
        ),
      },
      before: each,
      reason,
    })),
  )
  return saveShipment(tx, account, record, before, { reason })
}

function withNumber(record: ShipmentRecord, number: string, replaced_by: string): ShipmentRecord {
  const containers = record.cargo?.containers?.map((each) =>
    each.container_number === number ? { ...each, container_number: replaced_by } : each,
  )
  return { ...record, cargo: { ...record.cargo, ...(containers && { containers }) } }
}
