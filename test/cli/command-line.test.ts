import { expect, test } from 'vitest'
import { isApiKey } from '../../src/domain/accounts/api-key.js'
import { runProgram, startServing, temporaryFolder } from '../support/program.js'

/** The commands next to a running service, on the same data folder and its embedded database. */
const folder = await temporaryFolder()
const env = { WAYBILL_DATA_DIR: folder }
const serving = await startServing({ env })

async function waybill(...args: string[]) {
  return runProgram(args, { env })
}

const commands = [
  [],
  ['sandbox'],
  ['serve'],
  ['migrate'],
  ['account'],
  ['account', 'create'],
  ['account', 'list'],
  ['account', 'quota'],
  ['key'],
  ['key', 'create'],
  ['key', 'list'],
  ['key', 'rotate'],
  ['key', 'revoke'],
  ['feed'],
  ['feed', 'add'],
  ['feed', 'list'],
  ['webhook'],
  ['webhook', 'create'],
  ['webhook', 'replay'],
  ['audit'],
  ['audit', 'export'],
  ['user'],
  ['import'],
  ['export'],
  ['generate'],
  ['secret'],
  ['secret', 'renew'],
  ['doctor'],
]

test('every command has a help text', async () => {
  const ended = await Promise.all(commands.map((command) => waybill(...command, '--help')))
  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    const command = commands[index] as string[]
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: ${['waybill', ...command].join(' ')} `)
  }
})

test('invalid arguments exit with 2 and an error on standard error', async () => {
  const nonsense: [string[], RegExp][] = [
    [['fly'], /unknown command 'fly'/],
    [['account', 'fly'], /unknown command 'fly'\n\(--help after a command lists what it accepts\)\n$/],
    [['serve', '--fast'], /unknown option '--fast'/],
    [['account', 'create', '--name', 'x'], /missing required argument 'slug'/],
    [
      ['account', 'quota', 'acme', '--documents', 'many'],
      /^waybill: a quota must be a whole number or default, not many\n$/,
    ],
    [['account', 'create', 'acme'], /required option '--name <name>' not specified/],
    [['account', 'create', 'Not A Slug', '--name', 'x'], /^waybill: the slug may contain .+\n$/],
    [['account', 'create', 'acme', '--name', ''], /^waybill: the name must not be empty\n$/],
    [['key', 'create'], /required option '--account <slug>' not specified/],
    [['key', 'create', '--account', 'x', '--scope', 'read,admin'], /^waybill: --scope read,admin: .+\n$/],
    [['key', 'create', '--account', 'x', '--scope', ''], /^waybill: --scope .+\n$/],
    [['key', 'create', '--account', 'x', '--expires', 'tomorrow'], /^waybill: --expires tomorrow: .+\n$/],
    [['key', 'create', '--account', 'x', '--expires', '2027-02-30'], /^waybill: --expires 2027-02-30: .+\n$/],
    [['key', 'create', '--account', 'x', '--expires', '2027-01-01T00:00:00'], /^waybill: --expires .+\n$/],
    [['key', 'create', '--account', 'x', '--network', '10.0.0.0/99'], /^waybill: --network 10\.0\.0\.0\/99: .+\n$/],
    [['audit', 'export', '--kind', 'x'], /^waybill: --kind must be one of: .+\n$/],
    [['key', 'revoke'], /missing required argument 'key_id'/],
    [['import'], /missing required argument 'file'/],
    [['export'], /required option '--account <slug>' not specified/],
    [['generate', '--accounts', 'many'], /^waybill: --accounts many: .+\n$/],
    [['generate', '--shipments', '-1'], /^waybill: --shipments -1: .+\n$/],
    [['generate', '--today', '2026-13-01'], /^waybill: --today 2026-13-01: .+\n$/],
  ]
  const ended = await Promise.all(nonsense.map(([args]) => waybill(...args)))
  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    const [args, message] = nonsense[index] as [string[], RegExp]
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^ +at /m)
  }
})

test('without a command the help is printed', async () => {
  const { code, stdout, stderr } = await waybill()
  expect(code).toBe(2)
  expect(`${stdout}${stderr}`).toContain('Usage: waybill ')
})

test('accounts are created once, and listed', async () => {
  expect(await waybill('account', 'create', 'one', '--name', 'One Ltd')).toMatchObject({
    code: 0,
    stdout: 'Created the account one.\n',
    stderr: '',
  })
  const created = await waybill('account', 'create', 'two', '--name', 'Zwei GmbH', '--json')
  expect(JSON.parse(created.stdout)).toEqual({ slug: 'two', name: 'Zwei GmbH' })
  expect(await waybill('account', 'create', 'one', '--name', 'Other')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'waybill: the account one already exists\n',
  })

  const listed = JSON.parse((await waybill('account', 'list', '--json')).stdout) as { slug: string }[]
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string
  expect(listed).toContainEqual({ slug: 'one', name: 'One Ltd', created_at: date })
  expect(listed).toContainEqual({ slug: 'two', name: 'Zwei GmbH', created_at: date })
  expect((await waybill('account', 'list')).stdout).toMatch(/^SLUG +NAME +CREATED_AT\n(?:.+\n)*one +One Ltd +\S+\n/)
})

test('a new key is printed alone, works at once, and is refused by the running service once it is revoked', async () => {
  await waybill('account', 'create', 'keyed', '--name', 'Keyed')
  const created = await waybill('key', 'create', '--account', 'keyed')
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const key = created.stdout.slice(0, -1)
  expect(created.stdout).toBe(`${key}\n`)
  expect(isApiKey('account', key)).toBe(true)
  expect(await request(key)).toBe(200)

  const [listed] = await keysOf('keyed')
  expect(listed).toMatchObject({ account: 'keyed', name: null, hint: key.slice(-4), scopes: ['read', 'write'] })
  expect(JSON.stringify(listed)).not.toContain(key)

  const keyId = listed?.key_id as string
  expect(await waybill('key', 'revoke', keyId)).toMatchObject({ code: 0, stdout: `Revoked the key ${keyId}.\n` })
  expect(await request(key)).toBe(401)
  const [revoked] = await keysOf('keyed')
  expect(revoked?.revoked_at).toEqual(expect.any(String))

  const again = await waybill('key', 'revoke', keyId, '--json')
  expect(JSON.parse(again.stdout)).toEqual({ key_id: keyId, revoked: true })
  expect((await keysOf('keyed'))[0]?.revoked_at).toBe(revoked?.revoked_at)
})

test('a rotated key is printed, works beside the old one, and both acts are exported from the audit log', async () => {
  await waybill('account', 'create', 'rotated', '--name', 'Rotated')
  const flags = ['--scope', 'orders:read', '--network', '127.0.0.0/8,::1', '--name', 'ERP']
  const old = (await waybill('key', 'create', '--account', 'rotated', ...flags)).stdout.trim()
  const [{ key_id } = { key_id: '' }] = await keysOf('rotated')
  const rotated = await waybill('key', 'rotate', key_id)
  expect(rotated).toMatchObject({ code: 0, stderr: '' })
  for (const key of [old, rotated.stdout.trim()]) expect(await request(key)).toBe(200)
  expect(await keysOf('rotated')).toMatchObject([
    { key_id, expires_at: expect.any(String) as string },
    { name: 'ERP', scopes: ['orders:read'], networks: ['127.0.0.0/8', '::1'], replaces: key_id, expires_at: null },
  ])
  expect(await waybill('key', 'rotate', 'key_none')).toMatchObject({
    code: 1,
    stderr: 'waybill: there is no key key_none\n',
  })

  const exported = await waybill('audit', 'export', '--account', 'rotated', '--kind', 'key')
  const lines = exported.stdout.trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { action: string; actor: string; subject: string })
  expect(entries.map(({ action, actor, subject }) => [action, actor, subject])).toEqual([
    ['key_rotated', 'command-line', key_id],
    ['key_created', 'command-line', key_id],
  ])
  const own = await waybill('audit', 'export', '--kind', 'setting')
  expect(own.stdout).toContain('"subject":"rotated"')
})

test('a key has the given scopes, name and expiry', async () => {
  await waybill('account', 'create', 'scoped', '--name', 'Scoped')
  const flags = ['--scope', 'read', '--name', 'Nightly sync', '--expires', '2999-12-31T23:00:00+01:00', '--json']
  const created = await waybill('key', 'create', '--account', 'scoped', ...flags)
  const { key, ...rest } = JSON.parse(created.stdout) as { key: string; key_id: string }
  expect(rest).toEqual({ account: 'scoped', key_id: expect.stringMatching(/^key_/) as string, scopes: ['read'] })
  expect(await request(key)).toBe(200)
  expect(await request(key, { method: 'POST', body: '{}' })).toBe(403)
  expect(await keysOf('scoped')).toMatchObject([
    { key_id: rest.key_id, name: 'Nightly sync', scopes: ['read'], expires_at: '2999-12-31T22:00:00.000Z' },
  ])
  expect((await waybill('key', 'list', '--account', 'scoped')).stdout).toMatch(
    /^KEY_ID +ACCOUNT +NAME .+\n.+Nightly sync/,
  )

  const writer = (await waybill('key', 'create', '--account', 'scoped', '--scope', 'write')).stdout.trim()
  expect(await request(writer)).toBe(403)
  expect(await request(writer, { method: 'POST', body: '{}' })).toBe(400)

  const expired = await waybill('key', 'create', '--account', 'scoped', '--expires', '2020-01-01')
  expect(expired).toMatchObject({
    code: 0,
    stderr: 'waybill: --expires 2020-01-01 is in the past: the key does not work\n',
  })
  expect(await request(expired.stdout.trim())).toBe(401)
})

test('unknown accounts, keys and files are reported in one line, with exit code 1', async () => {
  const failures: [string[], string][] = [
    [['key', 'create', '--account', 'nobody'], 'waybill: there is no account nobody\n'],
    [['key', 'list', '--account', 'nobody'], 'waybill: there is no account nobody\n'],
    [['key', 'revoke', 'key_none'], 'waybill: there is no key key_none\n'],
    [['import', 'none.ndjson'], 'waybill: there is no file none.ndjson\n'],
  ]
  for (const [args, stderr] of failures) expect(await waybill(...args)).toMatchObject({ code: 1, stdout: '', stderr })
})

test('an import next to the running service is visible at once', async () => {
  await waybill('account', 'create', 'fed', '--name', 'Fed')
  const key = (await waybill('key', 'create', '--account', 'fed')).stdout.trim()
  const input = JSON.stringify({ kind: 'location', account: 'fed', data: { id: 1 } })
  expect((await runProgram(['import', '-'], { env, input })).code).toBe(0)
  const response = await fetch(`${serving.baseUrl}/v1/locations`, { headers: { authorization: `Bearer ${key}` } })
  expect(await response.json()).toEqual([{ id: 1 }])
})

async function request(key: string, options: RequestInit = {}): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(options.body !== undefined && { 'content-type': 'application/json' }),
  }
  const response = await fetch(`${serving.baseUrl}/v1/purchaseOrders`, { headers, ...options })
  await response.arrayBuffer()
  return response.status
}

type ListedKey = { key_id: string; account: string; name: string | null; hint: string; revoked_at: string | null }

async function keysOf(account: string): Promise<ListedKey[]> {
  return JSON.parse((await waybill('key', 'list', '--account', account, '--json')).stdout) as ListedKey[]
}

test('the quotas of an account are set, shown with what it uses, and returned to the default', async () => {
  await waybill('account', 'create', 'quota', '--name', 'Quota Ltd')
  const documents = async (...args: string[]) => {
    const { stdout } = await waybill('account', 'quota', 'quota', ...args, '--json')
    return (JSON.parse(stdout) as { quota: string }[]).find(({ quota }) => quota === 'documents')
  }
  expect(await documents('--documents', '5')).toEqual({ quota: 'documents', limit: 5, is_default: false, used: 0 })
  expect(await documents()).toMatchObject({ limit: 5 })
  expect(await documents('--documents', 'default')).toMatchObject({ limit: 0, is_default: true })
})
