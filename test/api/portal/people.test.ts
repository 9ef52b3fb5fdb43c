import { request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { hashOfKey } from '../../../src/store/key-hash.js'
import { countAttempt } from '../../../src/store/sign-in-failures.js'
import { invite } from '../../../src/usecases/people/invite-person.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import {
  asPerson,
  asVisitor,
  newClientAddress,
  newEmail,
  newPerson,
  testPassword,
  tokenIn,
} from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService({ forwarderName: 'Harbour & Sons' })

/** Mails to an address, newest last. */
function mailsTo(email: string) {
  return service.mails.filter(({ to }) => to === email)
}

function linkTokenIn({ link }: { link: string }): string {
  return link.split('#').at(-1) ?? ''
}

async function chooses(token: string, body: { password: string; name?: string } = { password: testPassword }) {
  return asVisitor(service, 'useLink', { body: { token, ...body } })
}

async function anAccount() {
  const account = await newAccount(service)
  return { account, admin: await newPerson(service, account) }
}

test('an admin invites a person, who chooses a password by the link in the mail and is signed in', async () => {
  const { account, admin } = await anAccount()
  const email = newEmail()
  const invited = await admin.portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
  expect(invited.body).toMatchObject({ email, name: 'Kim', role: 'member', status: 'invited' })
  expect(invited.text).not.toContain('link')

  const [mail] = mailsTo(email)
  expect(mail?.subject).toBe(`Your access to Account ${account.slug} at Harbour & Sons`)
  expect(mail?.text).toContain('Hello Kim,')
  expect(mail?.text).toContain(mail?.link)
  expect(mail?.link).toMatch(new RegExp(`^${service.baseUrl}/welcome#[\\w-]{32}$`))

  const token = linkTokenIn(mail ?? { link: '' })
  const shown = await asVisitor(service, 'getLink', { body: { token } })
  expect(shown.body).toEqual({ purpose: 'invitation', email, name: 'Kim', account_name: `Account ${account.slug}` })
  const chosen = await chooses(token, { password: testPassword, name: 'Kim Larsen' })
  expect(chosen.body).toMatchObject({ person: { name: 'Kim Larsen', status: 'active' }, signed_in_with: 'password' })
  const session = asPerson(service, tokenIn(chosen))
  expect((await session.portal('getSession')).body.account.slug).toBe(account.slug)
  expect((await asVisitor(service, 'signIn', { body: { email, password: testPassword } })).status).toBe(201)
})

test('a mail is in the language of its recipient', async () => {
  const { admin } = await anAccount()
  const email = newEmail()
  await admin.portal('invitePerson', { body: { email, name: 'Zoé', role: 'viewer', language: 'fr' } })
  expect(mailsTo(email)[0]?.text).toContain('Bonjour Zoé,')
})

test('a name cannot add lines to a mail', async () => {
  const { admin } = await anAccount()
  const email = newEmail()
  await admin.portal('invitePerson', { body: { email, name: 'Kim,\n\nwin a prize', role: 'viewer' } })
  expect(mailsTo(email)[0]?.text).toContain('Hello Kim, win a prize,\n')
})

test('a link works once, even if it is used twice concurrently', async () => {
  const { account } = await anAccount()
  const { token } = await invite(service.db, account.id, { email: newEmail(), name: 'Kim', role: 'member' })
  const both = await Promise.all([chooses(token), chooses(token)])
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([201, 404]))
  expect(await chooses(token)).toBeRefused('link_not_valid')
  expect(await asVisitor(service, 'getLink', { body: { token } })).toBeRefused('link_not_valid')
})

test('an expired or unknown link is refused', async () => {
  const { account } = await anAccount()
  const { person, token } = await invite(service.db, account.id, { email: newEmail(), name: 'Kim', role: 'member' })
  await service.db`update personal_links set expires_at = now() where person_id = ${person.person_id}`
  for (const each of [token, 'A'.repeat(32)]) {
    expect(await asVisitor(service, 'getLink', { body: { token: each } })).toBeRefused('link_not_valid')
    expect(await chooses(each)).toBeRefused('link_not_valid')
  }
})

test('a repeated invitation creates a new link and invalidates the old one', async () => {
  const { admin } = await anAccount()
  const email = newEmail()
  const { body } = await admin.portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
  const again = await admin.portal('inviteAgain', { params: { person_id: body.person_id } })
  expect(again.body).toEqual(body)
  const [first, second] = mailsTo(email).map(linkTokenIn)
  expect(await chooses(first as string)).toBeRefused('link_not_valid')
  expect((await chooses(second as string)).status).toBe(201)
})

test('invitations are rate-limited, to one address and to many', async () => {
  const { account, admin } = await anAccount()
  const email = newEmail()
  const { person_id } = (await admin.portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })).body
  const again = () => admin.portal('inviteAgain', { params: { person_id } })
  for (let time = 1; time < 5; time += 1) expect((await again()).status).toBe(200)
  const slowed = await again()
  expect(slowed).toBeRefused('rate_limited')
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
  // Not even by another admin of the account, or by removing and inviting again.
  const other = await newPerson(service, account)
  await admin.portal('removePerson', { params: { person_id } })
  const anew = { body: { email: email.toUpperCase(), name: 'Kim', role: 'member' } } as const
  expect(await other.portal('invitePerson', anew)).toBeRefused('rate_limited')
  expect(mailsTo(email)).toHaveLength(5)

  const all = { name: `invitations of account ${account.id}`, allowed: 100 }
  for (let time = 0; time < 100; time += 1) await countAttempt(service.db, [all])
  const next = { body: { email: newEmail(), name: 'Lee', role: 'member' } } as const
  expect(await admin.portal('invitePerson', next)).toBeRefused('rate_limited')
})

test('an invalid password or address is named, and nothing is used up or created', async () => {
  const { account, admin } = await anAccount()
  const { token } = await invite(service.db, account.id, { email: newEmail(), name: 'Kim', role: 'member' })
  const short = await chooses(token, { password: 'too short' })
  expect(short).toBeRefused('invalid_request')
  expect(short.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/password'])
  expect((await chooses(token)).status).toBe(201)

  for (const email of ['kim', 'kim@', 'kim @example.com', 'kim@example.com\nbcc: all']) {
    const refused = await admin.portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
    expect(refused).toBeRefused('invalid_request')
    expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/email'])
  }
})

test('an address belongs to one person, in any spelling and across accounts', async () => {
  const [one, other] = [await anAccount(), await anAccount()]
  const body = { email: one.admin.email.toUpperCase(), name: 'Kim', role: 'member' } as const
  expect(await one.admin.portal('invitePerson', { body })).toBeRefused('person_exists')
  expect(await other.admin.portal('invitePerson', { body })).toBeRefused('person_exists')
  expect(mailsTo(body.email)).toEqual([])
  expect((await other.admin.portal('listPeople')).body).toHaveLength(1)
})

test('people are listed by name, and a changed role takes effect at once', async () => {
  const { account, admin } = await anAccount()
  const kim = await newPerson(service, account, 'viewer', { name: 'kim' })
  const listed = await kim.portal('listPeople')
  expect(listed.body.map(({ name, role }) => [name, role])).toEqual([
    ['kim', 'viewer'],
    ['Test admin', 'admin'],
  ])
  const view = { email: newEmail(), name: 'X', role: 'viewer' } as const
  expect(await kim.portal('invitePerson', { body: view })).toBeRefused('insufficient_role')
  const params = { person_id: kim.person_id }
  await admin.portal('updateRole', { params, body: { role: 'admin' } })
  expect((await kim.portal('invitePerson', { body: view })).status).toBe(201)
  await admin.portal('updateRole', { params, body: { role: 'member' } })
  const refused = await kim.portal('updateRole', { params, body: { role: 'admin' } })
  expect(refused).toBeRefused('insufficient_role')
  expect(refused.problem.detail).toBe('The role `member` may not do this; these may: admin.')
  expect(await admin.portal('updateRole', { params, body: {} })).toBeRefused('invalid_request')
})

test('the last admin of an account can be neither demoted, nor disabled, nor removed', async () => {
  const { account, admin } = await anAccount()
  const disabled = await newPerson(service, account)
  await admin.portal('updateRole', { params: { person_id: disabled.person_id }, body: { disabled: true } })
  const params = { person_id: admin.person_id }
  expect(await admin.portal('updateRole', { params, body: { role: 'viewer' } })).toBeRefused('last_admin')
  expect(await admin.portal('updateRole', { params, body: { disabled: true } })).toBeRefused('last_admin')
  expect(await admin.portal('removePerson', { params })).toBeRefused('last_admin')
  const second = await newPerson(service, account)
  const both = await Promise.all([
    admin.portal('removePerson', { params: { person_id: second.person_id } }),
    second.portal('removePerson', { params }),
  ])
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const left = await service.db`
    select 1 from people where account_id = ${account.id} and role = 'admin' and disabled_at is null`
  expect(left).toHaveLength(1)
})

test('people of another account are refused like people who do not exist', async () => {
  const [one, other] = [await anAccount(), await anAccount()]
  for (const person_id of [other.admin.person_id, 'per_none']) {
    const params = { person_id }
    expect(await one.admin.portal('updateRole', { params, body: { role: 'viewer' } })).toBeRefused('person_not_found')
    expect(await one.admin.portal('inviteAgain', { params })).toBeRefused('person_not_found')
    expect(await one.admin.portal('removePerson', { params })).toBeRefused('person_not_found')
  }
  expect((await other.admin.portal('getSession')).body.person.role).toBe('admin')
})

test('the history has the author of invitations, changes and removals, and no secret', async () => {
  const { account, admin } = await anAccount()
  const { ops } = await newOperator(service)
  const email = newEmail()
  const { body } = await admin.portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
  const params = { person_id: body.person_id }
  await admin.portal('updateRole', { params, body: { role: 'viewer' } })
  await admin.portal('removePerson', { params })
  const history = await ops('getHistory', account.slug, { params: { kind: 'person', id: body.person_id } })
  expect(history.body.map(({ what, recorded_by }) => [what, recorded_by])).toEqual([
    ['removed', `person:${admin.person_id}`],
    ['updated', `person:${admin.person_id}`],
    ['created', `person:${admin.person_id}`],
  ])
  expect(history.body[2]?.record).toEqual({ email, name: 'Kim', role: 'member' })
  expect(history.text).not.toMatch(/argon2|hash/)
})

test('a password reset sends a link, and the response does not reveal whether the address is known', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account, 'member', { hasPassword: true })
  const disabled = await newPerson(service, account, 'member', { hasPassword: true })
  const admin = await newPerson(service, account)
  await admin.portal('updateRole', { params: { person_id: disabled.person_id }, body: { disabled: true } })
  const unknown = newEmail()
  for (const email of [unknown, disabled.email, person.email.toUpperCase()]) {
    const result = await asVisitor(service, 'requestPasswordReset', { body: { email } })
    expect(result.text).toBe('{"accepted":true}')
  }
  await vi.waitFor(() => expect(mailsTo(person.email)).toHaveLength(1), 10_000)
  expect([...mailsTo(unknown), ...mailsTo(disabled.email)]).toEqual([])

  const [mail] = mailsTo(person.email)
  expect(mail?.subject).toBe('A new password for Harbour & Sons')
  const chosen = await chooses(linkTokenIn(mail ?? { link: '' }), { password: 'another password' })
  expect(chosen.status).toBe(201)
  expect(await person.portal('getSession')).toBeRefused('not_signed_in')
  const signIn = (password: string) => asVisitor(service, 'signIn', { body: { email: person.email, password } })
  expect(await signIn(testPassword)).toBeRefused('sign_in_failed')
  expect((await signIn('another password')).status).toBe(201)
})

test('a password link never contains the Host header of a remote client', async () => {
  const person = await newPerson(service, await newAccount(service), 'member', { hasPassword: true })
  await requestWithHost('evil.example', person.email)
  await vi.waitFor(() => expect(mailsTo(person.email)).toHaveLength(1), 10_000)
  expect(mailsTo(person.email)[0]?.link).toContain(`${service.baseUrl}/welcome#`)
})

/** Requests a link with another Host header. */
function requestWithHost(host: string, email: string): Promise<void> {
  const { port } = new URL(service.baseUrl)
  const headers = { host, 'content-type': 'application/json', 'x-forwarded-for': newClientAddress() }
  return new Promise((resolve, reject) => {
    const requested = request({ port, method: 'POST', path: '/portal/v1/password-resets', headers }, (response) => {
      response.resume()
      resolve()
    })
    requested.on('error', reject)
    requested.end(JSON.stringify({ email }))
  })
}

test('choosing a password invalidates all other password links', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account, 'member', { hasPassword: true })
  await asVisitor(service, 'requestPasswordReset', { body: { email: person.email } })
  await vi.waitFor(() => expect(mailsTo(person.email)).toHaveLength(1), 10_000)
  const body = { current_password: testPassword, password: 'another password' }
  await person.portal('changePassword', { body })
  const [mail] = mailsTo(person.email)
  expect(await chooses(linkTokenIn(mail ?? { link: '' }))).toBeRefused('link_not_valid')
})

test('a password link resets the delay after failed sign-ins', async () => {
  const { account } = await anAccount()
  const { person, token } = await invite(service.db, account.id, { email: newEmail(), name: 'Kim', role: 'member' })
  const { email } = person
  const signIn = (password: string) => asVisitor(service, 'signIn', { body: { email, password } })
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await signIn('wrong')).toBeRefused('sign_in_failed')
  expect(await signIn('wrong')).toBeRefused('sign_in_slowed')
  await chooses(token)
  expect((await signIn(testPassword)).status).toBe(201)
})

test('repeated requests for password links get the same response, and mails stop silently', async () => {
  const person = await newPerson(service, await newAccount(service), 'member')
  const send = (email: string) => asVisitor(service, 'requestPasswordReset', { body: { email } })
  for (let attempt = 0; attempt < 8; attempt += 1) {
    for (const email of [person.email, newEmail()]) expect((await send(email)).text).toBe('{"accepted":true}')
  }
  // Work after the responses runs in order: that of the last request has begun.
  await vi.waitFor(() => expect(mailsTo(person.email)).toHaveLength(5), 10_000)
  const [row] = await service.db<{ failures: number }[]>`
    select failures from sign_in_failures where subject = ${hashOfKey(`reset ${person.person_id}`)}`
  expect(row?.failures).toBe(5)
})

test('a common password is refused, also with a few digits or signs around it', async () => {
  const { account } = await anAccount()
  const { token } = await invite(service.db, account.id, { email: newEmail(), name: 'Kim', role: 'member' })
  for (const password of ['1234567890', 'QWERTYUIOP', 'Password123!', '!!Football1']) {
    const refused = await chooses(token, { password })
    expect(refused, password).toBeRefused('invalid_request')
    expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/password'])
  }
  expect((await chooses(token)).status).toBe(201)
})

test('a person is notified by mail of a sign-in on a new device and of a changed password, and not of a known device', async () => {
  const person = await newPerson(service, await newAccount(service), 'member', { hasPassword: true })
  const signIn = (cookie: string) =>
    fetch(`${service.baseUrl}/portal/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ email: person.email, password: testPassword }),
    })
  const cookie = deviceCookieIn(await signIn(''))
  await vi.waitFor(() => expect(mailsTo(person.email)).toHaveLength(1), 10_000)
  expect(mailsTo(person.email)[0]).toMatchObject({
    subject: 'New sign-in to Harbour & Sons',
    text: expect.stringContaining('203.0.113.9') as string,
  })
  expect((await signIn(cookie)).status).toBe(201)
  const body = { current_password: testPassword, password: 'another password' }
  expect((await person.portal('changePassword', { body })).status).toBe(200)
  await vi.waitFor(() => expect(mailsTo(person.email)).toHaveLength(2), 10_000)
  expect(mailsTo(person.email)[1]?.subject).toBe('Your password for Harbour & Sons was changed')
})

test('a stranger who fails on purpose does not keep a person out on a device on which they signed in before', async () => {
  const account = await newAccount(service)
  const [person, other] = [
    await newPerson(service, account, 'member', { hasPassword: true }),
    await newPerson(service, account, 'member', { hasPassword: true }),
  ]
  const signIn = async (email: string, password: string, cookie = '') => {
    const response = await fetch(`${service.baseUrl}/portal/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'x-forwarded-for': newClientAddress() },
      body: JSON.stringify({ email, password }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const cookie = deviceCookieIn(await signIn(person.email, testPassword))
  for (let attempt = 0; attempt < 5; attempt += 1) await signIn(person.email, 'wrong')
  expect(await signIn(person.email, testPassword)).toBeRefused('sign_in_slowed')
  expect((await signIn(person.email, testPassword, cookie)).status).toBe(201)
  // The device has a count of its own, for this person only, and a forged one has none.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await signIn(person.email, 'wrong', cookie)).toBeRefused('sign_in_failed')
  }
  expect(await signIn(person.email, testPassword, cookie)).toBeRefused('sign_in_slowed')
  for (let attempt = 0; attempt < 5; attempt += 1) await signIn(other.email, 'wrong')
  for (const forged of [cookie, 'waybill_device=AAAA', `${cookie}A`]) {
    expect(await signIn(other.email, testPassword, forged)).toBeRefused('sign_in_slowed')
  }
})

function deviceCookieIn({ headers }: { headers: Headers }): string {
  return (
    headers
      .getSetCookie()
      .find((each) => each.startsWith('waybill_device='))
      ?.split(';')[0] ?? ''
  )
}

test('an address has one spelling: no Unicode variant of it is another person, or has guesses of its own', async () => {
  const { account, admin } = await anAccount()
  const email = newEmail().replace('person', 'İris')
  const { token } = await invite(service.db, account.id, { email, name: 'Iris', role: 'member' })
  await chooses(token)
  const spellings = [email, email.toLowerCase(), email.replace('İ', 'I\u0307'), email.replace('ris', '\uff52is')]
  for (const spelling of spellings) {
    const body = { email: spelling, name: 'Other', role: 'member' } as const
    expect(await admin.portal('invitePerson', { body }), spelling).toBeRefused('person_exists')
    const right = await asVisitor(service, 'signIn', { body: { email: spelling, password: testPassword } })
    expect(right.status, spelling).toBe(201)
  }
  const guess = (spelling: string) => asVisitor(service, 'signIn', { body: { email: spelling, password: 'wrong' } })
  for (const spelling of [...spellings, email]) expect(await guess(spelling)).toBeRefused('sign_in_failed')
  for (const spelling of spellings) expect(await guess(spelling)).toBeRefused('sign_in_slowed')
  const twoAts = { email: 'kim\uff20evil@example.com', name: 'Kim', role: 'member' } as const
  expect(await admin.portal('invitePerson', { body: twoAts })).toBeRefused('invalid_request')
})

test('saved views are visible to their owner only', async () => {
  const { account, admin } = await anAccount()
  const viewer = await newPerson(service, account, 'viewer')
  const kept = { page: 'shipments', name: 'Late ones', query: 'late=true' } as const
  const { body } = await viewer.portal('createView', { body: kept })
  expect(body).toMatchObject(kept)
  const params = { view_id: body.view_id }
  const renamed = await viewer.portal('updateView', { params, body: { name: 'Late' } })
  expect(renamed.body).toEqual({ ...body, name: 'Late' })
  expect((await viewer.portal('listViews')).body).toEqual([renamed.body])
  expect((await admin.portal('listViews')).body).toEqual([])
  expect(await admin.portal('updateView', { params, body: { name: 'Mine' } })).toBeRefused('view_not_found')
  expect(await admin.portal('removeView', { params })).toBeRefused('view_not_found')
  expect((await viewer.portal('removeView', { params })).status).toBe(200)
  expect((await viewer.portal('listViews')).body).toEqual([])
})
