import { commit } from '../../ledger/commit.js'
import { deletePerson } from '../../store/people.js'
import type { PortalHandler } from '../portal-context.js'
import { getPerson, refuseLastAdmin } from './person-record.js'

export const removePerson: PortalHandler<'removePerson'> = async (
  { db, account, author },
  { params: { person_id } },
) => {
  await commit(db, account, author, async (tx) => {
    await refuseLastAdmin(tx, account, await getPerson(tx, account, person_id))
    await deletePerson(tx, account, person_id)
  })
  return { accepted: true }
}
