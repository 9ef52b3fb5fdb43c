import { chmod, chown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { administer, withDatabase } from '../support/database.js'
import { startDatabaseProxy } from '../support/database-proxy.js'
import { newInstallation, newInstallationOnServer, waybill } from '../support/installation.js'
import {
  isRunning,
  runProgram,
  serverPid,
  startProgram,
  startServing,
  temporaryFolder,
  until,
} from '../support/program.js'

/** A failed start prints one sentence: the setting or argument, the problem, and what to do. */

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
// A user id that is not in /etc/passwd, as with `docker run --user 12345`.
const nameless = { uid: 12_345, gid: 12_345 }
const isLinux = process.platform === 'linux'

async function failureOf(args: string[], env: Record<string, string>, options: { identity?: typeof nobody } = {}) {
  const { code, signal, stdout, stderr } = await runProgram(args, {
    env: { PORT: '0', WAYBILL_LOG_LEVEL: 'silent', ...env },
    ...options,
    cwd: '/',
  })
  expect({ signal, stdout }).toEqual({ signal: null, stdout: '' })
  expect(stderr).toMatch(/^waybill: .+\n$/)
  return { code, text: stderr.slice('waybill: '.length, -1) }
}

test.runIf(isLinux)(
  'a data folder that cannot be created fails the start with one sentence (needs Linux)',
  async () => {
    expect(await failureOf(['serve'], { WAYBILL_DATA_DIR: '/proc/x' })).toEqual({
      code: 1,
      text:
        'WAYBILL_DATA_DIR "/proc/x" cannot be used (ENOENT: no such file or directory, mkdir \'/proc/x\'): ' +
        'choose a path in an existing folder that this user can write to',
    })
  },
)

test.runIf(isLinux)(
  'a service with an external database starts and stops without its data folder (needs Linux)',
  async () => {
    const { env } = await newInstallationOnServer()
    const serving = await startServing({ env: { ...env, WAYBILL_DATA_DIR: '/proc/x' } })
    const ready = await fetch(`${serving.baseUrl}/health/ready`)
    expect(await ready.json()).toMatchObject({ status: 'degraded' })
    serving.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0 })
  },
)

test('a file instead of the data folder, or of a parent folder, is reported with its setting', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'file')
  await writeFile(file, '')
  const inPlace = await failureOf(['serve'], { WAYBILL_DATA_DIR: file })
  expect(inPlace.text).toMatch(/^WAYBILL_DATA_DIR ".+\/file" cannot be used \(EEXIST: .+\): remove the existing file/)
  const above = await failureOf(['serve'], { WAYBILL_DATA_DIR: join(file, 'data') })
  expect(above.text).toMatch(/^WAYBILL_DATA_DIR ".+\/file\/data" cannot be used \(ENOTDIR: .+\): remove the file/)
})

test.runIf(isRoot)(
  'a data folder of another user is reported with its setting, by doctor, too (needs root)',
  async () => {
    const installation = await newInstallation()
    await waybill(installation, 'migrate')
    const { env } = installation
    await chmod(env.WAYBILL_DATA_DIR as string, 0o755)
    const { text } = await failureOf(['account', 'list'], env, { identity: nobody })
    // Started by root, the embedded server runs as nobody: that user can enter its folder, but not write next to it.
    expect(text).toMatch(
      /^WAYBILL_DATA_DIR ".+\/data" cannot be used \(EACCES: permission denied, .+\): give this user/,
    )
    const { stdout } = await runProgram(['doctor'], { env: { PORT: '0', ...env }, identity: nameless, cwd: '/' })
    expect(stdout).toMatch(
      /^wrong +database +WAYBILL_DATA_DIR ".+\/data" cannot be used \(EACCES: .+ -> give this user/m,
    )
  },
)

test.runIf(isRoot)(
  'for a user id without a name, serve and doctor explain what the embedded database needs (needs root)',
  async () => {
    const folder = await temporaryFolder()
    await chown(folder, nameless.uid, nameless.gid)
    const env = { WAYBILL_DATA_DIR: join(folder, 'data'), HOME: folder, TMPDIR: folder }
    const reason = 'the embedded database cannot be created by user id 12345, which has no name on this system'
    const serving = await failureOf(['serve'], env, { identity: nameless })
    expect(serving.code).toBe(1)
    expect(serving.text).toMatch(new RegExp(`^${reason}: run as a user that /etc/passwd lists .+ DATABASE_URL`))
    const { code, stdout } = await runProgram(['doctor'], { env: { ...env, PORT: '0' }, identity: nameless, cwd: '/' })
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`^wrong +database +${reason} -> run as a user that /etc/passwd lists`, 'm'))
    expect(await readdir(folder)).toEqual(['data'])
  },
)

test.runIf(isRoot)('a user id without a name can serve from an existing embedded database (needs root)', async () => {
  const folder = await temporaryFolder()
  await chown(folder, nobody.uid, nobody.gid)
  const env = { WAYBILL_DATA_DIR: join(folder, 'data'), HOME: folder, TMPDIR: folder }
  const create = ['account', 'create', 'acme', '--name', 'Acme']
  expect(await runProgram(create, { env, identity: nobody, cwd: folder })).toMatchObject({ code: 0 })
  for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
    await chown(join(folder, name), nameless.uid, nameless.gid)
  }
  const listed = await runProgram(['account', 'list', '--json'], { env, identity: nameless, cwd: folder })
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('"acme"') as string, stderr: '' })
})

test('on an unsupported system the supported ones are listed, by doctor, too', async () => {
  const { env } = await newInstallation()
  const onWindows = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })`
  const options = { env: { ...env, PORT: '0', TEMP: tmpdir() }, nodeOptions: ['--import', onWindows] }
  const advice =
    'use Linux with glibc or macOS, each on x64 or arm64, or set DATABASE_URL to a PostgreSQL \\(15 to 18\\)'
  const { code, stderr } = await runProgram(['serve'], options)
  expect(code).toBe(1)
  expect(stderr).toMatch(new RegExp(`^waybill: the embedded database does not run on win32-\\w+: ${advice}\n$`))
  const { stdout } = await runProgram(['doctor'], options)
  expect(stdout).toMatch(new RegExp(`^wrong +database +the embedded database does not run on .+ -> ${advice}$`, 'm'))
})

test('an embedded database that does not start fails soon with the logged reason', async () => {
  const installation = await newInstallation()
  await waybill(installation, 'migrate')
  const folder = join(installation.env.WAYBILL_DATA_DIR as string, 'postgres')
  await writeFile(join(folder, 'postgresql.conf'), "shared_buffers = 'plenty'\n")
  const { code, text } = await failureOf(['serve'], installation.env)
  expect(code).toBe(1)
  expect(text).toMatch(/^the embedded database does not start \(.*(?:shared_buffers|errors).*\): see .+\/server\.log$/)
})

test('a service that is stopped while its database hangs at startup exits', async () => {
  const installation = await newInstallation()
  await waybill(installation, 'migrate')
  const folder = installation.env.WAYBILL_DATA_DIR as string
  const program = startProgram(['serve'], { env: { ...installation.env, PORT: '0' } })
  await until(async () => (await serverPid(folder)) !== undefined)
  const server = (await serverPid(folder)) as number
  process.kill(server, 'SIGSTOP')
  onTestFinished(async () => {
    process.kill(server, 'SIGCONT')
    process.kill(server, 'SIGQUIT')
    await until(async () => !(await isRunning(server)))
  })
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test('a database that accepts connections but does not respond is reported with its address and setting', async () => {
  const road = await startDatabaseProxy()
  road.hold()
  const { host } = new URL(road.url)
  expect(await failureOf(['serve'], { DATABASE_URL: road.url })).toEqual({
    code: 1,
    text:
      `the database at ${host} does not respond within 5 s: ` +
      'check that DATABASE_URL has the host and port of a PostgreSQL server, and that no firewall blocks it',
  })
})

test.each([
  [
    'postgres://waybill@127.0.0.1:1/waybill',
    /^the database at 127\.0\.0\.1:1 cannot be reached \(connect ECONNREFUSED /,
  ],
  ['postgres://waybill@localhost:1/waybill', /^the database at localhost:1 cannot be reached \(connect ECONNREFUSED /],
  ['postgres://waybill@nowhere.invalid/x', /^the database at nowhere\.invalid:5432 cannot be reached \(getaddrinfo /],
])('an unreachable database is reported with its address and setting: %s', async (url, reason) => {
  const { code, text } = await failureOf(['serve'], { DATABASE_URL: url })
  expect(code).toBe(1)
  expect(text).toMatch(reason)
  expect(text).toMatch(/ DATABASE_URL$/)
})

test('for a role that may not create tables the error explains what to do', async () => {
  const { db, env } = await newInstallationOnServer()
  const role = `waybill_reader_${process.pid}`
  await db.unsafe(`create role ${role} login`)
  await db`revoke create on schema public from public`
  onTestFinished(async () => void (await db.unsafe(`drop role ${role}`)))
  const url = new URL(env.DATABASE_URL as string)
  url.username = role
  const { text } = await failureOf(['migrate'], { ...env, DATABASE_URL: url.href })
  expect(text).toMatch(
    /denies a permission \(permission denied for schema public\): grant the permission to the user in DATABASE_URL/,
  )
})

test('serve waits for a database that starts later, and reports it', async () => {
  const road = await startDatabaseProxy()
  const { host } = new URL(road.url)
  await road.close()
  const env = { DATABASE_URL: road.url, PORT: '0' }
  const program = startProgram(['serve', '--wait-for-database', '60'], { env })
  const refused = `waybill: the database at ${host} cannot be reached (connect ECONNREFUSED ${host}); waiting for up to 60 s\n`
  await until(() => program.stderr() === refused)
  // A listener that does not respond like a database yet.
  road.hold()
  await road.open()
  const silent = `waybill: the database at ${host} does not respond within 5 s; waiting for up to 60 s\n`
  await until(() => program.stderr() === refused + silent)
  await road.close()
  road.release()
  await road.open()
  await until(() => program.stdout().includes('Server listening at'))
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0 })
})

test('migrate waits for a database that is created later, with WAYBILL_WAIT_FOR_DATABASE', async () => {
  const name = `waybill_later_${process.pid}`
  const url = withDatabase(inject('serverUrl'), name)
  onTestFinished(() => administer(inject('serverUrl'), `drop database ${name} with (force)`))
  const program = startProgram(['migrate'], { env: { DATABASE_URL: url, WAYBILL_WAIT_FOR_DATABASE: '60' } })
  await until(() => /database "waybill_later_\d+" does not exist\); waiting/.test(program.stderr()))
  await administer(inject('serverUrl'), `create database ${name}`)
  expect(await program.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Migrated from/) as string })
})

test('a database that does not respond within the wait time is reported in one sentence', async () => {
  const url = 'postgres://waybill@127.0.0.1:1/waybill'
  const args = ['serve', '--wait-for-database', '1']
  const { code, stderr } = await runProgram(args, { env: { DATABASE_URL: url, PORT: '0' } })
  expect(code).toBe(1)
  const reason = 'waybill: the database at 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1)'
  expect(stderr).toBe(
    `${reason}; waiting for up to 1 s\n` +
      `${reason}; gave up after 1 s: start PostgreSQL there, or correct DATABASE_URL\n`,
  )
})

test('a service that is stopped while it waits for its database exits with 0', async () => {
  const env = { DATABASE_URL: 'postgres://waybill@127.0.0.1:1/waybill', PORT: '0' }
  const program = startProgram(['serve', '--wait-for-database', '600'], { env })
  await until(() => program.stderr().includes('waiting for up to 600 s'))
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, signal: null })
})

test('a wait time that is not a number is refused', async () => {
  expect(await failureOf(['migrate', '--wait-for-database', 'soon'], {})).toEqual({
    code: 2,
    text: 'WAYBILL_WAIT_FOR_DATABASE is "soon": it must be a whole number from 0 to 86400',
  })
})

test('an unknown database user is reported at once, whatever the wait time', async () => {
  const refused = await failureOf(['migrate', '--wait-for-database', '600'], {
    DATABASE_URL: inject('databaseUrl').replace(/\/\/[^@]*@/, '//no_such_role@'),
  })
  expect(refused.text).toMatch(
    / refuses the connection \(role "no_such_role" does not exist\): correct the user in DATABASE_URL$/,
  )
})

test('an address of another machine and an unknown host name are reported with their settings', async () => {
  const { env } = await newInstallationOnServer()
  // Reserved for documentation: no machine has it.
  expect(
    Object.values(networkInterfaces())
      .flat()
      .map((each) => each?.address),
  ).not.toContain('192.0.2.1')
  expect(await failureOf(['serve'], { ...env, HOST: '192.0.2.1' })).toEqual({
    code: 1,
    text: '192.0.2.1 is not an address of this machine: correct HOST',
  })
  const operators = await failureOf(['serve'], { ...env, WAYBILL_OPS_HOST: '192.0.2.1', WAYBILL_OPS_PORT: '0' })
  expect(operators.text).toBe('192.0.2.1 is not an address of this machine: correct WAYBILL_OPS_HOST')
  const unknown = await failureOf(['serve'], { ...env, HOST: 'nowhere.invalid' })
  expect(unknown.text).toMatch(/^cannot listen on nowhere\.invalid:0 \(.+\): correct HOST and PORT$/)
})

test('an unwritable path is reported with its argument', async () => {
  const { env, folder } = await newInstallationOnServer()
  const missing = join(folder, 'missing')
  const backup = await failureOf(['backup', join(missing, 'x.tar.gz')], env)
  expect(backup.text).toMatch(/^the backup file ".+\/missing\/x\.tar\.gz" cannot be used \(ENOENT: .+\): choose a path/)
  const template = await failureOf(['template', 'shipments', '--to', join(missing, 'x.csv')], env)
  expect(template.text).toMatch(/^--to ".+\/missing\/x\.csv" cannot be used \(ENOENT: .+\): choose a path/)
  await waybill({ env, folder }, 'account', 'create', 'acme', '--name', 'Acme')
  await writeFile(join(folder, 'file'), '')
  const exported = await failureOf(['export', '--account', 'acme', '--to', join(folder, 'file')], env)
  expect(exported.text).toMatch(/^--to ".+\/file" cannot be used \(ENOTDIR: .+\): remove the file/)
  const restored = await failureOf(['restore', folder], env)
  expect(restored.text).toBe(`${folder} is not a file`)
})

test.runIf(isLinux)('a full disk is reported with the file (needs Linux)', async () => {
  const { env, folder } = await newInstallationOnServer()
  const path = join(folder, 'lines.ndjson')
  await writeFile(path, 'nonsense\n')
  await symlink('/dev/full', `${path}.rejected`)
  const { code, stderr } = await runProgram(['import', path, '--skip-invalid'], { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^waybill: the file of rejected lines ".+\.rejected" cannot be used \(ENOSPC: .+\): free some space there, or choose .+$/m,
  )
})

test('unwritable document storage is reported with its setting', async () => {
  const { env, folder } = await newInstallationOnServer()
  await mkdir(join(folder, 'papers'))
  await writeFile(join(folder, 'papers', 'file'), '')
  await waybill({ env, folder }, 'account', 'create', 'acme', '--name', 'Acme')
  const path = join(folder, 'lines.ndjson')
  const data = { id: '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11', name: 'a.txt', content_base64: 'aGVsbG8=' }
  await writeFile(path, `${JSON.stringify({ kind: 'document', account: 'acme', data })}\n`)
  const { code, stderr } = await runProgram(['import', path], {
    env: { ...env, WAYBILL_DOCUMENTS: `file://${folder}/papers/file` },
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^waybill: WAYBILL_DOCUMENTS ".+\/papers\/file" cannot be used \(ENOTDIR: .+\): remove .+\n$/)
})

// On systems where every user may listen on any port, nothing is refused.
const firstFreePort = Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '0'))

test.runIf(isRoot && firstFreePort > 81)(
  'a port reserved for root is reported with its setting (needs root, ports reserved for root)',
  async () => {
    const { url } = await startDatabaseProxy()
    const { text } = await failureOf(['serve'], { DATABASE_URL: url, PORT: '81' }, { identity: nobody })
    expect(text).toBe('this user may not listen on 127.0.0.1:81: choose a PORT of 1024 or higher')
  },
)
