import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import { listOwnedKeys, type OwnedKey, setKeyOwner, setKeyRevoked } from '../../store/keys.js'
import { deletePerson } from '../../store/people.js'
import type { PortalHandler } from '../portal-context.js'
import { getPerson, refuseLastAdmin } from './person-record.js'

/** Removes a person. Their keys end or are handed over to the admin, who has to choose if there are any. */
export const removePerson: PortalHandler<'removePerson'> = async (
  { db, account, author, actor },
  { params: { person_id }, query },
) => {
  await commit(db, account, author, (tx) => removePersonIn(tx, account, person_id, query.keys, actor))
  return { accepted: true }
}

export async function removePersonIn(
  tx: Transaction,
  account: AccountId,
  person_id: string,
  left: 'revoke' | 'hand_over' | undefined,
  actor: Actor,
  /** The forwarder may leave an account of a customer without an admin. */
  { mustHaveAdmin = true } = {},
): Promise<void> {
  const person = await getPerson(tx, account, person_id)
  if (mustHaveAdmin) await refuseLastAdmin(tx, account, person)
  const keys = await listOwnedKeys(tx.sql, account, `person:${person_id}`)
  if (keys.length > 0 && left === undefined) {
    const count = keys.length === 1 ? 'one key that works' : `${keys.length} keys that work`
    throw new Refusal('keys_undecided', `${person.name} has ${count}. Nothing was changed.`)
  }
  for (const key of keys) await leaveKey(tx, account, key, left === 'hand_over', actor)
  await deletePerson(tx, account, person_id)
  const details = { email: person.email, name: person.name }
  await recordAudit(tx.sql, account, actor, { kind: 'person', action: 'person_removed', subject: person_id, details })
}

async function leaveKey(
  tx: Transaction,
  account: AccountId,
  { key_id, name }: OwnedKey,
  isHandedOver: boolean,
  actor: Actor,
): Promise<void> {
  if (isHandedOver) await setKeyOwner(tx, account, key_id, actor.actor)
  else await setKeyRevoked(tx, account, key_id)
  const action = isHandedOver ? 'key_handed_over' : 'key_revoked'
  await recordAudit(tx.sql, account, actor, { kind: 'key', action, subject: key_id, details: { name } })
}
