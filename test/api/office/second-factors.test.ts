import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newAuthenticator } from '../../support/authenticator.js'
import { addPasskeyTo, codeOf, signInPending } from '../../support/factors.js'
import {
  asOperator,
  newOperatorPerson,
  officeSession,
  officeTokenIn,
  sendToOffice,
  startOffice,
  type TestOperatorPerson,
} from '../../support/office.js'
import { newOperator } from '../../support/operator.js'
import { asVisitor, newClientAddress, newPerson, testPassword } from '../../support/person.js'

/** Second factors of operators, and the rule that requires them. */

const service = await startOffice()

async function addTotp({ office }: TestOperatorPerson) {
  const { secret } = (await office('startTotp')).body
  const at = Date.now()
  const added = await office('confirmTotp', { body: { code: codeOf(secret, -1, at) } })
  expect(added.status, added.text).toBe(200)
  return { code: codeOf(secret, 0, at), codes: added.body.recovery_codes ?? [] }
}

async function signInPendingAt(email: string) {
  const response = await sendToOffice(service, 'signIn', { body: { email, password: testPassword } })
  expect(response).toBeRefused('second_factor_required')
  return officeTokenIn(response, 'office_pending')
}

const withPending = (token: string) => ({
  cookie: `waybill_office_pending=${token}`,
  'x-forwarded-for': newClientAddress(),
})

test('a one-time code or a recovery code completes the sign-in of an operator, at the office only', async () => {
  const operator = await newOperatorPerson(service, 'operations')
  const { code, codes } = await addTotp(operator)
  const pending = await signInPendingAt(operator.email)
  const atPortal = await fetch(`${service.baseUrl}/portal/v1/session/second-factor`, {
    headers: { cookie: `waybill_pending=${pending}` },
  })
  expect(atPortal.status).toBe(401)
  const completed = await sendToOffice(service, 'completeSignIn', { body: { code } }, withPending(pending))
  expect(officeSession(completed).person).toMatchObject({ role: 'operations' })
  expect((await asOperator(service, officeTokenIn(completed)).office('getSession')).status).toBe(200)

  const next = withPending(await signInPendingAt(operator.email))
  expect(await sendToOffice(service, 'completeSignIn', { body: { code } }, next)).toBeRefused('second_factor_failed')
  const recovered = await sendToOffice(service, 'completeSignIn', { body: { recovery_code: codes[0] as string } }, next)
  expect(recovered.status).toBe(201)
  const mail = service.mails.findLast(({ to, text }) => to === operator.email && text.includes('recovery codes'))
  expect(mail?.text).toContain('It concerns the office of Waybill.')
  expect(mail?.link).toBe(`${service.baseUrl}/office`)
})

test('a pending sign-in of the portal is not completed at the office', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account, 'admin', { hasPassword: true })
  await addPasskeyTo(service, person)
  const pending = await signInPending(service, person)
  const response = await sendToOffice(service, 'getPendingSignIn', {}, withPending(pending))
  expect(response).toBeRefused('sign_in_not_pending')
})

test('a passkey signs in at the site of its owner only', async () => {
  const operator = await newOperatorPerson(service)
  const own = newAuthenticator(service.baseUrl)
  const options = (await operator.office('startPasskey')).body
  const added = await operator.office('addPasskey', { body: { name: 'Laptop', passkey: own.create(options) } })
  expect(added.status, added.text).toBe(201)
  const person = await newPerson(service, await newAccount(service))
  const { authenticator: theirs } = await addPasskeyTo(service, person)

  const challenge = async () => (await sendToOffice(service, 'startPasskeySignIn')).body
  const atPortal = await asVisitor(service, 'signInWithPasskey', { body: { passkey: own.sign(await challenge()) } })
  expect(atPortal).toBeRefused('passkey_refused')
  const foreign = await sendToOffice(service, 'signInWithPasskey', {
    body: { passkey: theirs.sign(await challenge()) },
  })
  expect(foreign).toBeRefused('passkey_refused')
  const entered = await sendToOffice(service, 'signInWithPasskey', { body: { passkey: own.sign(await challenge()) } })
  expect(officeSession(entered)).toMatchObject({ signed_in_with: 'passkey', person: { person_id: operator.person_id } })
})

test('where a second factor is required, an operator without one can only set one up', async () => {
  const admin = await newOperatorPerson(service)
  await addTotp(admin)
  const viewer = await newOperatorPerson(service, 'viewer')
  const rule = { body: { second_factor_required: true } }
  expect(await viewer.office('updateAccountSecurity', rule)).toBeRefused('insufficient_role')
  expect(await viewer.office('getAccountSecurity')).toBeRefused('insufficient_role')
  expect((await admin.office('updateAccountSecurity', rule)).body).toMatchObject({ second_factor_required: true })

  expect((await viewer.office('getSession')).body.enrolment_required).toBe(true)
  expect(await viewer.office('listSessions')).toBeRefused('enrolment_required')
  await addTotp(viewer)
  expect((await viewer.office('getSession')).body.enrolment_required).toBe(false)
  expect((await viewer.office('listSessions')).status).toBe(200)
  expect(await viewer.office('removeTotp')).toBeRefused('last_factor')
  // Customers have rules of their own.
  const person = await newPerson(service, await newAccount(service))
  expect((await person.portal('getSession')).body.enrolment_required).toBe(false)

  const { entries } = (await (await newOperator(service)).ops('listForwarderAudit', undefined, { query: { take: 50 } }))
    .body
  expect(entries).toContainEqual(
    expect.objectContaining({
      action: 'account_updated',
      actor: `person:${admin.person_id}`,
      details: expect.objectContaining({ second_factor_required: true }),
    }),
  )
  await admin.office('updateAccountSecurity', { body: { second_factor_required: false } })
})
