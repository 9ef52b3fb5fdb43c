import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { asPerson, newClientAddress, newPerson, testPassword, tokenIn } from '../../support/person.js'
import { startService } from '../../support/service.js'

/** The sessions of a person, and authenticating again. */

const service = await startService()

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

async function aPerson(role: 'admin' | 'member' | 'viewer' = 'admin') {
  const account = await newAccount(service)
  return { account, person: await newPerson(service, account, role, { hasPassword: true }) }
}

/** Signs in from a device, and returns the session. */
async function signInFrom(email: string, userAgent: string, address = newClientAddress()) {
  const response = await fetch(`${service.baseUrl}/portal/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, 'x-forwarded-for': address },
    body: JSON.stringify({ email, password: testPassword }),
  })
  expect(response.status).toBe(201)
  return asPerson(service, tokenIn(response))
}

async function makeOld(person_id: string) {
  await service.db`update sessions set authenticated_at = now() - interval '11 minutes' where person_id = ${person_id}`
}

test('a person sees their sessions with device, address and last use, the current one first, and nobody else does', async () => {
  const { account, person } = await aPerson()
  const colleague = await newPerson(service, account)
  const address = newClientAddress()
  const laptop = await signInFrom(person.email, firefox, address)
  await signInFrom(person.email, phone)
  const listed = await laptop.portal('listSessions')
  expect(listed.body).toHaveLength(3)
  expect(listed.body[0]).toMatchObject({
    browser: 'Firefox',
    system: 'Linux',
    address,
    signed_in_with: 'password',
    is_current: true,
  })
  expect(listed.body[1]).toMatchObject({ browser: 'Safari', system: 'iPhone', is_current: false })
  expect(listed.body[2]).not.toHaveProperty('browser')
  expect(Date.parse(listed.body[0]?.last_seen_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(listed.text).not.toContain(person.token)
  expect((await colleague.portal('listSessions')).body.map(({ session_id }) => session_id)).toEqual([
    colleague.session_id,
  ])
})

test('the text of a User-Agent header is never stored, only known names in it', async () => {
  const { person } = await aPerson()
  const { portal } = await signInFrom(person.email, '<b>Evil</b> Chrome/1 on Windows')
  const [current] = (await portal('listSessions')).body
  expect(current).toMatchObject({ browser: 'Chrome', system: 'Windows' })
})

test('one session is ended at once, and all others are ended together', async () => {
  const { account, person } = await aPerson()
  const colleague = await newPerson(service, account)
  const [one, two] = [await signInFrom(person.email, firefox), await signInFrom(person.email, phone)]
  const [current] = (await one.portal('listSessions')).body
  const params = { session_id: current?.session_id as string }
  expect((await person.portal('endSession', { params })).status).toBe(200)
  expect(await one.portal('getSession')).toBeRefused('not_signed_in')
  expect(await person.portal('endSession', { params })).toBeRefused('session_not_found')
  expect((await two.portal('getSession')).status).toBe(200)

  expect((await person.portal('endOtherSessions')).status).toBe(200)
  expect(await two.portal('getSession')).toBeRefused('not_signed_in')
  expect((await person.portal('listSessions')).body).toHaveLength(1)
  expect((await colleague.portal('getSession')).status).toBe(200)
})

test('a session of a colleague is refused like one that does not exist', async () => {
  const { account, person } = await aPerson()
  const colleague = await newPerson(service, account)
  for (const session_id of [colleague.session_id, 'ses_none']) {
    expect(await person.portal('endSession', { params: { session_id } })).toBeRefused('session_not_found')
  }
  expect((await colleague.portal('getSession')).status).toBe(200)
})

test('ten minutes after signing in, an invitation is sent again only by who has signed in again', async () => {
  const { person: admin } = await aPerson('admin')
  const { person_id } = (
    await admin.portal('invitePerson', {
      body: { email: `${admin.person_id}@new.example`, name: 'New', role: 'member' },
    })
  ).body
  const again = () => admin.portal('inviteAgain', { params: { person_id } })
  expect((await again()).status).toBe(200)
  await makeOld(admin.person_id)
  expect(await again()).toBeRefused('reauthentication_required')
})

test('ten minutes after signing in, a key needs the password again, for this session only', async () => {
  const { person } = await aPerson('member')
  const elsewhere = await signInFrom(person.email, firefox)
  const create = () => person.portal('createOwnKey', { body: { name: 'ERP' } })
  expect((await create()).status).toBe(201)
  await makeOld(person.person_id)
  expect(await create()).toBeRefused('reauthentication_required')
  // What needs no proof still works.
  expect((await person.portal('listOwnKeys')).body).toHaveLength(2)

  const wrong = await person.portal('reauthenticate', { body: { password: 'not the password' } })
  expect(wrong).toBeRefused('wrong_password')
  expect(await create()).toBeRefused('reauthentication_required')
  expect((await person.portal('reauthenticate', { body: { password: testPassword } })).status).toBe(200)
  expect((await create()).status).toBe(201)
  expect(await elsewhere.portal('createOwnKey', { body: {} })).toBeRefused('reauthentication_required')
})

test('guessing the password by authenticating again is slowed down', async () => {
  const { person } = await aPerson()
  const guess = () => person.portal('reauthenticate', { body: { password: 'not the password' } })
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await guess()).toBeRefused('wrong_password')
  expect(await guess()).toBeRefused('sign_in_slowed')
})

test('a role is refused before the password is asked for', async () => {
  const { person } = await aPerson('viewer')
  await makeOld(person.person_id)
  expect(await person.portal('createOwnKey', { body: {} })).toBeRefused('insufficient_role')
})

test("in the sandbox's demo nobody is asked for a password", async () => {
  const account = await newAccount(service)
  const { person_id } = await newPerson(service, account)
  const sandbox = await startService({ demoAccount: account.slug })
  const response = await fetch(`${sandbox.baseUrl}/portal/v1/session/demo`, { method: 'POST' })
  await makeOld(person_id)
  expect((await asPerson(sandbox, tokenIn(response)).portal('createOwnKey', { body: {} })).status).toBe(201)
})
