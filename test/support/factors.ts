import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { sendTo } from '../../src/client/client.js'
import { type PortalOperationName, portalOperations } from '../../src/contract/portal/operations.js'
import { newAccount, type TestAccount } from './account.js'
import { newAuthenticator } from './authenticator.js'
import {
  asVisitor,
  checkedPortalResponse,
  newClientAddress,
  newPerson,
  type PortalCallInput,
  type PortalCallResponse,
  type TestPerson,
  testPassword,
} from './person.js'
import type { RunningService } from './service.js'

/** People with second factors, and their sign-ins. */

/** The code that an authenticator app shows; `later`: after how many times 30 seconds. */
export function codeOf(secret: string, later = 0, at = Date.now()): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
  return totp.generate({ timestamp: at + later * 30_000 })
}

/**
 * A person with a password and an authenticator app, whose code of the previous 30 seconds was used. `code` is relative to
 * that time, so that tests may run into the next 30 seconds.
 */
export async function personWithTotp(service: RunningService, account?: TestAccount) {
  const person = await newPerson(service, account ?? (await newAccount(service)), 'admin', { hasPassword: true })
  const { secret } = (await person.portal('startTotp')).body
  const at = Date.now()
  const code = (later = 0) => codeOf(secret, later, at)
  const added = await person.portal('confirmTotp', { body: { code: code(-1) } })
  expect(added.status, added.text).toBe(200)
  return { person, secret, code, codes: added.body.recovery_codes ?? [] }
}

/** Adds a passkey to a person. */
export async function addPasskeyTo(service: RunningService, person: TestPerson, name = 'Laptop') {
  const authenticator = newAuthenticator(service.baseUrl)
  const options = (await person.portal('startPasskey')).body
  const added = await person.portal('addPasskey', { body: { name, passkey: authenticator.create(options) } })
  expect(added.status, added.text).toBe(201)
  return { authenticator, added: added.body }
}

/** The token of the pending sign-in that a response sets. */
export function pendingIn({ headers }: { headers: Headers }): string {
  return /(?:^|, )(?:__Host-)?waybill_pending=([\w-]{32});/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
}

/** Signs in with the password of tests; the token of the pending sign-in. */
export async function signInPending(service: RunningService, { email }: { email: string }): Promise<string> {
  const response = await asVisitor(service, 'signIn', { body: { email, password: testPassword } })
  expect(response).toBeRefused('second_factor_required')
  return pendingIn(response)
}

/** Calls an operation with a pending sign-in. */
export async function asPending<Name extends PortalOperationName>(
  { baseUrl }: { baseUrl: string },
  pending: string,
  name: Name,
  input: PortalCallInput<Name> = {},
): Promise<PortalCallResponse<Name>> {
  const own = { cookie: `waybill_pending=${pending}`, 'x-forwarded-for': newClientAddress() }
  const fetchAsPending: typeof fetch = (address, init = {}) =>
    fetch(address, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...own } })
  const options = { baseUrl, fetch: fetchAsPending }
  return checkedPortalResponse(name, await sendTo(options, portalOperations[name], input as object))
}
