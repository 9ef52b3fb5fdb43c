import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readSettings } from '../../src/cli/settings.js'
import { runProgram, temporaryFolder } from '../support/program.js'

const folder = await temporaryFolder()

test('by default the service listens on this machine only, uses the embedded database, and has a rate limit', () => {
  expect(readSettings({})).toEqual({
    port: 4010,
    host: '127.0.0.1',
    databaseUrl: undefined,
    databaseConnections: 10,
    waitForDatabase: 0,
    databaseReadUrls: [],
    readQuorum: 0,
    workers: 1,
    dataFolder: '.waybill',
    documents: undefined,
    rateLimit: 1200,
    quotas: { requests_per_minute: 6000, concurrent_requests: 100, stored_bytes: 0, documents: 0 },
    connectionsPerAddress: 1000,
    statementTimeout: 30_000,
    publicUrl: undefined,
    trustedProxies: expect.objectContaining({ rules: [] }) as unknown,
    operators: 'with customers',
    mail: undefined,
    provider: undefined,
    cacheBytes: 64 * 1024 * 1024,
    requestLogDays: 7,
    auditDays: 365,
    messageDays: 365,
    eventDays: 90,
    replyAddress: undefined,
    feedsFromPrivateAddresses: false,
    offersTracking: false,
    webhooksToPrivateNetworks: false,
    forwarderName: 'Waybill',
    logLevel: 'info',
    metricsToken: undefined,
  })
})

test('settings come from the environment, and an empty variable counts as absent', () => {
  const settings = readSettings({
    PORT: '8080',
    HOST: '',
    DATABASE_URL: 'postgresql://waybill@db.example/waybill',
    DATABASE_READ_URLS: 'postgres://waybill@one.example/waybill, postgresql://two.example:5433/waybill?sslmode=require',
    WAYBILL_DATA_DIR: '/srv/waybill',
    WAYBILL_RATE_LIMIT: '0',
    WAYBILL_PUBLIC_URL: 'https://api.example.com/waybill/',
    WAYBILL_LOG_LEVEL: 'warn',
  })
  expect(settings).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: 'postgresql://waybill@db.example/waybill',
    databaseReadUrls: [
      'postgres://waybill@one.example/waybill',
      'postgresql://two.example:5433/waybill?sslmode=require',
    ],
    dataFolder: '/srv/waybill',
    rateLimit: undefined,
    quotas: { requests_per_minute: 0, concurrent_requests: 100, stored_bytes: 0, documents: 0 },
    publicUrl: 'https://api.example.com/waybill',
    logLevel: 'warn',
  })
})

const addresses: [string, object][] = [
  ['file:///srv/the%20papers', { folder: '/srv/the papers' }],
  [
    's3://KEY:SECRET@s3.eu-west-1.amazonaws.com/papers?region=eu-west-1',
    {
      origin: 'https://s3.eu-west-1.amazonaws.com',
      bucket: 'papers',
      prefix: '',
      region: 'eu-west-1',
      accessKey: 'KEY',
      secret: 'SECRET',
    },
  ],
  [
    's3://K%2FEY:a%2Fb%40c%3A%2B%25@127.0.0.1:9000/papers/waybill/Z%C3%BCrich%202/?tls=off',
    {
      origin: 'http://127.0.0.1:9000',
      bucket: 'papers',
      prefix: 'waybill/Zürich 2/',
      region: 'us-east-1',
      accessKey: 'K/EY',
      secret: 'a/b@c:+%',
    },
  ],
  ['s3://KEY:SECRET@[::1]:9000/papers?tls=on', { origin: 'https://[::1]:9000', bucket: 'papers', prefix: '' }],
]

test.each(addresses)('WAYBILL_DOCUMENTS sets the document storage: %s', (address, expected) => {
  expect(readSettings({ WAYBILL_DOCUMENTS: address }).documents).toMatchObject(expected)
})

const badAddresses = [
  'papers',
  '/srv/papers',
  'file:papers',
  'file://server/papers',
  'file:///srv/papers?region=x',
  'https://KEY:s3cr3t-word@s3.example/papers',
  's3://s3.example/papers',
  's3://KEY@s3.example/papers',
  's3://:s3cr3t-word@s3.example/papers',
  's3://KEY:s3cr3t-word@/papers',
  's3://KEY:s3cr3t-word@s3.example',
  's3://KEY:s3cr3t-word@s3.example/',
  's3://KEY:s3cr3t-word@s3.example/pa pers',
  's3://KEY:s3cr3t-word@s3.example/papers//deep',
  's3://KEY:s3cr3t-word@s3.example/papers/a%2F..%2F..%2Fothers',
  's3://KEY:s3cr3t-word@s3.example/papers/a%0Ab',
  's3://KEY:s3cr3t-word@s3.example/papers#part',
  's3://KEY:s3cr3t-word@s3.example/papers?tls=no',
  's3://KEY:s3cr3t-word@s3.example/papers?regoin=eu-west-1',
  's3://KEY:s3cr3t-word@s3.example/papers?region=eu/west',
  's3://KEY:s3cr3t-word@s3.example:port/papers',
  's3://KEY:s3cr3t-word%zz@s3.example/papers',
  's3://KEY:s3cr3t-word%0A@s3.example/papers',
  's3://KEY:s3cr3t/word@s3.example/papers',
]

test.each(badAddresses)('an invalid WAYBILL_DOCUMENTS is named and not printed: %s', (address) => {
  const read = () => readSettings({ WAYBILL_DOCUMENTS: address })
  expect(read).toThrow(/^WAYBILL_DOCUMENTS is "\.\.\.": it must be s3:\/\/\S+ .+ or file:\/\/\/FOLDER$/)
  expect(read).not.toThrow(/s3cr3t/)
})

const mailServers: [string, object][] = [
  [
    'smtps://portal:p%40ss%3Aword@mail.example',
    { host: 'mail.example', port: 465, tls: 'implicit', credentials: { user: 'portal', pass: 'p@ss:word' } },
  ],
  ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'starttls', credentials: undefined }],
  ['smtp://[::1]:2525/?tls=off', { host: '::1', port: 2525, tls: 'off', credentials: undefined }],
]

test.each(mailServers)('WAYBILL_SMTP_URL sets the mail server: %s', (address, server) => {
  const from = 'Harbour & Sons <portal@forwarder.example>'
  const environment = {
    WAYBILL_SMTP_URL: address,
    WAYBILL_MAIL_FROM: from,
    WAYBILL_PUBLIC_URL: 'https://portal.example',
  }
  expect(readSettings(environment).mail).toEqual({ server, from })
})

test.each([
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://portal:s3cr3t-word@mail.example/path',
  'smtp://portal@mail.example',
  'smtp://:s3cr3t-word@mail.example',
  'smtp://portal:s3cr3t-word@mail.example?tls=no',
  'smtp://portal:s3cr3t-word@mail.example?pool=true',
  'smtps://portal:s3cr3t-word@mail.example?tls=off',
  'smtp://portal:s3cr3t-word%zz@mail.example',
  'smtp://portal:s3cr3t-word@mail.example:port',
])('an invalid WAYBILL_SMTP_URL is named and not printed: %s', (address) => {
  const others = { WAYBILL_MAIL_FROM: 'portal@forwarder.example', WAYBILL_PUBLIC_URL: 'https://portal.example' }
  const read = () => readSettings({ ...others, WAYBILL_SMTP_URL: address })
  expect(read).toThrow(/^WAYBILL_SMTP_URL is "\.\.\.": it must be smtps:\/\/.+ or smtp:\/\//)
  expect(read).not.toThrow(/s3cr3t/)
})

test.each(['nobody', 'a@b, c@d', '<a@b', 'Name <nobody>'])('an invalid WAYBILL_MAIL_FROM is named: %s', (from) => {
  const others = { WAYBILL_SMTP_URL: 'smtp://mail.example', WAYBILL_PUBLIC_URL: 'https://portal.example' }
  const read = () => readSettings({ ...others, WAYBILL_MAIL_FROM: from })
  expect(read).toThrow(/^WAYBILL_MAIL_FROM is .+: it must be an e-mail address, or NAME <ADDRESS>$/)
})

const provider = {
  WAYBILL_OIDC_ISSUER: 'https://id.northwind.example',
  WAYBILL_OIDC_CLIENT_ID: 'waybill',
  WAYBILL_OIDC_CLIENT_SECRET: 's3cr3t-word',
  WAYBILL_OIDC_NAME: 'Northwind ID',
}

test('the sign-in provider needs all of its settings or none', () => {
  expect(readSettings(provider).provider).toEqual({
    issuer: 'https://id.northwind.example',
    clientId: 'waybill',
    clientSecret: 's3cr3t-word',
    name: 'Northwind ID',
  })
  for (const name of Object.keys(provider)) {
    const read = () => readSettings({ ...provider, [name]: '' })
    expect(read).toThrow(new RegExp(`^${name} is "": it must be set together with WAYBILL_OIDC_`))
    expect(read).not.toThrow(/s3cr3t/)
  }
  expect(() => readSettings({ WAYBILL_SMTP_URL: 'smtp://mail.example' })).toThrow(
    'WAYBILL_MAIL_FROM is "": it must be set together with WAYBILL_SMTP_URL',
  )
  expect(() => readSettings({ WAYBILL_SMTP_URL: 'smtp://mail.example', WAYBILL_MAIL_FROM: 'a@b.example' })).toThrow(
    'WAYBILL_PUBLIC_URL is "": it must be set together with WAYBILL_SMTP_URL',
  )
})

test.each(['id.northwind.example', 'http://id.northwind.example', 'ftp://127.0.0.1'])(
  'the provider %s is refused: it must use TLS unless it is on this machine',
  (issuer) => {
    expect(() => readSettings({ ...provider, WAYBILL_OIDC_ISSUER: issuer })).toThrow(
      /^WAYBILL_OIDC_ISSUER is .+: it must be/,
    )
    expect(readSettings({ ...provider, WAYBILL_OIDC_ISSUER: 'http://127.0.0.1:3000' }).provider).toBeDefined()
  },
)

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
  ['WAYBILL_WAIT_FOR_DATABASE', '60s'],
  ['WAYBILL_WORKERS', '0'],
  ['WAYBILL_WORKERS', 'max'],
  ['WAYBILL_WORKERS', '-1'],
  ['WAYBILL_PUBLIC_URL', 'api.example.com'],
  ['WAYBILL_PUBLIC_URL', 'ftp://api.example.com'],
  ['WAYBILL_TRUSTED_PROXIES', 'proxy.example'],
  ['WAYBILL_TRUSTED_PROXIES', '10.0.0.5, 10.0.0.0/33'],
  ['WAYBILL_TRUSTED_PROXIES', '10.0.0.0/8/8'],
  ['WAYBILL_TRUSTED_PROXIES', 'fe80::1%eth0'],
  ['WAYBILL_LOG_LEVEL', 'loud'],
]

test.each(badSettings)('an invalid %s is named: %s', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} is .+: it must be .+`))
})

test.each(['s3cr3t-word', 's3cr3t word with spaces', 's3cr3t-wörd-of-many-letters'])(
  'an invalid WAYBILL_METRICS_TOKEN is named and not printed: %s',
  (token) => {
    const read = () => readSettings({ WAYBILL_METRICS_TOKEN: token })
    expect(read).toThrow(/^WAYBILL_METRICS_TOKEN is "\.\.\.": it must be at least 16 printable/)
    expect(readSettings({ WAYBILL_METRICS_TOKEN: 's3cr3t-word-of-many-letters' }).metricsToken).toBeDefined()
  },
)

test('WAYBILL_WORKERS is a number of workers, or auto for one per core', () => {
  const DATABASE_URL = 'postgres://waybill@db.example/waybill'
  expect(readSettings({ WAYBILL_WORKERS: '3' }).workers).toBe(3)
  expect(readSettings({ DATABASE_URL, WAYBILL_WORKERS: '64' }).workers).toBe(64)
  expect(readSettings({ DATABASE_URL, WAYBILL_WORKERS: 'auto' }).workers).toBe(availableParallelism())
})

const badReadUrls: [string, number][] = [
  ['postgres://one.example/waybill,mysql://waybill:s3cr3t-word@two.example/waybill', 2],
  ['postgres://waybill:s3cr3t-word%zz@one.example/waybill,postgres://two.example/waybill', 1],
  // Several hosts in one URL are not supported: each URL names one server.
  ['postgres://waybill:s3cr3t-word@one.example,two.example/waybill', 2],
  ['postgres://waybill:s3cr3t-word@one.example/waybill,', 2],
]

test.each(badReadUrls)(
  'an invalid URL in DATABASE_READ_URLS is reported by its position and not printed: %s',
  (text, place) => {
    expect(() => readSettings({ DATABASE_READ_URLS: text })).toThrow(
      'DATABASE_READ_URLS is "...": it must be valid addresses that start with postgres:// or postgresql://, ' +
        `separated by commas; number ${place} is not valid`,
    )
  },
)

test('a quorum of more servers than there are is refused', () => {
  const DATABASE_READ_URLS = 'postgres://one.example/waybill,postgres://two.example/waybill'
  expect(readSettings({ DATABASE_READ_URLS, DATABASE_READ_QUORUM: '2' }).readQuorum).toBe(2)
  expect(() => readSettings({ DATABASE_READ_URLS, DATABASE_READ_QUORUM: '3' })).toThrow(
    'DATABASE_READ_QUORUM is "3": it must be a whole number from 0 to 2',
  )
})

test('more workers than the embedded database has connections for are refused', () => {
  expect(() => readSettings({ WAYBILL_WORKERS: '10' })).toThrow(
    'WAYBILL_WORKERS is "10": it must be auto or a whole number from 1 to 9 (90 connections, 10 for each)',
  )
  const fewer = { WAYBILL_DATABASE_CONNECTIONS: '5', WAYBILL_WORKERS: '18' }
  expect(readSettings(fewer).workers).toBe(18)
  expect(readSettings({ WAYBILL_DATABASE_CONNECTIONS: '90', WAYBILL_WORKERS: 'auto' }).workers).toBe(1)
})

test.each([
  'PORT',
  'DATABASE_URL',
  'DATABASE_READ_URLS',
  'WAYBILL_DOCUMENTS',
  'WAYBILL_WORKERS',
  'WAYBILL_RATE_LIMIT',
  'WAYBILL_PUBLIC_URL',
  'WAYBILL_LOG_LEVEL',
])('serve exits with 2 and one line that names an invalid %s', async (name) => {
  const ended = await runProgram(['serve'], { env: { WAYBILL_DATA_DIR: folder, [name]: 'nonsense!' } })
  expect(ended.code).toBe(2)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toMatch(new RegExp(`^waybill: ${name} is .+: it must be .+\n$`))
})

test('an invalid port on the command line is named, too, and takes precedence over the environment', async () => {
  const ended = await runProgram(['serve', '--port', '70000'], { env: { WAYBILL_DATA_DIR: folder, PORT: '0' } })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toBe('waybill: PORT is "70000": it must be a whole number from 0 to 65535\n')
})

const passwords = [
  ['of an unknown scheme', 'mysql://waybill:s3cr3t-word@127.0.0.1:1/waybill', 2],
  ['of an unreachable server', 'postgres://waybill:s3cr3t-word@127.0.0.1:1/waybill', 1],
  ['with a broken escape', 'postgres://waybill:s3cr3t-word%zz@127.0.0.1:1/waybill', 2],
  ['with an invalid port', 'postgres://waybill:s3cr3t-word@127.0.0.1:port/waybill', 2],
] as const

test.each(passwords)('the password of a DATABASE_URL %s is never printed', async (_, url, code) => {
  const ended = await runProgram(['migrate'], { env: { WAYBILL_DATA_DIR: folder, DATABASE_URL: url } })
  expect(`${ended.stdout}${ended.stderr}`).not.toContain('s3cr3t-word')
  expect(ended.stderr).toMatch(/^waybill: .+\n$/)
  expect(ended.code).toBe(code)
})
