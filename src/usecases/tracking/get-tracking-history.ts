import { Refusal } from '../../contract/refusals.js'
import { listTrackingChanges } from '../../ledger/tracking-history.js'
import type { OperatorHandler } from '../operator-context.js'
import { isTracked } from './tracking-record.js'

export const getTrackingHistory: OperatorHandler<'getTrackingHistory'> = async (
  { db, account },
  { params, query: { skip = 0, take = 100 } },
) => {
  const changes = await listTrackingChanges(db, account, params.svc_shipment_id, { skip, take })
  if (changes.length === 0 && !(await isTracked(db, account, params.svc_shipment_id))) {
    throw new Refusal('tracking_not_found')
  }
  return changes.map(({ record, reason, ...change }) => ({
    ...change,
    ...(reason !== null && { reason }),
    ...(record !== null && { record: JSON.parse(record) as unknown }),
  }))
}
