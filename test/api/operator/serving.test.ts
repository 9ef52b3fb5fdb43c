import { expect, inject, test } from 'vitest'
import { operatorOperationNames, operatorOperations } from '../../../src/contract/operator/operations.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { runProgram, startServing, temporaryFolder, until } from '../../support/program.js'
import { startService } from '../../support/service.js'

const service = await startService()
const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: await temporaryFolder() }

async function get(baseUrl: string, path: string, key?: string) {
  const headers = new Headers(key === undefined ? {} : { authorization: `Bearer ${key}` })
  const response = await fetch(baseUrl + path, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The two addresses of a program that serves operators separately. */
async function startApart(more: Record<string, string> = {}) {
  const serving = await startServing({ env: { ...env, WAYBILL_OPS_PORT: '0', ...more } })
  const addresses = () => [...serving.stdout().matchAll(/Server listening at (http:[^"]+)"/g)].map(([, url]) => url)
  await until(() => addresses().length === 2)
  const [customers, operators] = addresses() as [string, string]
  return { ...serving, customers, operators }
}

test('by default operators and customers share an address', async () => {
  const { key } = await newOperator(service)
  const customer = await newAccount(service)
  const { baseUrl } = await startServing({ env })
  expect((await get(baseUrl, '/ops/v1/operator', key)).status).toBe(200)
  expect((await get(baseUrl, '/v1/locations', customer.key)).status).toBe(200)
  expect((await get(baseUrl, '/ops/docs/')).status).toBe(200)
  expect((await get(baseUrl, '/')).headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('on separate ports, neither side serves the interface of the other', async () => {
  const { key } = await newOperator(service)
  const customer = await newAccount(service)
  const { customers, operators, kill, ended } = await startApart()
  expect(new URL(operators).hostname).toBe('127.0.0.1')
  expect((await get(operators, '/ops/v1/operator', key)).status).toBe(200)
  expect((await get(customers, '/v1/locations', customer.key)).status).toBe(200)

  for (const path of ['/v1/locations', '/v1/shipments/S', '/docs', '/openapi.json', '/v1']) {
    expect(await get(operators, path, customer.key), path).toBeRefused('path_not_found')
  }
  const paths = operatorOperationNames.map((name) => operatorOperations[name].path.replaceAll(/\{\w+\}/g, 'x'))
  for (const path of [...paths, '/ops', '/ops/', '/ops/v1', '/ops/docs', '/ops/docs/', '/ops/openapi.json']) {
    expect(await get(customers, path, key), path).toBeRefused('path_not_found')
  }
  for (const baseUrl of [customers, operators]) {
    expect((await get(baseUrl, '/health/ready')).status).toBe(200)
    expect((await get(baseUrl, '/errors/insufficient_role')).status).toBe(200)
  }
  for (const path of ['/', '/ops', '/ops/']) {
    expect((await get(operators, path)).headers.get('location'), path).toBe('/ops/docs/')
  }
  kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, signal: null })
})

test('a write on one port is visible on the other at once', async () => {
  const customer = await newAccount(service)
  const { key } = await newOperator(service)
  const { customers, operators } = await startApart()
  const created = await fetch(`${operators}/ops/v1/accounts/${customer.slug}/locations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Shop' }),
  })
  expect(created.status).toBe(201)
  expect(JSON.parse((await get(customers, '/v1/locations', customer.key)).text)).toEqual([{ id: 1, name: 'Shop' }])
})

test("the log names the account of an operator's request, and none for an unauthenticated one", async () => {
  const { slug } = await newAccount(service)
  const { key, operator_id } = await newOperator(service)
  const { baseUrl, stdout } = await startServing({ env })
  await get(baseUrl, `/ops/v1/accounts/${slug}/shipments`, key)
  await get(baseUrl, '/ops/v1/accounts', key)
  await get(baseUrl, `/ops/v1/accounts/${slug}/locations`, 'wb_op_unknown')
  type Logged = { msg: string; account?: string; operator?: string; route?: string }
  const lines = () =>
    stdout()
      .split('\n')
      .filter((text) => text.includes('"request completed"'))
  await until(() => lines().length >= 3)
  const logged = lines().map((text) => JSON.parse(text) as Logged)
  const of = (route: string) => logged.find((each) => each.route === route)
  expect(of('/ops/v1/accounts/:account/shipments')).toMatchObject({ account: slug, operator: operator_id })
  expect(of('/ops/v1/accounts')).not.toHaveProperty('account')
  expect(of('/ops/v1/accounts/:account/locations')).not.toHaveProperty('account')
})

test('WAYBILL_OPS=off disables the operator interface, even with a port', async () => {
  const { key } = await newOperator(service)
  const customer = await newAccount(service)
  const serving = await startServing({ env: { ...env, WAYBILL_OPS: 'off', WAYBILL_OPS_PORT: '0' } })
  expect((await get(serving.baseUrl, '/v1/locations', customer.key)).status).toBe(200)
  for (const path of ['/ops/v1/operator', '/ops/v1/accounts', '/ops/docs', '/ops/openapi.json']) {
    expect(await get(serving.baseUrl, path, key), path).toBeRefused('path_not_found')
  }
  serving.kill('SIGTERM')
  await serving.ended
  expect(serving.stdout().match(/Server listening/g)).toHaveLength(1)
})

test.each([
  [{ WAYBILL_OPS: 'no' }, 'WAYBILL_OPS is "no": it must be on or off'],
  [{ WAYBILL_OPS_PORT: '70000' }, 'WAYBILL_OPS_PORT is "70000": it must be a whole number from 0 to 65535'],
  [{ WAYBILL_OPS_PORT: 'x', WAYBILL_OPS: 'off' }, 'WAYBILL_OPS_PORT is "x"'],
  [{ WAYBILL_OPS_HOST: '10.0.0.1' }, 'WAYBILL_OPS_HOST is "10.0.0.1": it must be set together with WAYBILL_OPS_PORT'],
])('the settings %j are refused at startup', async (settings, message) => {
  const ended = await runProgram(['serve'], { env: { ...env, PORT: '0', ...(settings as Record<string, string>) } })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain(message)
})

test('an operator port in use is named, and nothing keeps listening', async () => {
  const taken = new URL(service.baseUrl).port
  const ended = await runProgram(['serve'], { env: { ...env, PORT: '0', WAYBILL_OPS_PORT: taken } })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain(`127.0.0.1:${taken} is in use`)
  expect(ended.stderr).toContain('WAYBILL_OPS_PORT')
})

test('`operator create` prints only the key, `list` shows everything but the key, and `revoke` takes effect at once', async () => {
  const created = await runProgram(['operator', 'create', '--name', 'Jonas Petersen', '--role', 'finance'], { env })
  expect(created).toMatchObject({ code: 0, stderr: '' })
  expect(created.stdout).toMatch(/^wb_op_\w+\n$/)
  const key = created.stdout.trim()
  const who = await get(service.baseUrl, '/ops/v1/operator', key)
  expect(JSON.parse(who.text)).toMatchObject({ name: 'Jonas Petersen', role: 'finance' })
  const { operator_id } = JSON.parse(who.text) as { operator_id: string }

  const listed = await runProgram(['operator', 'list'], { env })
  expect(listed.stdout).toContain(operator_id)
  expect(listed.stdout).toContain(key.slice(-4))
  expect(listed.stdout).not.toContain(key)
  const rows = JSON.parse((await runProgram(['operator', 'list', '--json'], { env })).stdout) as object[]
  expect(rows).toContainEqual(expect.objectContaining({ operator_id, name: 'Jonas Petersen', role: 'finance' }))

  const revoked = await runProgram(['operator', 'revoke', operator_id], { env })
  expect(revoked).toMatchObject({ code: 0, stdout: `Revoked the operator ${operator_id}.\n` })
  expect(await get(service.baseUrl, '/ops/v1/operator', key)).toBeRefused('invalid_key')
  expect((await runProgram(['operator', 'revoke', 'op_none'], { env })).code).toBe(1)
})

test('an operator has the role operations by default, can be created with JSON output, and may expire', async () => {
  const flags = ['--name', 'TMS', '--expires', '2999-01-31', '--json']
  const { stdout } = await runProgram(['operator', 'create', ...flags], { env })
  const { key, operator_id } = JSON.parse(stdout) as { key: string; operator_id: string }
  const who = await get(service.baseUrl, '/ops/v1/operator', key)
  expect(JSON.parse(who.text)).toEqual({
    operator_id,
    name: 'TMS',
    role: 'operations',
    expires_at: '2999-02-01T00:00:00.000Z',
  })
})

test.each([
  [['--role', 'admin'], '--name'],
  [['--name', ' '], '--name must have 1 to 255 characters'],
  [['--name', 'N', '--role', 'boss'], 'the roles are admin, operations, finance, viewer'],
  [['--name', 'N', '--expires', 'soon'], '--expires soon'],
])('`operator create %j` is refused', async (flags, message) => {
  const ended = await runProgram(['operator', 'create', ...flags], { env })
  expect(ended.code).toBe(2)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toContain(message)
})
