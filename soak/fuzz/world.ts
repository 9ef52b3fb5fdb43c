import { forwarderAccount } from '../../src/database/account-id.js'
import type { Database } from '../../src/database/database.js'
import { commit } from '../../src/ledger/commit.js'
import type { Mail } from '../../src/mail/messages.js'
import type { Random } from '../../src/sandbox/random.js'
import { saveForwarderAccount } from '../../src/store/accounts.js'
import { createPerson } from '../../src/store/people.js'
import { createAccount } from '../../src/usecases/accounts/create-account.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { createOperatorWithKey } from '../../src/usecases/accounts/create-operator.js'
import { changeAccount } from '../../src/usecases/accounts/update-account.js'
import { hashPassword } from '../../src/usecases/people/passwords.js'
import { newPersonId } from '../../src/usecases/people/person-record.js'
import { startSession } from '../../src/usecases/people/session.js'
import { csrfTokenOf } from '../../src/usecases/people/session-response.js'
import type { Room } from './description.js'

/** The service under test, its database, and the mails that it has sent. */
export type Target = { baseUrl: string; db: Database; mails: Mail[] }

/** The path parameters of a resource: `{ reference: 'PO-1', line: '1' }`. */
export type Known = Record<string, string>
export const knownKinds = [
  'order',
  'shipment',
  'location',
  'invoice',
  'payment',
  'document',
  'proposal',
  'event',
  'tracked',
  'assignment',
  'key',
  'person',
  'view',
  'subscription',
  'link',
  'history',
] as const
export type KnownKind = (typeof knownKinds)[number]

/** An account with credentials of each kind, and its known resources. */
export type World = {
  slug: string
  account: number
  key: string
  key_id: string
  operatorKey: string
  person: { person_id: string; email: string; password: string; token: string }
  /** Signs in at the office. All operators share an account. */
  operator: World['person']
  known: Record<KnownKind, Known[]>
  /** Times, ETags and idempotency keys for later requests. */
  moments: string[]
  etags: string[]
  retries: string[]
  /** Cursors, by list. */
  cursors: { name: string; query: [string, string][]; after: string }[]
}

export const stepNames = ['pickup', 'origin', 'destination', 'delivery']
export const containers = ['MSCU1234566', 'CSQU3054383']
export const password = 'a password for the fuzzer'
let passwordHash: Promise<string> | undefined

export async function createWorld({ db }: Target, slug: string): Promise<World> {
  const account = await createAccount(db, slug, `Account ${slug}`)
  if (account === undefined) throw new Error(`the account ${slug} exists already`)
  const { key, key_id } = await issueKey(db, account, { scopes: ['read', 'write'], name: 'fuzzer' })
  const { key: operatorKey } = await createOperatorWithKey(db, { name: 'Fuzzer', role: 'admin' })
  await saveForwarderAccount(db, 'Forwarder')
  const person = await createAdmin(db, account, `${slug}@example.com`)
  return {
    slug,
    account,
    key,
    key_id,
    operatorKey,
    person,
    operator: await createAdmin(db, forwarderAccount, `${slug}@operators.example`),
    known: Object.fromEntries(knownKinds.map((kind) => [kind, [] as Known[]])) as World['known'],
    moments: [],
    etags: [],
    retries: [],
    cursors: [],
  }
}

async function createAdmin(db: Database, account: number, email: string): Promise<World['person']> {
  const person_id = newPersonId()
  passwordHash ??= hashPassword(password)
  const person = { person_id, email, name: 'Fuzzer', role: 'admin' as const, password_hash: await passwordHash }
  const isNew = await commit(db, account, 'fuzzer', (tx) => createPerson(tx, account, person))
  if (!isNew) throw new Error(`the address ${email} is taken`)
  const { token } = await startSession(db, account, person_id, 'password')
  return { person_id, email, password, token }
}

/** Restores access that an accepted request has removed: key, admin role, suspended account. */
export async function restoreAccess({ db }: Target, world: World, random: Random): Promise<void> {
  const suspended = await db`select 1 from accounts where account_id = ${world.account} and suspended_at is not null`
  if (suspended.length > 0) {
    await commit(db, world.account, 'fuzzer', (tx) => changeAccount(tx, world.account, { suspended: false }))
  }
  await db`
    update accounts set second_factor_required = false, max_key_days = null,
      quotas = quotas - '{requests_per_minute,concurrent_requests}'::text[]
    where account_id = any(${[world.account, forwarderAccount]})`
  const started = await startSession(db, forwarderAccount, world.operator.person_id, 'password')
  world.operator.token = started.token
  // A key that was rotated expires.
  const ended = await db`
    select 1 from keys where key_id = ${world.key_id} and (revoked_at is not null or expires_at is not null)`
  if (ended.length > 0) {
    Object.assign(world, await issueKey(db, world.account, { scopes: ['read', 'write'], name: 'fuzzer' }))
  }
  const { person_id } = world.person
  const admins = await db`
    select 1 from people
    where account_id = ${world.account} and person_id = ${person_id} and role = 'admin' and disabled_at is null`
  if (admins.length === 0) {
    world.person = await createAdmin(db, world.account, `${world.slug}-${random.digits(9)}@example.com`)
    return
  }
  const { token } = await startSession(db, world.account, person_id, 'password')
  world.person.token = token
}

/** Lets invoices be issued again: an accepted request may have dated the last number tomorrow, or let a check block. */
export async function restoreInvoicing({ db }: Target): Promise<void> {
  await db`update number_series set last_date = null`
  await db`delete from billing_settings where account_id = ${forwarderAccount}`
}

/** Who calls an operation of the portal or the office. */
export function personAt({ person, operator }: World, operation: string): World['person'] {
  return operation.startsWith('office.') ? operator : person
}

/** The credentials for an interface. */
export function credentialsFor({ key, operatorKey, person, operator }: World, room: Room): [string, string][] {
  if (room === 'public') return [['authorization', `Bearer ${key}`]]
  if (room === 'operator') return [['authorization', `Bearer ${operatorKey}`]]
  const [cookie, { token }] = room === 'office' ? ['waybill_office', operator] : ['waybill_session', person]
  return [
    ['cookie', `${cookie}=${token}`],
    ['x-csrf-token', csrfTokenOf(token)],
  ]
}

export function secretsOf({ key, operatorKey, person, operator }: World): Map<string, string> {
  return new Map([
    [key, 'KEY'],
    [operatorKey, 'OPERATOR_KEY'],
    [person.token, 'SESSION'],
    [csrfTokenOf(person.token), 'CSRF_TOKEN'],
    [operator.token, 'OFFICE_SESSION'],
    [csrfTokenOf(operator.token), 'OFFICE_CSRF_TOKEN'],
  ])
}

export function addKnown(world: World, kind: KnownKind, known: Known): void {
  const before = world.known[kind]
  if (!before.some((each) => JSON.stringify(each) === JSON.stringify(known))) before.push(known)
}

/** A known resource, preferring the newest. */
export function pickKnown(world: World, kind: KnownKind, random: Random, about: Known = {}): Known | undefined {
  const fitting = world.known[kind].filter((known) =>
    Object.entries(about).every(([name, value]) => !(name in known) || known[name] === value),
  )
  const all = fitting.length > 0 ? fitting : world.known[kind]
  return random.chance(0.4) ? all.at(-1) : all.length > 0 ? random.pick(all) : undefined
}
