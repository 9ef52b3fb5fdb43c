import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type ClientInput, send, sendTo } from '../../src/client/client.js'
import { type PortalOperation, portalRefusalsOf } from '../../src/contract/portal/operation.js'
import {
  type PortalBody,
  type PortalOperationName,
  type PortalParams,
  type PortalQuery,
  type PortalResponse,
  portalOperations,
} from '../../src/contract/portal/operations.js'
import type { PersonRole } from '../../src/contract/portal/people.js'
import { PortalProblem, type Problem, problemMediaType } from '../../src/contract/problem.js'
import type { OperationName } from '../../src/contract/public/operations.js'
import { validatorOf } from '../../src/contract/validation.js'
import { commit } from '../../src/ledger/commit.js'
import { createPerson } from '../../src/store/people.js'
import { hashPassword } from '../../src/usecases/people/passwords.js'
import { newPersonId } from '../../src/usecases/people/person-record.js'
import { startSession } from '../../src/usecases/people/session.js'
import { csrfTokenOf } from '../../src/usecases/people/session-response.js'
import type { RunningService } from './service.js'

/** Users of an account, and their requests to the portal. */

export type PortalCallInput<Name extends PortalOperationName> = {
  params?: PortalParams<Name>
  query?: PortalQuery<Name>
  body?: PortalBody<Name>
  ifNoneMatch?: string
}

export type PortalCallResponse<Name extends PortalOperationName> = {
  status: number
  headers: Headers
  text: string
  bytes: Buffer
  body: PortalResponse<Name>
  problem: Problem
}

export type TestPerson = Awaited<ReturnType<typeof newPerson>>

export const testPassword = 'a password for tests'
let hashed: Promise<string> | undefined

export function hashOfTestPassword(): Promise<string> {
  hashed ??= hashPassword(testPassword)
  return hashed
}

export function newEmail(): string {
  return `person-${randomBytes(6).toString('hex')}@example.com`
}

/** A signed-in user of an account, with a password if a test needs one. */
export async function newPerson(
  service: RunningService,
  account: { id: number },
  role: PersonRole = 'admin',
  { hasPassword = false, name = `Test ${role}`, email = newEmail() } = {},
) {
  const { db } = service
  const person_id = newPersonId()
  const password_hash = hasPassword ? await hashOfTestPassword() : undefined
  const person = { person_id, email, name, role, password_hash }
  expect(await commit(db, account.id, 'test', (tx) => createPerson(tx, account.id, person))).toBe(true)
  const { token, session_id } = await startSession(db, account.id, person_id, 'password')
  return { person_id, email, name, role, token, session_id, ...asPerson(service, token) }
}

/** The user of a session token. */
export function asPerson({ baseUrl }: { baseUrl: string }, token: string) {
  const headers = { cookie: `waybill_session=${token}`, 'x-csrf-token': csrfTokenOf(token) }
  const fetchAsPerson: typeof fetch = (address, init = {}) =>
    fetch(address, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } })
  const options = { baseUrl, fetch: fetchAsPerson }

  return {
    headers,
    /** Calls an operation of the portal. Every response is validated against the contract. */
    async portal<Name extends PortalOperationName>(
      name: Name,
      input: PortalCallInput<Name> = {},
    ): Promise<PortalCallResponse<Name>> {
      return checkedPortalResponse(name, await sendTo(options, portalOperations[name], input as object))
    },
    /** Sends a form with a file. */
    async sendFile<Name extends 'checkOrderSheet' | 'saveOrderSheet'>(
      name: Name,
      file: { name: string; bytes: Buffer | Uint8Array | string },
      query: Record<string, string> = {},
    ): Promise<PortalCallResponse<Name>> {
      const form = new FormData()
      form.set('file', new Blob([file.bytes as never]), file.name)
      const { method, path } = portalOperations[name]
      return checkedPortalResponse(
        name,
        await fetchAsPerson(`${baseUrl}${path}?${new URLSearchParams(query).toString()}`, { method, body: form }),
      )
    },
    /** Calls an operation of the public interface with the session. */
    async v1<Name extends OperationName>(name: Name, input?: ClientInput<Name>) {
      const response = await send(options, name, input)
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  }
}

/** Calls an operation without a session, from a new client address, since failures are counted by address. */
export async function asVisitor<Name extends PortalOperationName>(
  { baseUrl }: { baseUrl: string },
  name: Name,
  input: PortalCallInput<Name> = {},
  machine = newClientAddress(),
): Promise<PortalCallResponse<Name>> {
  const fetchAsVisitor: typeof fetch = (address, init = {}) =>
    fetch(address, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-forwarded-for': machine },
    })
  const options = { baseUrl, fetch: fetchAsVisitor }
  return checkedPortalResponse(name, await sendTo(options, portalOperations[name], input as object))
}

export function newClientAddress(): string {
  // In a network that no other client uses.
  return `2001:db8:${randomBytes(4).toString('hex').replace(/.{4}/, '$&:')}::1`
}

/** The session token that a response sets. */
export function tokenIn({ headers }: { headers: Headers }): string {
  return /^(?:__Host-)?waybill_session=([\w-]+);/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
}

const problem = validatorOf(PortalProblem)
const successes = new Map<PortalOperation, ReturnType<typeof validatorOf>>()

function successOf(operation: PortalOperation): ReturnType<typeof validatorOf> {
  const validator = successes.get(operation) ?? validatorOf(operation.success.body)
  successes.set(operation, validator)
  return validator
}

export async function checkedPortalResponse<Name extends PortalOperationName>(
  name: Name,
  response: Response,
  operation: PortalOperation = portalOperations[name],
): Promise<PortalCallResponse<Name>> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString()
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w+$/)
  const isOther = operation.returns !== undefined && response.ok
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
    if (!isOther) expect(successOf(operation).faultsIn(json), text.slice(0, 500)).toEqual([])
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    body: json as PortalResponse<Name>,
    problem: json as Problem,
  }
}
