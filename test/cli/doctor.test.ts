import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, inject, onTestFinished, test } from 'vitest'
import { spaceFinding } from '../../src/cli/doctor/documents-check.js'
import { schemaVersion } from '../../src/database/migrate.js'
import { startBucket } from '../support/bucket.js'
import { administer, withDatabase } from '../support/database.js'
import { newInstallation, newInstallationOnServer, waybill } from '../support/installation.js'
import { startProvider } from '../support/oidc-test-provider.js'
import { runProgram, startServing } from '../support/program.js'

/** `waybill doctor` on healthy and on broken installations. */

type Finding = { subject: string; state: string; what: string; fix?: string }

async function doctor(env: Record<string, string>, nodeOptions: string[] = []) {
  const { code, stdout, stderr } = await runProgram(['doctor', '--json'], { env: { PORT: '0', ...env }, nodeOptions })
  expect(stderr, stdout).toMatch(code === 0 ? /^$/ : /^waybill: \d+ wrong, \d+ warnings\n$/)
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  const isWrong = findings.some(({ state }) => state === 'wrong')
  expect({ code, ok }).toEqual({ code: isWrong ? 1 : 0, ok: !isWrong })
  for (const { state, what, fix } of findings) {
    expect(what).not.toMatch(/\n/)
    expect(fix !== undefined).toBe(state === 'wrong' || state === 'warning')
  }
  return {
    text: stdout,
    /** The findings about a subject. */
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

test('a healthy installation has only good findings, and the checks leave nothing behind', async () => {
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
    WAYBILL_TRUSTED_PROXIES: '10.0.0.5',
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
  expect(found.of('database')[0]?.what).toMatch(/^PostgreSQL \d+\.\d+.*, database waybill_installation_\w+, user \w+$/)
  expect(found.of('migrations')[0]?.what).toBe(`the schema has version ${schemaVersion}, the latest`)
  expect(found.of('service')[0]?.what).toMatch(/^it runs on 127\.0\.0\.1:\d+ and is ready$/)
  // Of the database, the bucket, and the folder for uploads.
  expect(found.of('clock').length).toBeGreaterThanOrEqual(2)
  expect(found.text).not.toContain('s3cr3t-word')
  expect(found.text).not.toContain('S3RVER:')
  expect(await bucket.objects()).toEqual([])
})

test('before the first start checks are skipped, and nothing is created', async () => {
  const { folder, env } = await newInstallation()
  const found = await doctor(env)
  expect(found.of('database')).toMatchObject([{ state: 'skipped', what: expect.stringContaining('there is none yet') }])
  expect(found.of('documents')).toMatchObject([{ state: 'skipped' }])
  expect(await readdir(folder)).toEqual([])
})

test('the embedded database is checked as well, and stopped again', async () => {
  const installation = await newInstallation()
  await waybill(installation, 'migrate')
  const found = await doctor(installation.env)
  for (const subject of ['database', 'durability', 'connections', 'migrations', 'clock']) {
    expect([subject, found.states().get(subject)]).toEqual([subject, 'ok'])
  }
  expect(await readdir(join(installation.folder, 'data', 'postgres'))).not.toContain('postmaster.pid')
})

test('every invalid setting and every unknown name is reported, without secrets', async () => {
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
  const reported = found.of('settings').filter(({ state }) => state === 'wrong')
  const named = reported.map(({ what }) => what.split(' ', 1)[0])
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
  expect(reported.find(({ what }) => what.startsWith('WAYBILL_RATELIMIT'))?.fix).toBe(
    'did you mean WAYBILL_RATE_LIMIT?',
  )
  expect(reported.find(({ what }) => what.startsWith('WAYBILL_SOMETHING'))?.fix).toBe('unset it')
  expect(found.text).not.toContain('s3cr3t-word')
  // Checks that depend on invalid settings are skipped: they would use defaults.
  for (const subject of ['database', 'documents', 'service']) expect(found.states().get(subject)).toBe('skipped')
  const doubts = found.of('settings').filter(({ state }) => state === 'warning')
  expect(doubts.map(({ what }) => what).join()).toContain('operators and customers share an address')
})

test('an unreachable and a missing database are reported, and the other checks still run', async () => {
  const { env } = await newInstallation()
  const away = await doctor({ ...env, DATABASE_URL: 'postgres://waybill:s3cr3t-word@127.0.0.1:1/waybill' })
  expect(away.of('database')).toMatchObject([{ state: 'wrong', what: expect.stringContaining('ECONNREFUSED') }])
  expect(away.text).not.toContain('s3cr3t-word')
  expect(away.states().get('service')).toBeDefined()
  const missing = await doctor({ ...env, DATABASE_URL: withDatabase(inject('serverUrl'), 'no_such_database') })
  expect(missing.of('database')[0]?.what).toContain('database "no_such_database" does not exist')
})

test('an unsuitable database is reported with a fix for every problem', async () => {
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
  const reported = found.of('database').map(({ what, fix }) => `${what} -> ${fix}`)
  expect(reported).toEqual([
    expect.stringMatching(/^its encoding is SQL_ASCII: .+ -> create a database with encoding UTF8/),
    `its transactions are read only -> alter role ${role} in database ${name} reset default_transaction_read_only`,
    `${role} may not create tables -> grant create, usage on schema public to ${role}`,
    `${role} may not create temporary tables: imports fail -> grant temporary on database ${name} to ${role}`,
    `1 tables belong to another role, for example accounts -> alter table accounts owner to ${role}, likewise the others`,
  ])
  // The server of the tests may have been started without fsync, which is reported too.
  expect(found.of('durability')).toContainEqual(
    expect.objectContaining({ state: 'wrong', what: expect.stringContaining('synchronous_commit') }),
  )
  expect(found.of('connections')).toMatchObject([
    { state: 'wrong', what: 'this installation needs 10 connections (1 x 10), but the limit is 5' },
  ])
})

test('an older or newer schema, too few connections, and servers that are not replicas are reported', async () => {
  const installation = await newInstallationOnServer()
  const { env, db } = installation
  await waybill(installation, 'migrate')
  await db`delete from schema_migrations where version = ${schemaVersion}`
  const replicas = `${env.DATABASE_URL},postgres://waybill:s3cr3t-word@127.0.0.1:1/waybill`
  const older = await doctor({ ...env, WAYBILL_WORKERS: '200', DATABASE_READ_URLS: replicas })
  expect(older.of('migrations')).toMatchObject([
    { state: 'wrong', what: `the schema has version ${schemaVersion - 1}, this program needs ${schemaVersion}` },
  ])
  expect(older.of('migrations')[0]?.fix).toContain('waybill migrate')
  expect(older.of('connections')).toMatchObject([{ state: 'wrong' }])
  const [itself, away] = JSON.parse(older.text).findings.filter(({ subject }: Finding) => subject.startsWith('replica'))
  // After a failover, one of the servers that are read from is the primary.
  expect(itself).toMatchObject({ state: 'ok', what: 'it is the primary now: reads go there by DATABASE_URL' })
  expect(away).toMatchObject({ subject: 'replica 127.0.0.1:1', state: 'wrong' })
  expect(older.text).not.toContain('s3cr3t-word')

  await db`insert into schema_migrations (version, name) values (${schemaVersion}, 'x'), (${schemaVersion + 1}, 'y')`
  const newer = await doctor(env)
  expect(newer.of('migrations')).toMatchObject([{ state: 'wrong', fix: 'run a newer Waybill' }])
})

test('unwritable document storage, a refusing bucket, and a world-readable folder are reported', async () => {
  const { env, folder } = await newInstallation()
  await writeFile(join(folder, 'file'), '')
  const file = await doctor({ ...env, WAYBILL_DOCUMENTS: `file://${folder}/file` })
  expect(file.of('documents')).toMatchObject([{ state: 'wrong', what: expect.stringContaining('EEXIST') }])
  await mkdir(join(folder, 'open'))
  await chmod(join(folder, 'open'), 0o755)
  const open = await doctor({ ...env, WAYBILL_DOCUMENTS: `file://${folder}/open` })
  expect(open.of('documents')).toMatchObject([{ state: 'warning', fix: `chmod o-rwx ${folder}/open` }])
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

test('clocks that differ are reported', async () => {
  const { env } = await newInstallationOnServer()
  await mkdir(join(env.WAYBILL_DATA_DIR as string, 'documents'), { recursive: true, mode: 0o700 })
  const by = (seconds: number) =>
    `data:text/javascript,const now = Date.now; Date.now = () => now() + ${seconds * 1000}`
  const late = await doctor(env, ['--import', by(120)])
  expect(late.of('clock')).toMatchObject([
    {
      state: 'wrong',
      what: expect.stringMatching(/^the clock of the database is 1(?:19|20)\.\d s behind the clock of this machine$/),
    },
    { state: 'wrong', what: expect.stringMatching(/^the clock of the disk of .+ s behind the clock of this machine$/) },
  ])
  const slightly = await doctor(env, ['--import', by(-20)])
  expect(slightly.of('clock').map(({ state }) => state)).toEqual(['warning', 'warning'])
})

test('a refusing mail server, an unreachable provider, and a port in use are reported', async () => {
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
    { state: 'wrong', what: expect.stringMatching(/^another program listens on/) },
  ])
  expect(found.text).not.toContain('other-s3cr3t')
})

test('the text output has one line per finding, with the fix of each problem', async () => {
  const { env } = await newInstallation()
  const { code, stdout, stderr } = await runProgram(['doctor'], { env: { ...env, PORT: '0', WAYBILL_WORKRES: '2' } })
  expect(code).toBe(1)
  expect(stderr).toBe('waybill: 1 wrong, 0 warnings\n')
  expect(stdout).toMatch(
    /^wrong {4}settings {4}WAYBILL_WORKRES is not a setting and has no effect -> did you mean WAYBILL_WORKERS\?\n/,
  )
  for (const line of stdout.trimEnd().split('\n'))
    expect(line).toMatch(/^(?:ok|skipped|warning|wrong) +\w[\w ]+ {2}\S.+$/)
})

test('free disk space is rated by what is left', () => {
  const room = { free: 50e9, total: 100e9, freeFiles: 900, files: 1000 }
  const stateWith = (given: Partial<typeof room>) => spaceFinding('/srv', { ...room, ...given }).state
  expect(stateWith({})).toBe('ok')
  expect(stateWith({ free: 4e9 })).toBe('warning')
  expect(stateWith({ free: 0.9e9, total: 2e9 })).toBe('warning')
  expect(stateWith({ free: 50e6, total: 200e6 })).toBe('wrong')
  expect(stateWith({ freeFiles: 3 })).toBe('wrong')
  // Some file systems allocate inodes on demand.
  expect(stateWith({ freeFiles: 0, files: 0 })).toBe('ok')
})
