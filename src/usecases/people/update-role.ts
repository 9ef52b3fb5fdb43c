import { invalid } from '../../contract/refusals.js'
import type { AccountId, AccountScope } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { type Actor, commandLine, recordAudit } from '../../store/audit.js'
import { changePerson, type PersonRow, type Role } from '../../store/people.js'
import { endSessions } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'
import { getPerson, refuseLastAdmin } from './person-record.js'
import { personResponse } from './session-response.js'

/** Changes the role of a person, or whether they can sign in. */
export const updateRole: PortalHandler<'updateRole'> = async (
  { db, account, actor },
  { params: { person_id }, body },
) => {
  refuseNoChange(body)
  return commit(db, account, actor.actor, async (tx) =>
    personResponse(await changePersonIn(tx, account, person_id, body, actor)),
  )
}

type Change = {
  role?: Role | undefined
  disabled?: boolean | undefined
  /** Of an operator. */
  accounts?: AccountScope | undefined
}

export async function changePersonIn(
  tx: Transaction,
  account: AccountId,
  person_id: string,
  change: Change,
  actor: Actor,
  /** The forwarder may leave an account of a customer without an admin. */
  { mustHaveAdmin = true } = {},
): Promise<PersonRow> {
  refuseNoChange(change)
  const person = await getPerson(tx, account, person_id)
  const isLimited = change.accounts !== undefined && change.accounts !== 'all'
  const losesAdmin = change.disabled === true || isLimited || (change.role !== undefined && change.role !== 'admin')
  if (losesAdmin && mustHaveAdmin) await refuseLastAdmin(tx, account, person)
  await changeMembership(tx, account, person, change, actor)
  return getPerson(tx, account, person_id)
}

function refuseNoChange({ role, disabled, accounts }: Change): void {
  if (role === undefined && disabled === undefined && accounts === undefined) {
    throw invalid([{ pointer: '', detail: 'needs role or disabled' }])
  }
}

/** Enables or disables a person; a disabled person is signed out at once, everywhere. */
export async function setDisabled(
  db: Database,
  account: AccountId,
  person_id: string,
  disabled: boolean,
  actor = commandLine,
): Promise<void> {
  await commit(db, account, actor.actor, async (tx) =>
    changeMembership(tx, account, await getPerson(tx, account, person_id), { disabled }, actor),
  )
}

async function changeMembership(
  tx: Transaction,
  account: AccountId,
  person: PersonRow,
  change: Change,
  actor: Actor,
): Promise<void> {
  const { person_id, email } = person
  await changePerson(tx, account, person_id, change)
  if (change.disabled) await endSessions(tx.sql, account, person_id)
  const { role, disabled } = change
  if (role !== undefined && role !== person.role) {
    const details = { email, before: person.role, after: role }
    await recordAudit(tx.sql, account, actor, { kind: 'role', action: 'role_changed', subject: person_id, details })
  }
  if (change.accounts !== undefined) {
    const named = (slugs: string[] | null) => slugs?.join(', ') ?? 'all'
    const [before, after] = [named(person.accounts), named((await getPerson(tx, account, person_id)).accounts)]
    const act = {
      kind: 'role',
      action: 'accounts_changed',
      subject: person_id,
      details: { email, before, after },
    } as const
    if (before !== after) await recordAudit(tx.sql, account, actor, act)
  }
  if (disabled !== undefined && disabled !== (person.disabled_at !== null)) {
    const action = disabled ? 'person_disabled' : 'person_enabled'
    await recordAudit(tx.sql, account, actor, { kind: 'person', action, subject: person_id, details: { email } })
  }
}
