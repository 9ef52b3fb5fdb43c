import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { migrate } from '../../src/database/migrate.js'
import { createAccount } from '../../src/usecases/accounts/create-account.js'
import { line } from '../support/account.js'
import { administer, withDatabase } from '../support/database.js'
import { type Program, runProgram, startProgram, temporaryFolder, until } from '../support/program.js'

/** `npm start`: the service with demo data, at its first and second start. */

const folder = await temporaryFolder()
let port = ''
let baseUrl = ''

async function startSandbox(...args: string[]): Promise<Program> {
  const sandbox = startProgram(['sandbox', '--port', '0', ...args], { env: { WAYBILL_DATA_DIR: folder } })
  await until(() => sandbox.stdout().includes('Stop with Ctrl-C'))
  port = /^Waybill sandbox: http:\S+:(\d+)$/m.exec(sandbox.stdout())?.[1] ?? ''
  baseUrl = `http://127.0.0.1:${port}`
  return sandbox
}

async function stop(sandbox: Program): Promise<void> {
  sandbox.kill('SIGTERM')
  expect((await sandbox.ended).code).toBe(0)
}

function keysIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^ {2}(demo\S*) +(wb_\w+)/gm)].map(([, slug, key]) => [slug, key]))
}

function peopleIn(text: string) {
  const rows = text.matchAll(/^ {2}(\S+@waybill\.example) +(\w+) +of (\S+)$/gm)
  return [...rows].map(([, email = '', role = '', account = '']) => ({ email, role, account }))
}

async function signIn(path: string, body?: object) {
  const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(baseUrl + path, { method: 'POST', ...sent })
  return { status: response.status, body: (await response.json()) as { person?: { person_id: string } } }
}

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(baseUrl + path, { headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}

/** Requests with another Host header. */
function statusFor(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const requested = request({ host: '127.0.0.1', port, path: '/v1/shipments', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    requested.on('error', reject)
    requested.end()
  })
}

test('the sandbox prints keys and a working request, keeps created data, and allows requests without a key from this machine only', async () => {
  const first = await startSandbox()
  const keys = keysIn(first.stdout())
  expect(Object.keys(keys)).toEqual(['demo', 'demo-second', 'demo-empty'])

  const [, address] = /curl '([^']+)'/.exec(first.stdout()) ?? []
  expect(address).toBe(`${baseUrl}/v1/shipments?take=1`)
  const [, operatorKey] = /Bearer (wb_op_\w+)/.exec(first.stdout()) ?? []
  const accounts = await fetch(`${baseUrl}/ops/v1/accounts`, { headers: { authorization: `Bearer ${operatorKey}` } })
  expect(accounts.status).toBe(200)
  const shown = await read('/v1/shipments?take=1')
  expect(shown.status).toBe(200)
  expect(shown.body).toHaveLength(1)
  expect(shown.headers.get('ratelimit')).toBeNull()

  const asKey = (slug: string) => ({ authorization: `Bearer ${keys[slug]}` })
  expect((await read('/v1/shipments?take=1', asKey('demo'))).body).toEqual(shown.body)
  expect((await read('/v1/shipments?take=1', asKey('demo-second'))).body).not.toEqual(shown.body)
  expect(await read('/v1/shipments', asKey('demo-empty'))).toMatchObject({ status: 404 })
  expect(await read('/v1/shipments', { authorization: 'Bearer nonsense' })).toMatchObject({ status: 401 })

  // A foreign page whose name resolves to this machine, and a local proxy, need a key.
  expect(await statusFor({ host: `127.0.0.1:${port}` })).toBe(200)
  expect(await statusFor({ host: `localhost:${port}` })).toBe(200)
  expect(await statusFor({ host: 'evil.example' })).toBe(401)
  expect(await statusFor({ host: `127.0.0.1:${port}`, 'x-forwarded-for': '203.0.113.7' })).toBe(401)

  // The portal's address comes first, and every listed person can sign in.
  expect(first.stdout().indexOf(`${baseUrl}/\n`)).toBeLessThan(first.stdout().indexOf(`${baseUrl}/docs`))
  const people = peopleIn(first.stdout())
  expect(people.map(({ role, account }) => `${role} of ${account}`)).toEqual([
    'admin of demo',
    'member of demo',
    'viewer of demo',
    'admin of demo-second',
    'admin of demo-empty',
  ])
  for (const { email, role, account } of people) {
    const signedIn = await signIn('/portal/v1/session', { email, password: 'waybill-sandbox' })
    expect(signedIn).toMatchObject({ status: 201, body: { person: { email, role }, account: { slug: account } } })
  }
  // So can the forwarder's, at the office only.
  const staff = [...first.stdout().matchAll(/^ {2}(\S+@waybill\.example) +(\w+)$/gm)].map(([, email, role]) => ({
    email,
    role,
  }))
  expect(staff.map(({ role }) => role)).toEqual(['admin', 'operations', 'finance', 'viewer'])
  for (const { email, role } of staff) {
    const asStaff = { email, password: 'waybill-sandbox' }
    expect(await signIn('/office/v1/session', asStaff)).toMatchObject({
      status: 201,
      body: { person: { email, role } },
    })
    expect(await signIn('/portal/v1/session', asStaff)).toMatchObject({ status: 401 })
  }
  const clicked = await signIn('/portal/v1/session/demo')
  expect(clicked).toMatchObject({ status: 201, body: { person: { email: 'demo@waybill.example', name: 'Dana Demo' } } })

  const create = (headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/v1/purchaseOrders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ reference: 'MINE', product_lines: [line()] }),
    })
  // A page of another origin cannot make a browser on this machine write.
  expect((await create({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await create({ origin: 'null' })).status).toBe(403)
  expect((await create({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await create({ origin: baseUrl })).status).toBe(201)
  await stop(first)

  const second = await startSandbox()
  expect(keysIn(second.stdout())).toEqual(keys)
  const { person_id } = clicked.body.person ?? {}
  expect((await signIn('/portal/v1/session/demo')).body.person?.person_id).toBe(person_id)
  expect((await read('/v1/purchaseOrders/MINE')).status).toBe(200)
  expect((await read('/v1/shipments?take=1')).body).toEqual(shown.body)
  await stop(second)
})

test('on a public address, every request to the sandbox needs a key', async () => {
  const sandbox = await startSandbox('--host', '0.0.0.0')
  expect(await read('/v1/shipments')).toMatchObject({ status: 401 })
  expect(await signIn('/portal/v1/session/demo')).toMatchObject({ status: 401 })
  expect(sandbox.stdout()).not.toContain('one click')
  await stop(sandbox)
})

test('`npm start` runs the sandbox, which stops when npm is killed', async () => {
  const npm = startProgram(['start', '--silent'], {
    program: join(dirname(process.execPath), 'npm'),
    cwd: process.cwd(),
    env: { PORT: '0', WAYBILL_DATA_DIR: folder },
  })
  await until(() => npm.stdout().includes('Stop with Ctrl-C'))
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(npm.stdout()) ?? []
  expect((await fetch(`${address}/health/live`)).status).toBe(200)
  npm.kill('SIGTERM')
  await until(() =>
    fetch(address).then(
      () => false,
      () => true,
    ),
  )
})

test('the sandbox refuses a database with other accounts', async () => {
  const name = `waybill_sandbox_${process.pid}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const url = withDatabase(inject('serverUrl'), name)
  const db = openDatabase({ url }, { connections: 1 })
  await migrate(db)
  await createAccount(db, 'acme', 'Acme')
  const refused = await runProgram(['sandbox', '--port', '0'], {
    env: { WAYBILL_DATA_DIR: folder, DATABASE_URL: url },
  })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/^waybill: the database of DATABASE_URL has other accounts/)
  expect(await db`select slug from accounts`).toEqual([{ slug: 'acme' }])
  await db.end()
  await administer(inject('serverUrl'), `drop database ${name} with (force)`)
})
