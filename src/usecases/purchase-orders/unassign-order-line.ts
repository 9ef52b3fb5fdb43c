import { assignmentId } from '../../store/assignments.js'
import type { OperatorHandler } from '../operator-context.js'
import { getAssignment, refuseOtherAssignmentRevision } from './assignment-record.js'

export const unassignOrderLine: OperatorHandler<'unassign'> = async (
  { tx, account },
  { params: { reference, line, svc_shipment_id }, query: { reason, revision } },
) => {
  const assignment = await getAssignment(tx, account, { reference, line, svc_shipment_id })
  await refuseOtherAssignmentRevision(tx, account, assignment, revision)
  tx.remove('assignment', assignment, reason)
  return { removed: assignmentId(assignment) }
}
