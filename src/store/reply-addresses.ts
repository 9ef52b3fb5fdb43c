import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import type { SubjectKey } from './conversations.js'
import type { Role } from './people.js'

/** The addresses to which people reply by mail: who replies, and to which conversation. */

export type ReplyAddress = { account: AccountId; subject: SubjectKey; person_account: AccountId; person_id: string }

/** Once for each conversation and person: the token is always the same. */
export async function saveReplyAddress(db: Reader, hash: string, address: ReplyAddress): Promise<void> {
  const { account, subject, person_account, person_id } = address
  await db`
    insert into reply_addresses (account_id, hash, subject_kind, subject_id, person_account_id, person_id)
    values (${account}, ${hash}, ${subject.kind}, ${subject.id}, ${person_account}, ${person_id})
    on conflict do nothing`
}

export type Replier = SubjectKey & {
  person_account: AccountId
  person_id: string
  email: string
  name: string
  role: Role
  isDisabled: boolean
  isSuspended: boolean
  account: string
}

/** With the person as they are now. */
export async function findReplier(db: Reader, account: AccountId, hash: string): Promise<Replier | undefined> {
  const [row] = await db<Replier[]>`
    select subject_kind as kind, subject_id as id, person_account_id as person_account, person.person_id, email,
      person.name, role, disabled_at is not null as "isDisabled", suspended_at is not null as "isSuspended",
      slug as account
    from reply_addresses address
    join people person on person.account_id = person_account_id and person.person_id = address.person_id
    join accounts on accounts.account_id = address.account_id
    where address.account_id = ${account} and hash = ${hash}`
  return row
}
