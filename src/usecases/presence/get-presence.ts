import type { EditedPart } from '../../contract/operator/presence.js'
import { Refusal } from '../../contract/refusals.js'
import { endPresence, findPresence, renewPresence } from '../../store/presence.js'
import type { OperatorHandler } from '../operator-context.js'

/** Who else has a shipment open. Whoever asks with a tab is seen by the others. */
export const getPresence: OperatorHandler<'getPresence'> = async (
  { db, account, operator: { operator_id, name } },
  { params: { svc_shipment_id }, query: { tab, editing, leaving } },
) => {
  if (tab !== undefined) {
    const mine = { svc_shipment_id, tab, operator_id }
    if (leaving) await endPresence(db, account, mine)
    else await renewPresence(db, account, { ...mine, name, editing })
  }
  const found = await findPresence(db, account, svc_shipment_id, operator_id)
  if (!found) throw new Refusal('shipment_not_found')
  const people = found.people.map((person) => ({ ...person, editing: person.editing as EditedPart[] }))
  return { people, revision: found.revision }
}
