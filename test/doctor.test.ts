import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, inject, onTestFinished, test } from 'vitest'
import { judgeRoom } from '../src/cli/doctor/documents-check.js'
import { settingNames } from '../src/cli/settings.js'
import { schemaVersion } from '../src/storage/migrate.js'
import { startBucket } from './support/bucket.js'
import { startProvider } from './support/company-provider.js'
import { administer, withDatabase } from './support/database.js'
import { newInstallation, newInstallationOnServer, waybill } from './support/installation.js'
import { runProgram, startServing } from './support/program.js'

/** `waybill doctor` on installations that are well, and on those that are not. */

type Finding = { subject: string; state: string; what: string; mend?: string }

async function doctor(env: Record<string, string>, nodeOptions: string[] = []) {
  const { code, stdout, stderr } = await runProgram(['doctor', '--json'], { env: { PORT: '0', ...env }, nodeOptions })
  expect(stderr, stdout).toMatch(code === 0 ? /^$/ : /^waybill: \d+ wrong, \d+ to look at\n$/)
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  const isWrong = findings.some(({ state }) => state === 'wrong')
  expect({ code, ok }).toEqual({ code: isWrong ? 1 : 0, ok: !isWrong })
  for (const { state, what, mend } of findings) {
    expect(what).not.toMatch(/\n/)
    expect(mend !== undefined).toBe(state === 'wrong' || state === 'warning')
  }
  return {
    text: stdout,
    /** What is said of something. */
    of: (subject: string) => findings.filter((finding) => finding.subject === subject),
    states: () => new Map(findings.map(({ subject, state }) => [subject, state])),
  }
}

async function startMailServer() {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 's3cr3t-word' ? done(null, { user: username }) : done(new Error('wrong password')),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return (server.server.address() as AddressInfo).port
}

const others = { WAYBILL_MAIL_FROM: 'portal@forwarder.example', WAYBILL_PUBLIC_URL: 'https://portal.example' }

test('an installation that is well is found to be, and nothing of the examination stays behind', async () => {
  const { env } = await newInstallationOnServer()
  const [bucket, mailPort] = [await startBucket(), await startMailServer()]
  const provider = await startProvider({ emailIn: 'ID token' })
  provider.trust('https://portal.example')
  const serving = await startServing({ env })
  const found = await doctor({
    ...env,
    ...others,
    PORT: new URL(serving.baseUrl).port,
    WAYBILL_OPS: 'off',
    WAYBILL_DOCUMENTS: bucket.url,
    WAYBILL_SMTP_URL: `smtp://waybill:s3cr3t-word@127.0.0.1:${mailPort}?tls=off`,
    WAYBILL_OIDC_ISSUER: provider.settings.issuer,
    WAYBILL_OIDC_CLIENT_ID: 'waybill',
    WAYBILL_OIDC_CLIENT_SECRET: 's3cr3t-word',
    WAYBILL_OIDC_NAME: 'Northwind ID',
  })
  const subjects = ['settings', 'node', 'database', 'connections', 'migrations', 'clock', 'mail', 'provider', 'service']
  for (const subject of subjects) expect([subject, found.states().get(subject)]).toEqual([subject, 'ok'])
  expect(found.of('documents')[0]).toMatchObject({ state: 'ok', what: expect.stringMatching(/^the bucket papers at/) })
  expect(found.of('database')[0]?.what).toMatch(/^PostgreSQL \d+\.\d+.*, database waybill_installation_\w+, as \w+$/)
  expect(found.of('migrations')[0]?.what).toBe(`the schema has version ${schemaVersion}, the newest`)
  expect(found.of('service')[0]?.what).toMatch(/^it runs on 127\.0\.0\.1:\d+, and is ready$/)
  // Of the database, of the bucket, and of the folder in which bytes wait.
  expect(found.of('clock').length).toBeGreaterThanOrEqual(2)
  expect(found.text).not.toContain('s3cr3t-word')
  expect(found.text).not.toContain('S3RVER:')
  expect(await bucket.objects()).toEqual([])
})

test('before the first start there is nothing to find, and nothing is made', async () => {
  const { folder, env } = await newInstallation()
  const found = await doctor(env)
  expect(found.of('database')).toMatchObject([{ state: 'skipped', what: expect.stringContaining('there is none yet') }])
  expect(found.of('documents')).toMatchObject([{ state: 'skipped' }])
  expect(await readdir(folder)).toEqual([])
})

test("Waybill's own database is looked at as well, and stopped again", async () => {
  const installation = await newInstallation()
  await waybill(installation, 'migrate')
  const found = await doctor(installation.env)
  for (const subject of ['database', 'durability', 'connections', 'migrations', 'clock']) {
    expect([subject, found.states().get(subject)]).toEqual([subject, 'ok'])
  }
  expect(await readdir(join(installation.folder, 'data', 'postgres'))).not.toContain('postmaster.pid')
})

test('every bad setting is told, and every name that is none, without repeating a secret', async () => {
  const { env } = await newInstallation()
  const found = await doctor({
    ...env,
    PORT: '70000',
    WAYBILL_LOG_LEVEL: 'loud',
    WAYBILL_RATELIMIT: '5',
    WAYBILL_SOMETHING_ELSE: 'x',
    DATABASE_URL: 'mysql://waybill:s3cr3t-word@db.example/waybill',
    WAYBILL_DOCUMENTS: 's3://KEY:s3cr3t-word@s3.example',
    WAYBILL_SMTP_URL: 'smtp://mail.example',
    WAYBILL_METRICS_TOKEN: 's3cr3t-word',
    HOST: '0.0.0.0',
  })
  const told = found.of('settings').filter(({ state }) => state === 'wrong')
  const named = told.map(({ what }) => what.split(' ', 1)[0])
  expect(new Set(named)).toEqual(
    new Set([
      'PORT',
      'WAYBILL_LOG_LEVEL',
      'WAYBILL_RATELIMIT',
      'WAYBILL_SOMETHING_ELSE',
      'DATABASE_URL',
      'WAYBILL_DOCUMENTS',
      'WAYBILL_MAIL_FROM',
      'WAYBILL_METRICS_TOKEN',
    ]),
  )
  expect(told.find(({ what }) => what.startsWith('WAYBILL_RATELIMIT'))?.mend).toBe('did you mean WAYBILL_RATE_LIMIT?')
  expect(told.find(({ what }) => what.startsWith('WAYBILL_SOMETHING'))?.mend).toBe('unset it')
  expect(found.text).not.toContain('s3cr3t-word')
  // What depends on them is not looked at: it would be something else.
  for (const subject of ['database', 'documents', 'service']) expect(found.states().get(subject)).toBe('skipped')
  const doubts = found.of('settings').filter(({ state }) => state === 'warning')
  expect(doubts.map(({ what }) => what).join()).toContain('operators are served where customers are')
})

test('every setting is in the README', async () => {
  const readme = await readFile('README.md', 'utf8')
  expect(settingNames().length).toBeGreaterThan(20)
  for (const name of settingNames()) expect(readme).toContain(`\`${name}\``)
})

test('a database that nobody answers at, and one that there is not, are told, and the rest is looked at all the same', async () => {
  const { env } = await newInstallation()
  const away = await doctor({ ...env, DATABASE_URL: 'postgres://waybill:s3cr3t-word@127.0.0.1:1/waybill' })
  expect(away.of('database')).toMatchObject([{ state: 'wrong', what: expect.stringContaining('ECONNREFUSED') }])
  expect(away.text).not.toContain('s3cr3t-word')
  expect(away.states().get('service')).toBeDefined()
  const missing = await doctor({ ...env, DATABASE_URL: withDatabase(inject('serverUrl'), 'no_such_database') })
  expect(missing.of('database')[0]?.what).toContain('database "no_such_database" does not exist')
})

test('a database that is not fit for it is told why, and how to mend it', async () => {
  const { env } = await newInstallation()
  const name = `waybill_unfit_${process.pid}`
  const role = `waybill_nobody_${process.pid}`
  await administer(inject('serverUrl'), `create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  await administer(inject('serverUrl'), `create role ${role} login connection limit 5`)
  onTestFinished(async () => {
    await administer(inject('serverUrl'), `drop database ${name} with (force)`)
    await administer(inject('serverUrl'), `drop role ${role}`)
  })
  const url = new URL(withDatabase(inject('serverUrl'), name))
  await administer(url.href, 'create table accounts (account_id integer)')
  await administer(inject('serverUrl'), `revoke temporary on database ${name} from public`)
  await administer(inject('serverUrl'), `alter database ${name} set default_transaction_read_only = on`)
  await administer(inject('serverUrl'), `alter database ${name} set synchronous_commit = off`)
  url.username = role
  const found = await doctor({ ...env, DATABASE_URL: url.href })
  const told = found.of('database').map(({ what, mend }) => `${what} -> ${mend}`)
  expect(told).toEqual([
    expect.stringMatching(/^its encoding is SQL_ASCII: .+ -> create a database with encoding UTF8/),
    `its transactions are read only -> alter role ${role} in database ${name} reset default_transaction_read_only`,
    `${role} may not create tables in it -> grant create, usage on schema public to ${role}`,
    `${role} may not make temporary tables: imports fail -> grant temporary on database ${name} to ${role}`,
    `1 of its tables belong to somebody else, such as accounts -> alter table accounts owner to ${role}, and so on`,
  ])
  expect(found.of('durability')).toMatchObject([
    { state: 'wrong', what: expect.stringContaining('synchronous_commit') },
  ])
  expect(found.of('connections')).toMatchObject([
    { state: 'wrong', what: '10 connections are needed here (1 x 10), and no more than 5 can be had' },
  ])
})

test('a schema that is older or newer than the program, workers without connections, and replicas that are none are told', async () => {
  const installation = await newInstallationOnServer()
  const { env, db } = installation
  await waybill(installation, 'migrate')
  await db`delete from schema_migrations where version = ${schemaVersion}`
  const replicas = `${env.DATABASE_URL},postgres://waybill:s3cr3t-word@127.0.0.1:1/waybill`
  const older = await doctor({ ...env, WAYBILL_WORKERS: '200', DATABASE_READ_URLS: replicas })
  expect(older.of('migrations')).toMatchObject([
    { state: 'wrong', what: `the schema has version ${schemaVersion - 1}, this program has ${schemaVersion}` },
  ])
  expect(older.of('migrations')[0]?.mend).toContain('waybill migrate')
  expect(older.of('connections')).toMatchObject([{ state: 'wrong' }])
  const [itself, away] = JSON.parse(older.text).findings.filter(({ subject }: Finding) => subject.startsWith('replica'))
  expect(itself).toMatchObject({ state: 'wrong', what: 'it follows nobody: it is never read from' })
  expect(away).toMatchObject({ subject: 'replica 127.0.0.1:1', state: 'wrong' })
  expect(older.text).not.toContain('s3cr3t-word')

  await db`insert into schema_migrations (version, name) values (${schemaVersion}, 'x'), (${schemaVersion + 1}, 'y')`
  const newer = await doctor(env)
  expect(newer.of('migrations')).toMatchObject([{ state: 'wrong', mend: 'run a newer Waybill' }])
})

test('documents that cannot be written, a bucket that refuses, and a folder that everybody may enter are told', async () => {
  const { env, folder } = await newInstallation()
  await writeFile(join(folder, 'file'), '')
  const file = await doctor({ ...env, WAYBILL_DOCUMENTS: `file://${folder}/file` })
  expect(file.of('documents')).toMatchObject([{ state: 'wrong', what: expect.stringContaining('EEXIST') }])
  await mkdir(join(folder, 'open'))
  await chmod(join(folder, 'open'), 0o755)
  const open = await doctor({ ...env, WAYBILL_DOCUMENTS: `file://${folder}/open` })
  expect(open.of('documents')).toMatchObject([{ state: 'warning', mend: `chmod o-rwx ${folder}/open` }])
  expect(await readdir(join(folder, 'open'))).toEqual([])

  const bucket = await startBucket()
  const refusing = await doctor({ ...env, WAYBILL_DOCUMENTS: bucket.url.replace('S3RVER@', 's3cr3t-word@') })
  expect(refusing.of('documents')[0]).toMatchObject({
    state: 'wrong',
    what: expect.stringMatching(
      / \(the bucket papers at http:\/\/127\.0\.0\.1:\d+ answers 403 SignatureDoesNotMatch\)$/,
    ),
  })
  expect(refusing.text).not.toContain('s3cr3t-word')
})

test('clocks that do not agree are told', async () => {
  const { env } = await newInstallationOnServer()
  await mkdir(join(env.WAYBILL_DATA_DIR as string, 'documents'), { recursive: true, mode: 0o700 })
  const by = (seconds: number) =>
    `data:text/javascript,const now = Date.now; Date.now = () => now() + ${seconds * 1000}`
  const late = await doctor(env, ['--import', by(120)])
  expect(late.of('clock')).toMatchObject([
    { state: 'wrong', what: expect.stringMatching(/^that of the database is 1(?:19|20)\.\d s behind this machine's$/) },
    { state: 'wrong', what: expect.stringMatching(/^that of the disk of .+ s behind this machine's$/) },
  ])
  const slightly = await doctor(env, ['--import', by(-20)])
  expect(slightly.of('clock').map(({ state }) => state)).toEqual(['warning', 'warning'])
})

test('a mail server that lets nobody in, a provider that is away, and a port that is taken are told', async () => {
  const { env } = await newInstallation()
  const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await new Promise((resolve) => stranger.once('listening', resolve))
  const found = await doctor({
    ...env,
    ...others,
    PORT: String((stranger.address() as AddressInfo).port),
    WAYBILL_SMTP_URL: `smtp://waybill:other-s3cr3t@127.0.0.1:${await startMailServer()}?tls=off`,
    WAYBILL_OIDC_ISSUER: 'http://127.0.0.1:1',
    WAYBILL_OIDC_CLIENT_ID: 'waybill',
    WAYBILL_OIDC_CLIENT_SECRET: 'other-s3cr3t',
    WAYBILL_OIDC_NAME: 'Northwind ID',
  })
  expect(found.of('mail')).toMatchObject([
    { state: 'wrong', what: expect.stringMatching(/^127\.0\.0\.1:\d+: Invalid login/) },
  ])
  expect(found.of('provider')).toMatchObject([
    { state: 'wrong', what: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1: /) },
  ])
  expect(found.of('service')).toMatchObject([
    { state: 'wrong', what: expect.stringMatching(/^something else listens on/) },
  ])
  expect(found.text).not.toContain('other-s3cr3t')
})

test('for people there is a line each, what is wrong with how to mend it', async () => {
  const { env } = await newInstallation()
  const { code, stdout, stderr } = await runProgram(['doctor'], { env: { ...env, PORT: '0', WAYBILL_WORKRES: '2' } })
  expect(code).toBe(1)
  expect(stderr).toBe('waybill: 1 wrong, 0 to look at\n')
  expect(stdout).toMatch(
    /^wrong {4}settings {4}WAYBILL_WORKRES is no setting, and has no effect -> did you mean WAYBILL_WORKERS\?\n/,
  )
  for (const line of stdout.trimEnd().split('\n'))
    expect(line).toMatch(/^(?:ok|skipped|warning|wrong) +\w[\w ]+ {2}\S.+$/)
})

test('room is judged by what is left of it', () => {
  const room = { free: 50e9, total: 100e9, freeFiles: 900, files: 1000 }
  const stateWith = (given: Partial<typeof room>) => judgeRoom('/srv', { ...room, ...given }).state
  expect(stateWith({})).toBe('ok')
  expect(stateWith({ free: 4e9 })).toBe('warning')
  expect(stateWith({ free: 0.9e9, total: 2e9 })).toBe('warning')
  expect(stateWith({ free: 50e6, total: 200e6 })).toBe('wrong')
  expect(stateWith({ freeFiles: 3 })).toBe('wrong')
  // Some file systems make room for files as they come.
  expect(stateWith({ freeFiles: 0, files: 0 })).toBe('ok')
})
