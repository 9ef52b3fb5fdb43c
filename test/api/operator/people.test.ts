import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { newOperator } from '../../support/operator.js'
import { newEmail, newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { ops } = await newOperator(service, 'admin')

test('an admin of the forwarder invites users of an account, changes their role and removes them; the account’s log names them', async () => {
  const { slug } = await newAccount(service)
  const email = newEmail()
  const invited = await ops('inviteAccountPerson', slug, { body: { email, name: 'Kim Larsen', role: 'member' } })
  expect(invited.status).toBe(201)
  const { person_id } = invited.body
  const params = { person_id }
  expect(await ops('inviteAccountPerson', slug, { body: { email, name: 'K', role: 'member' } })).toBeRefused(
    'person_exists',
  )
  expect((await ops('inviteAccountPersonAgain', slug, { params })).status).toBe(200)
  expect((await ops('updateAccountPerson', slug, { params, body: { role: 'admin' } })).body.role).toBe('admin')
  expect((await ops('listAccountPeople', slug)).body).toMatchObject([{ person_id, role: 'admin', status: 'invited' }])
  const other = await newAccount(service)
  expect(await ops('removeAccountPerson', other.slug, { params, query: {} })).toBeRefused('person_not_found')
  expect((await ops('removeAccountPerson', slug, { params, query: {} })).status).toBe(200)
  expect((await ops('listAccountPeople', slug)).body).toEqual([])
  const { entries } = (await ops('listAccountAudit', slug, { query: { take: 4 } })).body
  expect(entries.map(({ action }) => action)).toEqual([
    'person_removed',
    'role_changed',
    'invitation_repeated',
    'person_invited',
  ])
  for (const { actor } of entries) expect(actor).toMatch(/^operator:/)
})

test('keys of a removed user end, or go to the caller, who has to choose', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account, 'admin')
  await person.portal('createOwnKey', { body: { name: 'ERP', scopes: ['read'] } })
  const params = { person_id: person.person_id }
  expect(await ops('removeAccountPerson', account.slug, { params, query: {} })).toBeRefused('keys_undecided')
  expect((await ops('removeAccountPerson', account.slug, { params, query: { keys: 'revoke' } })).status).toBe(200)
  const keys = (await ops('listKeys', account.slug)).body
  expect(keys.find(({ name }) => name === 'ERP')?.revoked_at).toBeDefined()
})

test('staff are invited with a role, disabled at once, signed out and removed', async () => {
  const member = await newOperatorPerson(service, 'operations')
  const params = { person_id: member.person_id }
  const isSignedIn = async () => (await member.office('getSession')).status === 200
  expect((await ops('updateStaff', undefined, { params, body: { role: 'viewer' } })).body.role).toBe('viewer')
  expect(await isSignedIn()).toBe(true)
  expect((await ops('endStaffSessions', undefined, { params })).body).toEqual({ sessions: 1 })
  expect(await isSignedIn()).toBe(false)
  expect((await ops('updateStaff', undefined, { params, body: { disabled: true } })).body.status).toBe('disabled')
  expect((await ops('removeStaff', undefined, { params })).status).toBe(200)
  expect(await ops('removeStaff', undefined, { params })).toBeRefused('person_not_found')
  const export_ = await fetch(`${service.baseUrl}/ops/v1/audit/export?kind=person`, {
    headers: { authorization: `Bearer ${(await newOperator(service, 'admin')).key}` },
  })
  const lines = (await export_.text()).trim().split('\n')
  expect(
    lines.map((line) => JSON.parse(line) as { subject: string }).some(({ subject }) => subject === member.person_id),
  ).toBe(true)
})
