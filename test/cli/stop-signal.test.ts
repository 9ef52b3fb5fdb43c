import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { socketFolderOf } from '../../src/database/embedded/cluster.js'
import { line } from '../support/account.js'
import {
  isRunning,
  runProgram,
  serverPid,
  startProgram,
  startServing,
  temporaryFolder,
  until,
} from '../support/program.js'

const main = fileURLToPath(new URL('../../bin/waybill.cjs', import.meta.url))

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while an import reads leaves no data and no server, with exit code %i', async (signal, code) => {
  const { folder, env } = await folderWithAcme()
  // Long enough to keep reading for a while after the document.
  const path = await fileOf(folder, [document(), ...Array.from({ length: 200_000 }, (_, id) => location(id))])
  const program = startProgram(['import', path], { env })
  await until(async () => (await incomingOf(folder)).length > 0)
  const server = (await serverPid(folder)) as number
  program.kill(signal)
  program.kill(signal)
  expect(await program.ended).toEqual({ code, signal: null, stdout: '', stderr: '' })
  await expectNothingLeft(folder, server)
})

test('a signal while an import stores leaves no data and no server', async () => {
  const { folder, env } = await folderWithAcme()
  const path = await fileOf(folder, [document(), location(1)])
  // A service keeps the server running, and the account lock, held here, blocks the import.
  const serving = await startServing({ env })
  const server = (await serverPid(folder)) as number
  await withAccountLocked(folder, async (isWaitedFor) => {
    const program = startProgram(['import', path], { env })
    // The service may wait for the lock as well.
    await until(async () => (await incomingOf(folder)).length === 1 && (await isWaitedFor()))
    program.kill('SIGTERM')
    expect(await program.ended).toMatchObject({ code: 143, stdout: '', stderr: '' })
    expect(await incomingOf(folder)).toEqual([])
  })
  expect(await isRunning(server)).toBe(true)
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
  await expectNothingLeft(folder, server)
  const exported = await runProgram(['export', '--account', 'acme', '--to', join(folder, 'out'), '--json'], { env })
  expect(JSON.parse(exported.stdout)).toMatchObject({ lines: 1, files: 0 })
})

test('a signal while waiting for standard input leaves no file behind', async () => {
  const folder = await temporaryFolder()
  const child = spawn(process.execPath, [main, 'import', '-'], { env: { TMPDIR: folder }, cwd: folder })
  const ended = once(child, 'exit')
  await until(async () => (await readdir(folder)).some((name) => name.startsWith('waybill-import-')))
  child.kill('SIGTERM')
  expect(await ended).toEqual([143, null])
  expect(await readdir(folder)).toEqual([])
})

test('a service that receives two stop signals stops once, together with its server', async () => {
  const { folder, env } = await folderWithAcme()
  const key = (await runProgram(['key', 'create', '--account', 'acme', '--scope', 'write'], { env })).stdout.trim()
  const serving = await startServing({ env })
  const server = (await serverPid(folder)) as number
  let response: Promise<Response> | undefined
  await withAccountLocked(folder, async (isWaitedFor) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ reference: 'PO-1', product_lines: [line()] })
    response = fetch(`${serving.baseUrl}/v1/purchaseOrders`, { method: 'POST', headers, body })
    await until(isWaitedFor)
    serving.kill('SIGTERM')
    await until(() =>
      fetch(`${serving.baseUrl}/health/live`).then(
        () => false,
        () => true,
      ),
    )
    serving.kill('SIGTERM')
    serving.kill('SIGINT')
  })
  expect((await response)?.status).toBe(201)
  expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  await expectNothingLeft(folder, server)
})

test('a service that is stopped while its database server starts leaves no server behind', async () => {
  const { folder, env } = await folderWithAcme()
  const program = startProgram(['serve'], { env: { ...env, PORT: '0' } })
  await until(async () => (await serverPid(folder)) !== undefined)
  const server = (await serverPid(folder)) as number
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  await expectNothingLeft(folder, server)
})

test('a first start that is stopped exits with 0, and the next one works', async () => {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: folder }
  const program = startProgram(['serve'], { env: { ...env, PORT: '0' } })
  await until(async () => (await readdir(folder)).some((name) => name.endsWith('.tmp')))
  program.kill('SIGINT')
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(await serverPid(folder)).toBeUndefined()
  expect((await runProgram(['account', 'list'], { env })).code).toBe(0)
})

test('a sandbox that is stopped while it creates its data leaves nothing running', async () => {
  const folder = await temporaryFolder()
  const program = startProgram(['sandbox'], { env: { WAYBILL_DATA_DIR: folder, PORT: '0' } })
  await until(async () => (await incomingOf(folder)).length > 0)
  const server = (await serverPid(folder)) as number
  program.kill('SIGINT')
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  await expectNothingLeft(folder, server)
})

test('files of a killed import are removed after a day, not before', async () => {
  const { folder, env } = await folderWithAcme()
  for (const name of ['incoming-old', 'incoming-young']) {
    await mkdir(join(folder, 'documents', name), { recursive: true })
    await writeFile(join(folder, 'documents', name, 'part'), 'bytes')
  }
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
  await utimes(join(folder, 'documents', 'incoming-old'), longAgo, longAgo)
  const path = await fileOf(folder, [location(1)])
  expect(await runProgram(['import', path], { env })).toMatchObject({ code: 0, stderr: '' })
  expect(await incomingOf(folder)).toEqual(['incoming-young'])
})

async function folderWithAcme() {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: folder }
  expect((await runProgram(['account', 'create', 'acme', '--name', 'Acme'], { env })).code).toBe(0)
  return { folder, env }
}

async function expectNothingLeft(folder: string, server: number): Promise<void> {
  expect(await isRunning(server)).toBe(false)
  expect(await serverPid(folder)).toBeUndefined()
  expect(await incomingOf(folder)).toEqual([])
}

async function incomingOf(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'documents')).catch(() => [])
  return names.filter((name) => name.startsWith('incoming-'))
}

async function withAccountLocked(
  folder: string,
  work: (isWaitedFor: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const socketFolder = await socketFolderOf(resolve(folder, 'postgres'))
  const db = openDatabase({ socketFolder, user: 'waybill', database: 'waybill' }, { connections: 2 })
  try {
    await db.begin(async (sql) => {
      const [row] = await sql<{ pid: number }[]>`
        select pg_backend_pid() as pid from accounts where slug = 'acme' for update`
      const holder = row?.pid as number
      await work(async () => {
        const waiting = await db`select from pg_stat_activity where ${holder} = any(pg_blocking_pids(pid))`
        return waiting.length > 0
      })
    })
  } finally {
    await db.end({ timeout: 1 })
  }
}

function location(id: number): string {
  return JSON.stringify({ kind: 'location', account: 'acme', data: { id } })
}

function document(): string {
  const data = { id: '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11', name: 'a.txt', content_base64: 'aGVsbG8=' }
  return JSON.stringify({ kind: 'document', account: 'acme', data })
}

async function fileOf(folder: string, lines: string[]): Promise<string> {
  const path = join(folder, 'lines.ndjson')
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}
