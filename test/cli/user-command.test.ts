import { expect, inject, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { personWithTotp } from '../support/factors.js'
import { asPerson, asVisitor, newEmail, newPerson, testPassword, tokenIn } from '../support/person.js'
import { runProgram, startServing } from '../support/program.js'
import { startService } from '../support/service.js'

/** User commands next to a running service. */

const service = await startService()
const env = { DATABASE_URL: inject('databaseUrl') }
const serving = await startServing({ env })

async function user(...args: string[]) {
  return runProgram(['user', ...args], { env: { ...env, WAYBILL_PUBLIC_URL: serving.baseUrl } })
}

async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await user(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

function tokenOf(link: string): string {
  return link.trim().split('#').at(-1) ?? ''
}

async function signIn(email: string, password: string) {
  return asVisitor(serving, 'signIn', { body: { email, password } })
}

test('a created person chooses a password by the printed link and signs in', async () => {
  const { slug } = await newAccount(service)
  const email = newEmail()
  const flags = ['--account', slug, '--email', email, '--name', 'Kim Larsen', '--role', 'member', '--language', 'fr']
  const created = await user('create', ...flags)
  expect(created).toMatchObject({ code: 0, stderr: '' })
  expect(created.stdout).toMatch(new RegExp(`^${serving.baseUrl}/welcome#[\\w-]{32}\n$`))
  const token = tokenOf(created.stdout)
  const chosen = await asVisitor(serving, 'useLink', { body: { token, password: testPassword } })
  expect(chosen.body).toMatchObject({
    person: { email, name: 'Kim Larsen', role: 'member' },
    preferences: { language: 'fr' },
    account: { slug },
  })
  expect((await signIn(email, testPassword)).status).toBe(201)

  const again = await user('create', '--account', slug, '--email', email.toUpperCase(), '--name', 'Other')
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: `waybill: the address ${email} is already in use\n` })
})

test('without a public URL the link uses the listening address of the service', async () => {
  const { slug } = await newAccount(service)
  const create = (settings: Record<string, string>) =>
    runProgram(['user', 'create', '--account', slug, '--email', newEmail(), '--name', 'N'], {
      env: { ...env, ...settings },
    })
  expect((await create({})).stdout).toMatch(/^http:\/\/127\.0\.0\.1:4010\/welcome#/)
  expect((await create({ HOST: '0.0.0.0', PORT: '80' })).stdout).toMatch(/^http:\/\/localhost:80\/welcome#/)
  expect((await create({ HOST: '::1' })).stdout).toMatch(/^http:\/\/\[::1\]:4010\/welcome#/)
  const unknown = await create({ PORT: '0' })
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toBe('waybill: PORT is 0: set WAYBILL_PUBLIC_URL to the address of the portal\n')
})

test('people are listed, of all accounts or of one', async () => {
  const account = await newAccount(service)
  const other = await newAccount(service)
  const [email, foreign] = [newEmail(), newEmail()]
  const created = await json('create', '--account', account.slug, '--email', email, '--name', 'Kim')
  await json('create', '--account', other.slug, '--email', foreign, '--name', 'Kim')
  const person = { account: account.slug, email, name: 'Kim', role: 'admin' }
  const link = expect.stringMatching(/\/welcome#/) as string
  const person_id = expect.stringMatching(/^per_/) as string
  expect(created).toEqual({ ...person, person_id, link })
  const created_at = expect.any(String) as string
  const listed = await json('list', '--account', account.slug)
  expect(listed).toEqual([{ ...person, person_id, status: 'invited', created_at }])
  const all = (await json('list')) as { email: string }[]
  expect(all.map((each) => each.email)).toEqual(expect.arrayContaining([email, foreign]))
  const { stdout } = await user('list', '--account', account.slug)
  expect(stdout).toMatch(/^ACCOUNT +EMAIL +NAME +ROLE +STATUS +CREATED +LAST_SEEN\n/)
  expect(stdout).toMatch(new RegExp(`\n${account.slug} +${email} +Kim +admin +invited `))
})

test('a disabled person is signed out at once, and can sign in again when enabled', async () => {
  const account = await newAccount(service)
  const { email, token } = await newPerson(service, account, 'member', { hasPassword: true })
  const { portal } = asPerson(serving, token)
  expect((await portal('getSession')).status).toBe(200)
  expect(await user('disable', email.toUpperCase())).toMatchObject({ code: 0, stdout: `Disabled ${email}.\n` })
  expect(await portal('getSession')).toBeRefused('not_signed_in')
  expect(await signIn(email, testPassword)).toBeRefused('sign_in_failed')
  expect(await user('reset', email)).toMatchObject({ code: 1, stdout: '' })
  expect(await json('enable', email)).toEqual({ email, disabled: false })
  const again = await signIn(email, testPassword)
  expect(again.status).toBe(201)
  expect((await asPerson(serving, tokenIn(again)).portal('getSession')).status).toBe(200)
})

test('a reset prints a link; the password stays until a new one is chosen', async () => {
  const account = await newAccount(service)
  const { email } = await newPerson(service, account, 'member', { hasPassword: true })
  const { stdout } = await user('reset', email)
  expect((await signIn(email, testPassword)).status).toBe(201)
  const token = tokenOf(stdout)
  expect((await asVisitor(serving, 'getLink', { body: { token } })).body).toMatchObject({ purpose: 'reset', email })
  await asVisitor(serving, 'useLink', { body: { token, password: 'another password' } })
  expect(await signIn(email, testPassword)).toBeRefused('sign_in_failed')
  expect((await signIn(email, 'another password')).status).toBe(201)
})

test('every user command has a help text', async () => {
  for (const command of [[], ['create'], ['list'], ['disable'], ['enable'], ['reset']]) {
    const { code, stdout } = await user(...command, '--help')
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: ${['waybill', 'user', ...command].join(' ')} `)
  }
})

test('invalid arguments exit with 2, and unknown people or accounts with 1', async () => {
  const { slug } = await newAccount(service)
  const create = ['create', '--account', slug, '--name', 'Kim']
  const nonsense: [string[], RegExp][] = [
    [['create', '--account', slug, '--name', 'Kim'], /required option '--email <address>' not specified/],
    [[...create, '--email', 'kim'], /^waybill: --email kim: not a valid e-mail address\n$/],
    [[...create, '--email', 'kim@example.com', '--role', 'boss'], /^waybill: --role boss: the roles are .+\n$/],
    [[...create, '--email', 'kim@example.com', '--language', 'de'], /^waybill: --language de: the languages are .+\n$/],
    [['create', '--account', slug, '--email', 'kim@example.com', '--name', ''], /^waybill: --name must have .+\n$/],
    [['disable'], /missing required argument 'email'/],
  ]
  for (const [args, message] of nonsense) {
    const { code, stdout, stderr } = await user(...args)
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  }
  const missing: [string[], string][] = [
    [['create', '--account', 'nobody', '--email', newEmail(), '--name', 'K'], 'waybill: there is no account nobody\n'],
    [['list', '--account', 'nobody'], 'waybill: there is no account nobody\n'],
    [['disable', 'nobody@example.com'], 'waybill: there is no person with the address nobody@example.com\n'],
    [['reset', 'nobody@example.com'], 'waybill: there is no person with the address nobody@example.com\n'],
  ]
  for (const [args, stderr] of missing) expect(await user(...args)).toMatchObject({ code: 1, stdout: '', stderr })
})

test('second factors are removed for a person and required of an account', async () => {
  const account = await newAccount(service)
  const { person } = await personWithTotp(service, account)
  expect(await json('remove-factors', person.email)).toEqual({ email: person.email, removed: true })
  expect((await person.portal('getFactors')).body.recovery_codes).toBe(0)
  expect((await user('remove-factors', person.email)).stdout).toBe(`${person.email} has no second factors.\n`)
  const security = async (...args: string[]) => {
    const { stdout } = await runProgram(['account', 'security', account.slug, ...args], { env })
    return stdout
  }
  expect(await security()).toBe('A second factor is optional.\n')
  expect(await security('--second-factor', 'required', '--json')).toBe('{"second_factor_required":true}\n')
  expect(await person.portal('getOverview')).toBeRefused('enrolment_required')
})

test('the log identifies people by their id only', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const { portal, v1 } = asPerson(serving, person.token)
  await portal('getSession')
  await v1('listLocations')
  const linesOf = () =>
    serving
      .stdout()
      .split('\n')
      .filter((line) => line.includes(person.person_id))
  await expect.poll(linesOf).toHaveLength(2)
  expect(linesOf().map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      account: account.slug,
      person: person.person_id,
      route: '/portal/v1/session',
      status: 200,
      msg: 'request completed',
    },
    { account: account.slug, person: person.person_id, route: '/v1/locations', status: 200, msg: 'request completed' },
  ])
  expect(serving.stdout()).not.toContain(person.token)
  expect(serving.stdout()).not.toContain(person.email)
})
