import { expect, test } from 'vitest'
import { readSettings } from '../src/cli/settings.js'
import { runProgram, temporaryFolder } from './support/program.js'

const folder = await temporaryFolder()

test('without any setting the service listens on this machine only, on its own database, with a rate limit', () => {
  expect(readSettings({})).toEqual({
    port: 4010,
    host: '127.0.0.1',
    databaseUrl: undefined,
    databaseConnections: 10,
    dataFolder: '.waybill',
    rateLimit: 1200,
    publicUrl: undefined,
    logLevel: 'info',
  })
})

test('settings come from the environment, and an empty variable counts as absent', () => {
  const settings = readSettings({
    PORT: '8080',
    HOST: '',
    DATABASE_URL: 'postgresql://waybill@db.example/waybill',
    WAYBILL_DATA_DIR: '/srv/waybill',
    WAYBILL_RATE_LIMIT: '0',
    WAYBILL_PUBLIC_URL: 'https://api.example.com/waybill/',
    WAYBILL_LOG_LEVEL: 'warn',
  })
  expect(settings).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: 'postgresql://waybill@db.example/waybill',
    dataFolder: '/srv/waybill',
    rateLimit: undefined,
    publicUrl: 'https://api.example.com/waybill',
    logLevel: 'warn',
  })
})

const badSettings: [string, string][] = [
  ['PORT', '99999'],
  ['PORT', '80a'],
  ['PORT', '-1'],
  ['PORT', '1.5'],
  ['DATABASE_URL', 'mysql://localhost/waybill'],
  ['DATABASE_URL', 'localhost/waybill'],
  ['WAYBILL_RATE_LIMIT', '-5'],
  ['WAYBILL_RATE_LIMIT', 'many'],
  ['WAYBILL_DATABASE_CONNECTIONS', '1'],
  ['WAYBILL_PUBLIC_URL', 'api.example.com'],
  ['WAYBILL_PUBLIC_URL', 'ftp://api.example.com'],
  ['WAYBILL_LOG_LEVEL', 'loud'],
]

test.each(badSettings)('a bad %s is named: %s', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} is .+: it must be .+`))
})

test.each(['PORT', 'DATABASE_URL', 'WAYBILL_RATE_LIMIT', 'WAYBILL_PUBLIC_URL', 'WAYBILL_LOG_LEVEL'])(
  'serve ends with 2 and one line that names a bad %s',
  async (name) => {
    const ended = await runProgram(['serve'], { env: { WAYBILL_DATA_DIR: folder, [name]: 'nonsense!' } })
    expect(ended.code).toBe(2)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toMatch(new RegExp(`^waybill: ${name} is .+: it must be .+\n$`))
  },
)

test('a bad port on the command line is named too, and wins over the environment', async () => {
  const ended = await runProgram(['serve', '--port', '70000'], { env: { WAYBILL_DATA_DIR: folder, PORT: '0' } })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toBe('waybill: PORT is "70000": it must be a whole number from 0 to 65535\n')
})

const passwords = [
  ['of an unknown scheme', 'mysql://waybill:s3cr3t-word@127.0.0.1:1/waybill', 2],
  ['that nobody answers at', 'postgres://waybill:s3cr3t-word@127.0.0.1:1/waybill', 1],
  ['with a broken escape', 'postgres://waybill:s3cr3t-word%zz@127.0.0.1:1/waybill', 2],
  ['with a port that is none', 'postgres://waybill:s3cr3t-word@127.0.0.1:port/waybill', 2],
] as const

test.each(passwords)('the password of a DATABASE_URL %s is never printed', async (_, url, code) => {
  const ended = await runProgram(['migrate'], { env: { WAYBILL_DATA_DIR: folder, DATABASE_URL: url } })
  expect(`${ended.stdout}${ended.stderr}`).not.toContain('s3cr3t-word')
  expect(ended.stderr).toMatch(/^waybill: .+\n$/)
  expect(ended.code).toBe(code)
})
