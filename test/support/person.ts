import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type ClientInput, send, sendTo } from '../../src/client/client.js'
import type { OperationName } from '../../src/contract/operations.js'
import { type PortalOperation, portalRefusalsOf } from '../../src/contract/portal/operation.js'
import {
  type PortalAnswer,
  type PortalBody,
  type PortalOperationName,
  type PortalParams,
  type PortalQuery,
  portalOperations,
} from '../../src/contract/portal/operations.js'
import type { PersonRole } from '../../src/contract/portal/people.js'
import { PortalProblem, type Problem, problemMediaType } from '../../src/contract/problem.js'
import { validatorOf } from '../../src/contract/validation.js'
import { hashPassword } from '../../src/portal-api/passwords.js'
import { newPersonId, startSession } from '../../src/portal-api/session.js'
import { csrfTokenOf } from '../../src/portal-api/session-answer.js'
import { createPerson } from '../../src/storage/people.js'
import { transaction } from '../../src/storage/transaction.js'
import type { RunningService } from './service.js'

/** People of an account, and what the portal answers them. */

export type PortalCallInput<Name extends PortalOperationName> = {
  params?: PortalParams<Name>
  query?: PortalQuery<Name>
  body?: PortalBody<Name>
  ifNoneMatch?: string
}

export type PortalCallAnswer<Name extends PortalOperationName> = {
  status: number
  headers: Headers
  text: string
  bytes: Buffer
  body: PortalAnswer<Name>
  problem: Problem
}

export type TestPerson = Awaited<ReturnType<typeof newPerson>>

export const testPassword = 'a password for tests'
let hashOfTestPassword: Promise<string> | undefined

export function newEmail(): string {
  return `person-${randomBytes(6).toString('hex')}@example.com`
}

/** Somebody of an account who is signed in; with a password, where a test asks for one. */
export async function newPerson(
  service: RunningService,
  account: { id: number },
  role: PersonRole = 'admin',
  { hasPassword = false, name = `Test ${role}`, email = newEmail() } = {},
) {
  const { db } = service
  const person_id = newPersonId()
  if (hasPassword) hashOfTestPassword ??= hashPassword(testPassword)
  const password_hash = hasPassword ? await hashOfTestPassword : undefined
  const person = { person_id, email, name, role, password_hash }
  expect(await transaction(db, account.id, 'test', (tx) => createPerson(tx, account.id, person))).toBe(true)
  const { token } = await startSession(db, account.id, person_id, 'password')
  return { person_id, email, name, role, token, ...asPerson(service, token) }
}

/** Whoever has the token of a session. */
export function asPerson({ baseUrl }: { baseUrl: string }, token: string) {
  const headers = { cookie: `waybill_session=${token}`, 'x-csrf-token': csrfTokenOf(token) }
  const fetchAsPerson: typeof fetch = (address, init = {}) =>
    fetch(address, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } })
  const options = { baseUrl, fetch: fetchAsPerson }

  return {
    headers,
    /** Calls an operation of the portal; every answer of every test is checked against the contract. */
    async portal<Name extends PortalOperationName>(
      name: Name,
      input: PortalCallInput<Name> = {},
    ): Promise<PortalCallAnswer<Name>> {
      return checkedPortalAnswer(name, await sendTo(options, portalOperations[name], input as object))
    },
    /** Sends a form with a file. */
    async sendFile<Name extends 'checkOrderSheet' | 'saveOrderSheet'>(
      name: Name,
      file: { name: string; bytes: Buffer | Uint8Array | string },
    ): Promise<PortalCallAnswer<Name>> {
      const form = new FormData()
      form.set('file', new Blob([file.bytes as never]), file.name)
      const { method, path } = portalOperations[name]
      return checkedPortalAnswer(name, await fetchAsPerson(baseUrl + path, { method, body: form }))
    },
    /** Calls an operation of the public interface with the session. */
    async v1<Name extends OperationName>(name: Name, input?: ClientInput<Name>) {
      const response = await send(options, name, input)
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  }
}

/** Calls an operation as somebody who is not signed in, from a machine of their own: failures are counted by it. */
export async function asVisitor<Name extends PortalOperationName>(
  { baseUrl }: { baseUrl: string },
  name: Name,
  input: PortalCallInput<Name> = {},
  machine = newMachine(),
): Promise<PortalCallAnswer<Name>> {
  const fetchAsVisitor: typeof fetch = (address, init = {}) =>
    fetch(address, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-forwarded-for': machine },
    })
  const options = { baseUrl, fetch: fetchAsVisitor }
  return checkedPortalAnswer(name, await sendTo(options, portalOperations[name], input as object))
}

export function newMachine(): string {
  // Of a network of its own.
  return `2001:db8:${randomBytes(4).toString('hex').replace(/.{4}/, '$&:')}::1`
}

/** What a browser keeps of an answer: the token of the session that it has started. */
export function tokenIn({ headers }: { headers: Headers }): string {
  return /^(?:__Host-)?waybill_session=([\w-]+);/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
}

const problem = validatorOf(PortalProblem)
const successes = new Map(
  Object.entries(portalOperations).map(([name, { success }]) => [name, validatorOf(success.body)]),
)

export async function checkedPortalAnswer<Name extends PortalOperationName>(
  name: Name,
  response: Response,
): Promise<PortalCallAnswer<Name>> {
  const operation: PortalOperation = portalOperations[name]
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString()
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w+$/)
  const isOther = operation.answers !== undefined && response.ok
  const json: unknown = text === '' || isOther ? undefined : JSON.parse(text)
  if (response.status >= 400) {
    expect(response.headers.get('content-type')).toContain(problemMediaType)
    expect(problem.faultsIn(json)).toEqual([])
    expect((json as Problem).status).toBe(response.status)
    expect(portalRefusalsOf(operation), text).toContain((json as Problem).code)
  } else if (response.status === 304) {
    expect(text).toBe('')
  } else {
    expect(response.status, text).toBe(operation.success.status)
    if (!isOther) expect(successes.get(name)?.faultsIn(json), text.slice(0, 500)).toEqual([])
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    body: json as PortalAnswer<Name>,
    problem: json as Problem,
  }
}
