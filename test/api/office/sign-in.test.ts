import { expect, test } from 'vitest'
import { forwarderAccount } from '../../../src/database/account-id.js'
import { findAccount } from '../../../src/store/accounts.js'
import { createLink } from '../../../src/store/personal-links.js'
import { newToken } from '../../../src/usecases/people/passwords.js'
import { newAccount } from '../../support/account.js'
import {
  asOperator,
  newOperatorPerson,
  officeSession,
  officeTokenIn,
  sendToOffice,
  startOffice,
} from '../../support/office.js'
import { newOperator } from '../../support/operator.js'
import { asVisitor, newPerson, testPassword } from '../../support/person.js'

/** Operators sign in at the office as people do at the portal, and no session works at both. */

const service = await startOffice()
const system = await newOperator(service)

async function signIn(email: string, password = testPassword) {
  return sendToOffice(service, 'signIn', { body: { email, password } })
}

async function auditOf(actor: string) {
  const { body } = await system.ops('listForwarderAudit', undefined, { query: { actor } })
  return body.entries.map(({ action }) => action)
}

async function linkFor(account: number, person_id: string) {
  const token = newToken()
  await createLink(service.db, account, person_id, { token, purpose: 'reset' })
  return token
}

test.each(['admin', 'operations', 'finance', 'viewer'] as const)(
  'an operator with the role %s signs in, sees name and role, and signs out',
  async (role) => {
    const { email, person_id } = await newOperatorPerson(service, role, { name: 'Ines Moreau' })
    const response = await signIn(email.toUpperCase())
    expect(response.status, response.text).toBe(201)
    expect(officeSession(response)).toMatchObject({
      person: { person_id, name: 'Ines Moreau', role, email },
      account: { name: 'Waybill' },
      signed_in_with: 'password',
    })
    const cookies = response.headers.getSetCookie()
    expect(cookies[0]).toMatch(/^waybill_office=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const operator = asOperator(service, officeTokenIn(response))
    expect(officeSession(await operator.office('getSession')).person).toMatchObject({ name: 'Ines Moreau', role })

    const left = await operator.office('signOut')
    expect(left.headers.get('set-cookie')).toMatch(/^waybill_office=; .*Max-Age=0$/)
    expect(await operator.office('getSession')).toBeRefused('not_signed_in')
    expect((await auditOf(`person:${person_id}`)).slice(0, 2)).toEqual(['signed_out', 'signed_in'])
  },
)

test('wrong passwords are in the audit log of the forwarder, and slow further attempts down', async () => {
  const { email, person_id } = await newOperatorPerson(service)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await signIn(email, 'not the password')).toBeRefused('sign_in_failed')
  }
  const slowed = await signIn(email)
  expect(slowed).toBeRefused('sign_in_slowed')
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await auditOf(`person:${person_id}`)).filter((action) => action === 'sign_in_failed')).toHaveLength(5)
})

test('a person of the portal cannot sign in at the office, nor an operator at the portal', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account, 'admin', { hasPassword: true })
  const operator = await newOperatorPerson(service)
  expect(await signIn(person.email)).toBeRefused('sign_in_failed')
  const atPortal = await asVisitor(service, 'signIn', { body: { email: operator.email, password: testPassword } })
  expect(atPortal).toBeRefused('sign_in_failed')
})

test('an address may belong to an operator and to a person of a customer, who stay apart', async () => {
  const account = await newAccount(service)
  const { email, person_id } = await newPerson(service, account, 'viewer', { hasPassword: true })
  const operator = await newOperatorPerson(service, 'finance', { email })
  expect(officeSession(await signIn(email)).person).toMatchObject({ person_id: operator.person_id, role: 'finance' })
  const atPortal = await asVisitor(service, 'signIn', { body: { email, password: testPassword } })
  expect(atPortal.body.person).toMatchObject({ person_id, role: 'viewer' })
})

test('a session of one site is refused at the other and by its interface, under either name of the cookie', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const operator = await newOperatorPerson(service)
  for (const [path, token] of [
    ['/office/v1/session', person.token],
    ['/office/v1/sessions', person.token],
    ['/portal/v1/session', operator.token],
    ['/portal/v1/people', operator.token],
    ['/v1/shipments', operator.token],
    ['/ops/v1/accounts', person.token],
  ] as const) {
    const cookie = `waybill_session=${token}; waybill_office=${token}`
    const response = await fetch(service.baseUrl + path, { headers: { cookie } })
    expect(response.status, path).toBe(401)
  }
  expect((await operator.office('getSession')).status).toBe(200)
  expect((await person.portal('getSession')).status).toBe(200)
})

test('a browser may be signed in at both sites', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const operator = await newOperatorPerson(service)
  const cookie = `${person.headers.cookie}; ${operator.headers.cookie}`
  const [atPortal, atOffice] = await Promise.all(
    ['portal', 'office'].map(async (site) =>
      (await fetch(`${service.baseUrl}/${site}/v1/session`, { headers: { cookie } })).json(),
    ),
  )
  expect(atPortal).toMatchObject({ person: { person_id: person.person_id } })
  expect(atOffice).toMatchObject({ person: { person_id: operator.person_id } })
})

test('writes need the CSRF token of the session, and must not come from another origin', async () => {
  const { headers, office } = await newOperatorPerson(service)
  const person = await newPerson(service, await newAccount(service))
  const refused = [
    { cookie: headers.cookie },
    { cookie: headers.cookie, 'x-csrf-token': person.headers['x-csrf-token'] },
    { ...headers, origin: 'https://evil.example' },
    { ...headers, 'sec-fetch-site': 'cross-site' },
  ]
  for (const given of refused) {
    expect(await sendToOffice(service, 'signOut', {}, given as Record<string, string>)).toBeRefused('foreign_origin')
  }
  const body = { email: 'kim@example.com', password: testPassword }
  expect(await sendToOffice(service, 'signIn', { body }, { origin: 'https://evil.example' })).toBeRefused(
    'foreign_origin',
  )
  expect((await office('getSession')).status).toBe(200)
})

test('a link of the office works there only, and common passwords are refused', async () => {
  const operator = await newOperatorPerson(service)
  const token = await linkFor(forwarderAccount, operator.person_id)
  expect(await asVisitor(service, 'getLink', { body: { token } })).toBeRefused('link_not_valid')
  const password = 'another password'
  expect(await asVisitor(service, 'useLink', { body: { token, password } })).toBeRefused('link_not_valid')
  expect((await sendToOffice(service, 'getLink', { body: { token } })).body).toMatchObject({
    email: operator.email,
    account_name: 'Waybill',
  })
  const common = await sendToOffice(service, 'useLink', { body: { token, password: 'qwertyuiop' } })
  expect(common.problem.errors).toEqual([
    { pointer: '/password', detail: 'must not be one of the 10,000 most common passwords' },
  ])
  expect((await sendToOffice(service, 'useLink', { body: { token, password } })).status).toBe(201)
  expect(await operator.office('getSession')).toBeRefused('not_signed_in')

  const account = await newAccount(service)
  const theirs = await linkFor(account.id, (await newPerson(service, account)).person_id)
  expect(await sendToOffice(service, 'getLink', { body: { token: theirs } })).toBeRefused('link_not_valid')
})

test('a forgotten password is reset by a mailed link to the office', async () => {
  const { email } = await newOperatorPerson(service)
  expect((await sendToOffice(service, 'requestPasswordReset', { body: { email } })).status).toBe(200)
  await expect.poll(() => service.mails.find(({ to }) => to === email)?.link).toMatch(/\/office\/welcome#[\w-]{32}$/)
  const mail = service.mails.find(({ to }) => to === email)
  expect(mail?.text).toContain('the office of Waybill')
  expect(mail?.link.startsWith(`${service.baseUrl}/office/`)).toBe(true)
  // At the portal the address is not known.
  const person = await newPerson(service, await newAccount(service), 'admin', { hasPassword: true })
  for (const each of [email, person.email]) {
    expect((await asVisitor(service, 'requestPasswordReset', { body: { email: each } })).status).toBe(200)
  }
  await expect.poll(() => service.mails.some(({ to }) => to === person.email)).toBe(true)
  expect(service.mails.filter(({ to }) => to === email)).toHaveLength(1)
})

test('an operator sees and ends their sessions, and authenticates again for what requires it', async () => {
  const operator = await newOperatorPerson(service)
  const colleague = await newOperatorPerson(service)
  const other = asOperator(service, officeTokenIn(await signIn(operator.email)))
  const sessions = (await operator.office('listSessions')).body
  expect(sessions).toHaveLength(2)
  const session_id = sessions.find(({ is_current }) => !is_current)?.session_id as string
  expect(await colleague.office('endSession', { params: { session_id } })).toBeRefused('session_not_found')
  expect((await operator.office('endSession', { params: { session_id } })).status).toBe(200)
  expect(await other.office('getSession')).toBeRefused('not_signed_in')

  await service.db`update sessions set authenticated_at = now() - interval '11 minutes' where person_id = ${operator.person_id}`
  expect(await operator.office('startTotp')).toBeRefused('reauthentication_required')
  expect((await operator.office('reauthenticate', { body: { password: testPassword } })).status).toBe(200)
  expect((await operator.office('startTotp')).status).toBe(201)
})

test('the demo of the sandbox does not lead to the office', async () => {
  const response = await fetch(`${service.baseUrl}/office/v1/session/demo`, { method: 'POST' })
  expect(response.status).toBe(404)
  expect((await sendToOffice(service, 'getSignInOptions')).body).toEqual({
    demo: false,
    forwarder_name: 'Waybill',
    offers_tracking: false,
    sends_mail: true,
  })
})

test("the forwarder's own account is no account of a customer", async () => {
  await newOperatorPerson(service)
  await newAccount(service)
  const { body } = await system.ops('listAccounts', undefined)
  expect(body.length).toBeGreaterThan(0)
  expect(body.map(({ slug }) => slug)).not.toContain('')
  expect(await findAccount(service.db, '')).toBeUndefined()
})
