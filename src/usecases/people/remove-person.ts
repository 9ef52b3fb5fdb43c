import { commit } from '../../ledger/commit.js'
import { recordAudit } from '../../store/audit.js'
import { deletePerson } from '../../store/people.js'
import type { PortalHandler } from '../portal-context.js'
import { getPerson, refuseLastAdmin } from './person-record.js'

export const removePerson: PortalHandler<'removePerson'> = async (
  { db, account, author, actor },
  { params: { person_id } },
) => {
  await commit(db, account, author, async (tx) => {
    const person = await getPerson(tx, account, person_id)
    await refuseLastAdmin(tx, account, person)
    await deletePerson(tx, account, person_id)
    const details = { email: person.email, name: person.name }
    await recordAudit(tx.sql, account, actor, { kind: 'person', action: 'person_removed', subject: person_id, details })
  })
  return { accepted: true }
}
