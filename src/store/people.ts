import type { OperatorRole } from '../contract/operator/accounts.js'
import type { Language, PersonRole, Preferences } from '../contract/portal/people.js'
import type { Site } from '../contract/portal/sites.js'
import { type AccountId, type AccountScope, forwarderAccount } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import type { Database, Reader } from '../database/database.js'
import { normalizedEmail } from '../domain/people/email.js'
import { slugsOf } from './accounts.js'
import { deleteFactors } from './factors.js'
import type { RecordedWrite } from './write.js'

/**
 * The people of an account; operators are those of the forwarder's account. Changes by admins are in the change log; preferences
 * are not.
 */

export type Role = PersonRole | OperatorRole

export type PersonRow = {
  person_id: string
  email: string
  name: string
  role: Role
  hasPassword: boolean
  created_at: Date
  last_seen_at: Date | null
  disabled_at: Date | null
  /** The short names of the accounts that an operator works for; null: all of them. */
  accounts: string[] | null
} & Preferences

export type NewPerson = {
  person_id: string
  email: string
  name: string
  role: Role
  accounts?: readonly AccountId[] | undefined
  language?: Language | undefined
  password_hash?: string | undefined
}

/** False if a person of any account has the e-mail address; if it is for an operator, another operator. */
export async function createPerson(tx: RecordedWrite, account: AccountId, person: NewPerson): Promise<boolean> {
  const { person_id, name, role, accounts, language = 'en', password_hash } = person
  const email = normalizedEmail(person.email)
  const created = await tx.sql`
    insert into people (account_id, person_id, email, name, role, accounts, language, password_hash)
    values (${account}, ${person_id}, ${email}, ${name}, ${role}, ${accounts ? [...accounts] : null}, ${language}, ${password_hash ?? null})
    on conflict do nothing returning person_id`
  if (created.length === 0) return false
  tx.record([{ kind: 'person', id: person_id, what: 'created', record: JSON.stringify({ email, name, role }) }])
  return true
}

/** Takes effect at once: sessions read this row with every request. */
export async function changePerson(
  tx: RecordedWrite,
  account: AccountId,
  person_id: string,
  change: { role?: Role | undefined; disabled?: boolean | undefined; accounts?: AccountScope | undefined },
): Promise<void> {
  const { role = null, disabled = null, accounts: scope } = change
  const accounts = scope === undefined || scope === 'all' ? null : [...scope]
  const [row] = await tx.sql<{ email: string; name: string; role: Role; disabled: boolean }[]>`
    update people set role = coalesce(${role}, role),
      accounts = case when ${scope === undefined}::boolean then accounts else ${accounts}::integer[] end,
      disabled_at = case when ${disabled}::boolean is null then disabled_at when ${disabled}::boolean then coalesce(disabled_at, ${businessNow(tx.sql)}) end
    where account_id = ${account} and person_id = ${person_id}
    returning email, name, role, disabled_at is not null as disabled`
  if (row) tx.record([{ kind: 'person', id: person_id, what: 'updated', record: JSON.stringify(row) }])
}

export async function deletePerson(tx: RecordedWrite, account: AccountId, person_id: string): Promise<void> {
  await deleteFactors(tx.sql, account, person_id)
  await tx.sql`delete from people where account_id = ${account} and person_id = ${person_id}`
  tx.record([{ kind: 'person', id: person_id, what: 'removed' }])
}

/** Whether the account has another admin, of the forwarder one who works for all accounts; called under its lock. */
export async function hasOtherAdmin({ sql }: RecordedWrite, account: AccountId, person_id: string): Promise<boolean> {
  const rows = await sql`
    select 1 from people
    where account_id = ${account} and person_id <> ${person_id} and role = 'admin' and disabled_at is null
      and accounts is null
    limit 1`
  return rows.length > 0
}

/** Those who can sign in. */
export async function listAdmins(
  db: Reader,
  account: AccountId,
): Promise<Pick<PersonRow, 'email' | 'name' | 'language'>[]> {
  return db<Pick<PersonRow, 'email' | 'name' | 'language'>[]>`
    select email, name, language from people
    where account_id = ${account} and role = 'admin' and disabled_at is null order by person_id`
}

export async function findPerson(db: Reader, account: AccountId, person_id: string): Promise<PersonRow | undefined> {
  const accounts = slugsOf(db, db`people.accounts`)
  const [row] = await db<PersonRow[]>`
    select person_id, email, name, role, password_hash is not null as "hasPassword", created_at, last_seen_at, disabled_at,
      ${accounts} as accounts, language, time_zone, weight_unit, theme
    from people where account_id = ${account} and person_id = ${person_id}`
  return row
}

/** Ordered by name; of one account, or of all accounts of customers. */
export async function listPersonRows(db: Reader, account?: AccountId): Promise<(PersonRow & { account: string })[]> {
  const accounts = slugsOf(db, db`people.accounts`)
  return db<(PersonRow & { account: string })[]>`
    select slug as account, person_id, email, people.name, role, password_hash is not null as "hasPassword",
      people.created_at, last_seen_at, disabled_at, ${accounts} as accounts, language, time_zone, weight_unit, theme
    from people join accounts using (account_id)
    where account_id = ${account ?? null} or (${account ?? null}::integer is null and account_id <> ${forwarderAccount})
    order by slug, lower(people.name), person_id`
}

export type Credentials = {
  account_id: AccountId
  person_id: string
  email: string
  name: string
  language: Language
  password_hash: string | null
  isDisabled: boolean
  account_name: string
}

/** Finds a person of any account of a customer, or an operator. */
export async function findCredentials(db: Reader, site: Site, email: string): Promise<Credentials | undefined> {
  const [row] = await db<Credentials[]>`
    select account_id, person_id, email, people.name, language, password_hash, disabled_at is not null as "isDisabled",
      accounts.name as account_name
    from people join accounts using (account_id)
    where email = ${normalizedEmail(email)} and (account_id = ${forwarderAccount}) = ${site === 'office'}`
  return row
}

/** Finds the person who has signed in with this subject of the company's provider before. */
export async function findProviderPerson(
  db: Reader,
  site: Site,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Credentials | undefined> {
  const [row] = await db<Credentials[]>`
    select account_id, person_id, email, people.name, language, password_hash, disabled_at is not null as "isDisabled",
      accounts.name as account_name
    from people join accounts using (account_id)
    where provider_issuer = ${issuer} and provider_subject = ${subject}
      and (account_id = ${forwarderAccount}) = ${site === 'office'}`
  return row
}

/** False if the person is bound to another subject of a provider. */
export async function bindProvider(
  db: Database,
  account: AccountId,
  person_id: string,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<boolean> {
  const bound = await db`
    update people set provider_issuer = ${issuer}, provider_subject = ${subject}
    where account_id = ${account} and person_id = ${person_id}
      and (provider_subject is null or provider_issuer <> ${issuer})
    returning 1`
  return bound.length > 0
}

export async function findPasswordHash(
  db: Reader,
  account: AccountId,
  person_id: string,
): Promise<string | null | undefined> {
  const [row] = await db<{ password_hash: string | null }[]>`
    select password_hash from people where account_id = ${account} and person_id = ${person_id}`
  return row?.password_hash
}

export async function savePreferences(
  db: Database,
  account: AccountId,
  person_id: string,
  change: Partial<Preferences> & { name?: string | undefined },
): Promise<void> {
  const { name = null, language = null, time_zone = null, weight_unit = null, theme = null } = change
  await db`
    update people set name = coalesce(${name}, name), language = coalesce(${language}, language),
      time_zone = coalesce(${time_zone}, time_zone), weight_unit = coalesce(${weight_unit}, weight_unit),
      theme = coalesce(${theme}, theme)
    where account_id = ${account} and person_id = ${person_id}`
}

/** The names of the forwarder's people, sorted. */
export async function listStaffNames(db: Reader): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select distinct name from people
    where account_id = ${forwarderAccount} and disabled_at is null order by name limit 500`
  return rows.map(({ name }) => name)
}
