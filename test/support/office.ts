import { randomBytes } from 'node:crypto'
import { afterAll, expect, inject } from 'vitest'
import type { Service } from '../../src/api/service.js'
import { sendTo } from '../../src/client/client.js'
import { type OfficeOperationName, type OfficeSession, officeOperations } from '../../src/contract/office/operations.js'
import type { OperatorRole } from '../../src/contract/operator/accounts.js'
import { forwarderAccount } from '../../src/database/account-id.js'
import { openDatabase } from '../../src/database/database.js'
import { migrate } from '../../src/database/migrate.js'
import { commit } from '../../src/ledger/commit.js'
import { saveForwarderAccount } from '../../src/store/accounts.js'
import { createPerson } from '../../src/store/people.js'
import { newPersonId } from '../../src/usecases/people/person-record.js'
import { startSession } from '../../src/usecases/people/session.js'
import { csrfTokenOf } from '../../src/usecases/people/session-response.js'
import { administer, withDatabase } from './database.js'
import {
  checkedPortalResponse,
  hashOfTestPassword,
  newClientAddress,
  newEmail,
  type PortalCallInput,
  type PortalCallResponse,
} from './person.js'
import { type RunningService, startService } from './service.js'

/** Operators as people, and their requests to the office. */

export type OfficeResponse<Name extends OfficeOperationName> = PortalCallResponse<Name>

/** A service with a database of its own: all operators share one account, and with it its rules. */
export async function startOffice(options: Partial<Service> = {}): Promise<RunningService & { databaseUrl: string }> {
  const name = `waybill_office_${randomBytes(6).toString('hex')}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const databaseUrl = withDatabase(inject('serverUrl'), name)
  afterAll(() => administer(inject('serverUrl'), `drop database ${name} with (force)`))
  const db = openDatabase({ url: databaseUrl }, { connections: 5 })
  await migrate(db)
  return { ...(await startService({ db, ...options })), databaseUrl }
}

export type TestOperatorPerson = Awaited<ReturnType<typeof newOperatorPerson>>

/** A signed-in operator, with the password of tests. */
export async function newOperatorPerson(
  service: RunningService,
  role: OperatorRole = 'admin',
  { name = `Test ${role}`, email = newEmail() } = {},
) {
  const { db } = service
  const person_id = newPersonId()
  const person = { person_id, email, name, role, password_hash: await hashOfTestPassword() }
  await saveForwarderAccount(db, 'Waybill')
  expect(await commit(db, forwarderAccount, 'test', (tx) => createPerson(tx, forwarderAccount, person))).toBe(true)
  const { token, session_id } = await startSession(db, forwarderAccount, person_id, 'password')
  return { person_id, email, name, role, token, session_id, ...asOperator(service, token) }
}

/** The operator of a session token. */
export function asOperator({ baseUrl }: { baseUrl: string }, token: string) {
  const headers = { cookie: `waybill_office=${token}`, 'x-csrf-token': csrfTokenOf(token) }
  return {
    headers,
    /** Calls an operation of the office. Every response is validated against the contract. */
    office: <Name extends OfficeOperationName>(name: Name, input: PortalCallInput<Name> = {}) =>
      sendToOffice({ baseUrl }, name, input, headers),
  }
}

/** Calls an operation of the office without a session, from a new client address, since failures are counted by address. */
export async function sendToOffice<Name extends OfficeOperationName>(
  { baseUrl }: { baseUrl: string },
  name: Name,
  input: PortalCallInput<Name> = {},
  headers: Record<string, string> = { 'x-forwarded-for': newClientAddress() },
): Promise<OfficeResponse<Name>> {
  const fetchWith: typeof fetch = (address, init = {}) =>
    fetch(address, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } })
  const operation = officeOperations[name]
  const response = await sendTo({ baseUrl, fetch: fetchWith }, operation, input)
  return checkedPortalResponse(name, response, operation)
}

/** The session of a response, as the office describes it. */
export function officeSession({ body }: { body: unknown }): OfficeSession {
  return body as OfficeSession
}

/** The token of the session, or of the pending sign-in, that a response of the office sets. */
export function officeTokenIn({ headers }: { headers: Headers }, name: 'office' | 'office_pending' = 'office'): string {
  return (
    new RegExp(`(?:^|, )(?:__Host-)?waybill_${name}=([\\w-]{32});`).exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
  )
}
