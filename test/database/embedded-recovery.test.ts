import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.js'
import {
  isRunning,
  runProgram,
  type Serving,
  serverPid,
  startServing,
  temporaryFolder,
  until,
} from '../support/program.js'

test('a killed service leaves a server that the next start reuses, with all data', async () => {
  const { folder, env, serving } = await servingAcme()
  const server = (await serverPid(folder)) as number
  serving.kill('SIGKILL')
  expect(await serving.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(await isRunning(server)).toBe(true)

  const next = await startServing({ env })
  expect(await serverPid(folder)).toBe(server)
  expect(await accounts(env)).toEqual(['acme'])
  next.kill('SIGTERM')
  expect(await next.ended).toMatchObject({ code: 0 })
  expect(await isRunning(server)).toBe(false)
})

test('a command after a killed service stops the orphaned server', async () => {
  const { folder, env, serving } = await servingAcme()
  const server = (await serverPid(folder)) as number
  serving.kill('SIGKILL')
  await serving.ended
  expect(await accounts(env)).toEqual(['acme'])
  expect(await isRunning(server)).toBe(false)
  expect(await serverPid(folder)).toBeUndefined()
})

test('a service whose database server is killed refuses with 503, and recovers by itself', async () => {
  const { folder, env, serving, key } = await servingAcme()
  const server = (await serverPid(folder)) as number
  process.kill(server, 'SIGKILL')

  const statuses = new Set<number>()
  await until(async () => {
    statuses.add(await request(serving, key))
    const now = await serverPid(folder)
    return statuses.has(503) && now !== undefined && now !== server && (await request(serving, key)) === 200
  })
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(await health(serving, '/health/ready')).toBe(200)
  expect(await accounts(env)).toEqual(['acme'])

  const restarted = (await serverPid(folder)) as number
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
  expect(await isRunning(restarted)).toBe(false)
})

test('a service whose database server is shut down externally starts it again', async () => {
  const { folder, serving, key } = await servingAcme()
  const server = (await serverPid(folder)) as number
  process.kill(server, 'SIGINT')
  await until(async () => {
    const now = await serverPid(folder)
    return now !== undefined && now !== server && (await request(serving, key)) === 200
  })
  expect(await isRunning(server)).toBe(false)
})

test('two services on one folder share the server that one of them restarts', async () => {
  const { folder, env, serving, key } = await servingAcme()
  const other = await startServing({ env })
  const server = (await serverPid(folder)) as number
  process.kill(server, 'SIGKILL')
  await until(async () => {
    const now = await serverPid(folder)
    return (
      now !== undefined &&
      now !== server &&
      (await request(serving, key)) === 200 &&
      (await request(other, key)) === 200
    )
  })
  expect(await accounts(env)).toEqual(['acme'])
})

test('after service and server were killed the folder opens again, with all data', async () => {
  const { folder, env, serving } = await servingAcme()
  const server = (await serverPid(folder)) as number
  serving.kill('SIGKILL')
  process.kill(server, 'SIGKILL')
  await serving.ended
  await until(async () => !(await isRunning(server)))
  expect(await serverPid(folder)).toBe(server)

  expect(await accounts(env)).toEqual(['acme'])
  expect(await serverPid(folder)).toBeUndefined()
})

test('a server that replays its log for longer than it may be silent is waited for', async () => {
  const folder = await temporaryFolder()
  await (await openEmbeddedDatabase(folder)).release()
  const cluster = join(folder, 'postgres')
  await appendFile(join(cluster, 'postgresql.conf'), "restore_command = 'sleep 2; false'\nhot_standby = off\n")
  await writeFile(join(cluster, 'recovery.signal'), '')

  const database = await openEmbeddedDatabase(folder, { longestSilence: 1000 })
  await database.release()
  expect(await readFile(join(cluster, 'server.log'), 'utf8')).toContain('starting')
})

test.runIf(process.platform === 'linux')(
  'a process id that now belongs to the server of another cluster is ignored (needs Linux)',
  async () => {
    const [folder, otherFolder] = [await temporaryFolder(), await temporaryFolder()]
    await (await openEmbeddedDatabase(folder)).release()
    const other = await openEmbeddedDatabase(otherFolder)
    const otherServer = (await serverPid(otherFolder)) as number
    await writeFile(join(folder, 'postgres', 'postmaster.pid'), `${otherServer}\n`)

    const database = await openEmbeddedDatabase(folder)
    expect(await serverPid(folder)).not.toBe(otherServer)
    await database.release()
    expect(await isRunning(otherServer)).toBe(true)
    await other.release()
    expect(await isRunning(otherServer)).toBe(false)
  },
)

test.runIf(process.platform === 'linux')('a zombie server process is not waited for (needs Linux)', async () => {
  const folder = await temporaryFolder()
  await (await openEmbeddedDatabase(folder)).release()
  // It has the name of a server and works in the folder, but its parent does not reap it. It ends only
  // when its input does, after the shell became `sleep`: a shell may reap what ended before.
  const command = 'cp "$(command -v cat)" postgres; ./postgres <&3 & echo $!; exec sleep 600'
  const cwd = join(folder, 'postgres')
  const parent = spawn('sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [printed] = (await once(parent.stdout as Readable, 'data')) as [Buffer]
  const ended = Number(printed.toString())
  await until(async () => (await readFile(`/proc/${parent.pid}/comm`, 'utf8')) === 'sleep\n')
  ;(parent.stdio[3] as Writable).end()
  await until(async () => /\) Z/.test(await readFile(`/proc/${ended}/stat`, 'utf8')))
  await writeFile(join(folder, 'postgres', 'postmaster.pid'), `${ended}\n`)

  const database = await openEmbeddedDatabase(folder)
  expect(await serverPid(folder)).not.toBe(ended)
  await database.release()
})

test('a process that exits during a server restart leaves no server behind', async () => {
  const folder = await temporaryFolder()
  const database = await openEmbeddedDatabase(folder)
  const server = (await serverPid(folder)) as number
  process.kill(server, 'SIGKILL')
  await until(async () => ![server, undefined].includes(await serverPid(folder)))
  const restarted = (await serverPid(folder)) as number
  await database.release()
  expect(await isRunning(restarted)).toBe(false)
  expect(await serverPid(folder)).toBeUndefined()

  // It also leaves no lease: the next process is the last user.
  const next = await openEmbeddedDatabase(folder)
  const nextServer = (await serverPid(folder)) as number
  await next.release()
  expect(await isRunning(nextServer)).toBe(false)
})

test('a process that cannot query the server at exit does not stop it', async () => {
  const folder = await temporaryFolder()
  const leaving = await openEmbeddedDatabase(folder)
  const db = openDatabase(leaving.address, { connections: 1 })
  const [lease] = await db<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'waybill-lease'`
  const staying = await openEmbeddedDatabase(folder)
  const server = (await serverPid(folder)) as number

  // A server that refuses new connections but serves existing ones.
  process.kill(server, 'SIGSTOP')
  onTestFinished(async () => {
    if (await isRunning(server)) process.kill(server, 'SIGCONT')
  })
  await db`select pg_terminate_backend(${lease?.pid})`
  await until(async () => (await db`select from pg_stat_activity where pid = ${lease?.pid}`).length === 0)
  await leaving.release()
  process.kill(server, 'SIGCONT')
  await db.end()
  // A server that is shutting down refuses new connections.
  const next = openDatabase(leaving.address, { connections: 1 })
  expect(await next`select 1 as one`).toEqual([{ one: 1 }])
  await next.end()
  expect(await serverPid(folder)).toBe(server)
  await staying.release()
  expect(await isRunning(server)).toBe(false)
})

async function servingAcme() {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: folder }
  const serving = await startServing({ env })
  expect((await runProgram(['account', 'create', 'acme', '--name', 'Acme'], { env })).code).toBe(0)
  const key = (await runProgram(['key', 'create', '--account', 'acme'], { env })).stdout.trim()
  expect(await request(serving, key)).toBe(200)
  return { folder, env, serving, key }
}

async function request({ baseUrl }: Serving, key: string): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/locations`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}

async function health({ baseUrl }: Serving, path: string): Promise<number> {
  const response = await fetch(baseUrl + path)
  await response.arrayBuffer()
  return response.status
}

async function accounts(env: Record<string, string>): Promise<string[]> {
  const { code, stdout, stderr } = await runProgram(['account', 'list', '--json'], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return (JSON.parse(stdout) as { slug: string }[]).map(({ slug }) => slug)
}
