import { expect, test } from 'vitest'
import {
  asOperator,
  newOperatorPerson,
  officeSession,
  officeTokenIn,
  sendToOffice,
  startOffice,
} from '../support/office.js'
import { newOperator } from '../support/operator.js'
import { newEmail, testPassword } from '../support/person.js'
import { runProgram } from '../support/program.js'

/** Operators as people, by the command line next to a running service. */

const service = await startOffice()
const env = { DATABASE_URL: service.databaseUrl, WAYBILL_FORWARDER_NAME: 'Harbour Lines' }

async function operator(...args: string[]) {
  return runProgram(['operator', ...args], { env: { ...env, WAYBILL_PUBLIC_URL: service.baseUrl } })
}

async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await operator(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const tokenOf = (link: string) => link.trim().split('#').at(-1) ?? ''
const signIn = (email: string, password = testPassword) =>
  sendToOffice(service, 'signIn', { body: { email, password } })

test('the command line creates the first operator, who chooses a password by the printed link and signs in', async () => {
  const email = newEmail()
  const added = await operator('add', '--email', email, '--name', 'Ines Moreau', '--role', 'admin', '--language', 'fr')
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toMatch(new RegExp(`^${service.baseUrl}/office/welcome#[\\w-]{32}\n$`))
  const token = tokenOf(added.stdout)
  expect((await sendToOffice(service, 'getLink', { body: { token } })).body).toEqual({
    purpose: 'invitation',
    email,
    name: 'Ines Moreau',
    account_name: 'Harbour Lines',
  })
  const chosen = await sendToOffice(service, 'useLink', { body: { token, password: testPassword } })
  expect(officeSession(chosen)).toMatchObject({
    person: { email, name: 'Ines Moreau', role: 'admin' },
    preferences: { language: 'fr' },
    account: { name: 'Harbour Lines' },
  })
  expect(await sendToOffice(service, 'getLink', { body: { token } })).toBeRefused('link_not_valid')
  expect((await signIn(email)).status).toBe(201)

  const again = await operator('add', '--email', email.toUpperCase(), '--name', 'Other')
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: `waybill: the address ${email} is already in use\n` })
  const { body } = await (await newOperator(service)).ops('listForwarderAudit', undefined)
  const acts = body.entries.filter(({ action }) => action.startsWith('person_'))
  expect(acts.map(({ action, actor_name }) => [action, actor_name])).toEqual([
    ['person_joined', 'Ines Moreau'],
    ['person_invited', undefined],
  ])
})

test('operators are listed, disabled, enabled and signed out by their address', async () => {
  const { email, office } = await newOperatorPerson(service, 'finance', { name: 'Finn' })
  expect(await json('people')).toContainEqual(expect.objectContaining({ email, name: 'Finn', role: 'finance' }))
  expect(await json('disable', email)).toEqual({ email, disabled: true })
  expect(await office('getSession')).toBeRefused('not_signed_in')
  expect(await signIn(email)).toBeRefused('sign_in_failed')
  expect(await json('enable', email)).toEqual({ email, disabled: false })
  const entered = await signIn(email)
  expect(entered.status).toBe(201)
  expect(await json('sign-out', email)).toEqual({ sessions: 1 })
  expect(await asOperator(service, officeTokenIn(entered)).office('getSession')).toBeRefused('not_signed_in')
  const { link } = (await json('reset', email)) as { link: string }
  expect(link).toContain('/office/welcome#')
  const token = tokenOf(link)
  const chosen = await sendToOffice(service, 'useLink', { body: { token, password: 'another password' } })
  expect(chosen.status).toBe(201)
  expect((await signIn(email, 'another password')).status).toBe(201)
})

test('the commands for people of customers do not find operators, and the other way around', async () => {
  const { email } = await newOperatorPerson(service)
  const user = await runProgram(['user', 'disable', email], { env })
  expect(user).toMatchObject({ code: 1, stderr: `waybill: there is no person with the address ${email}\n` })
  const listed = await runProgram(['user', 'list', '--json'], { env })
  expect(listed.stdout).not.toContain(email)
  const unknown = await operator('reset', 'nobody@example.com')
  expect(unknown.stderr).toBe('waybill: there is no operator with the address nobody@example.com\n')
})

test('a second factor is required of operators, and lost ones are removed', async () => {
  const { email, office } = await newOperatorPerson(service, 'operations')
  expect(await json('security')).toEqual({ second_factor_required: false, provider_only: false })
  expect((await operator('security', '--second-factor', 'required')).stdout).toBe('A second factor is required.\n')
  expect((await office('getSession')).body.enrolment_required).toBe(true)
  expect(await office('listSessions')).toBeRefused('enrolment_required')
  const rules = await json('security', '--second-factor', 'optional')
  expect(rules).toEqual({ second_factor_required: false, provider_only: false })
  expect((await office('listSessions')).status).toBe(200)
  expect(await json('remove-factors', email)).toEqual({ email, removed: false })
})

test("operators may be required to sign in with the company's provider, and a lockout is undone", async () => {
  const { email, office } = await newOperatorPerson(service, 'operations')
  expect(await json('security', '--provider-only', 'on')).toMatchObject({ provider_only: true })
  expect(await office('getSession')).toBeRefused('not_signed_in')
  expect(await signIn(email)).toBeRefused('provider_required')
  expect(await json('security', '--provider-only', 'off')).toMatchObject({ provider_only: false })
  expect((await signIn(email)).status).toBe(201)
})

test('a wrong role or address is refused with the choices', async () => {
  const given = ['add', '--name', 'N']
  const role = await operator(...given, '--email', newEmail(), '--role', 'member')
  expect(role).toMatchObject({
    code: 2,
    stderr: 'waybill: --role member: the roles are admin, operations, finance, viewer\n',
  })
  const address = await operator(...given, '--email', 'nobody')
  expect(address).toMatchObject({ code: 2, stderr: 'waybill: --email nobody: not a valid e-mail address\n' })
})

test('the link leads to the address of the office, which may differ from that of the portal', async () => {
  const add = (settings: Record<string, string>) =>
    runProgram(['operator', 'add', '--email', newEmail(), '--name', 'N'], { env: { ...env, ...settings } })
  const office = { WAYBILL_OFFICE_URL: 'https://office.example.com/' }
  expect((await add(office)).stdout).toMatch(/^https:\/\/office\.example\.com\/office\/welcome#/)
  const separate = { WAYBILL_PUBLIC_URL: 'https://portal.example.com', WAYBILL_OPS_PORT: '4011' }
  expect((await add(separate)).stdout).toMatch(/^http:\/\/127\.0\.0\.1:4011\/office\/welcome#/)
  expect((await add({ ...separate, WAYBILL_OPS_PORT: '0' })).stderr).toContain('set WAYBILL_OFFICE_URL')
})
