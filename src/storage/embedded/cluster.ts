import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, readFileSync } from 'node:fs'
import { access, lstat, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from './binaries.js'
import { giveToServer, processIdentity, serverIdentity } from './identity.js'

/** One PostgreSQL cluster in a folder: created, started and stopped; nothing here speaks SQL. */

export const clusterUser = 'waybill'

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  // Small machines run this beside everything else; forwarders with much data bring their own PostgreSQL.
  max_wal_size: '512MB',
  jit: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
}

// PostgreSQL enters its data folder by the name it is given. As root it runs as somebody who may not be let
// into the folders above; the process is placed inside instead, and the folder named from there.
function nameFromInside(folder: string): string {
  return processIdentity().isRoot && process.platform === 'linux' ? '/proc/self/cwd' : folder
}

export async function createCluster(binaries: Binaries, folder: string): Promise<void> {
  if (await exists(join(folder, 'PG_VERSION'))) return
  const unfinished = `${folder}.${process.pid}.tmp`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await giveToServer(unfinished)
  await run(
    binaries.initdb,
    [
      '--pgdata',
      nameFromInside(unfinished),
      '--username',
      clusterUser,
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--no-instructions',
    ],
    unfinished,
  ).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  })
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
  await writeFile(join(unfinished, 'postgresql.conf'), `${lines.join('\n')}\n`)
  // Two processes may have had the same idea: the folder that is in place first is the one.
  await rename(unfinished, folder).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(join(folder, 'PG_VERSION')))) throw error
  })
}

/** The folder of the server's socket: the cluster's own, unless its name is too long for a socket address. */
export async function socketFolderOf(folder: string): Promise<string> {
  const longestSocketAddress = 100
  if (folder.length + '/.s.PGSQL.5432'.length <= longestSocketAddress) return folder
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const short = join(tmpdir(), `waybill-${name}`)
  await mkdir(short, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  // Anybody may make folders there. One of our own is the server's, or will be as soon as whoever made it gives it.
  const { uid } = processIdentity()
  const found = await lstat(short)
  const isTrusted = found.uid === uid || found.uid === (serverIdentity().uid ?? uid)
  if (!found.isDirectory() || !isTrusted || (found.mode & 0o022) !== 0)
    throw new Error(`${short} is in the way: it was not made by this user, or others may write to it`)
  if (found.uid === uid) await giveToServer(short)
  return short
}

/**
 * Starts the server apart from us: it outlives a killed Waybill with everything it was told, hears no Ctrl-C of
 * our terminal, and is found again by its folder. The promise is settled when the process has ended.
 */
export async function startServer(binaries: Binaries, folder: string, socketFolder: string) {
  const log = await open(join(folder, 'server.log'), 'a', 0o600)
  const places = ['-D', nameFromInside(folder), '-k', socketFolder === folder ? '.' : socketFolder]
  const child = spawn(
    binaries.postgres,
    // A statement that waits for somebody's lock would not notice that its client has gone, and keep its own locks.
    [...places, '-c', 'client_connection_check_interval=500ms'],
    { ...serverIdentity(), cwd: folder, detached: true, stdio: ['ignore', log.fd, log.fd], env: serverEnvironment() },
  )
  child.unref()
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  await log.close()
  return { pid: child.pid, ended }
}

/** The process id of a running server, if there is one. */
export async function findServer(folder: string): Promise<number | undefined> {
  const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || !isAlive(pid)) return undefined
  // After a crash of the machine the number may belong to another program by now, or to another cluster's server.
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  if (name.trim() === 'postgres' && (await worksIn(pid, folder))) return pid
  await rm(join(folder, 'postmaster.pid'), { force: true })
  return undefined
}

// A server stays in the folder of its cluster. Where nobody tells (another user's process, no /proc) it is believed.
async function worksIn(pid: number, folder: string): Promise<boolean> {
  const [place, own] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(folder)])
  return place === undefined || (place.dev === own.dev && place.ino === own.ino)
}

/** Fast shutdown: transactions under way are rolled back, everything committed is written. */
export async function stopServer(folder: string): Promise<void> {
  const pid = await findServer(folder)
  if (!pid) return
  process.kill(pid, 'SIGINT')
  const patience = performance.now() + 30_000
  while (isAlive(pid) && performance.now() < patience) await new Promise((resolve) => setTimeout(resolve, 10))
}

export async function lastLogLines(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'server.log'), 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-5).join('\n')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !hasEnded(pid)
}

// Its number stays until whoever adopted it asks what became of it: in a container that may be nobody.
function hasEnded(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // Nobody tells here: it is believed.
    return false
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}

// Nothing of our environment concerns the server, and PG* variables would mislead it.
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

async function run(program: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(program, args, {
    ...serverIdentity(),
    cwd,
    // Apart from us, so that it hears no Ctrl-C of ours: whoever stops us waits until it is done.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: serverEnvironment(),
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${program} failed: ${complaint.trim()}`)
}
