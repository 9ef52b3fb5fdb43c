import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, readFileSync } from 'node:fs'
import { access, lstat, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from './binaries.js'
import { EmbeddedFailure, notCreated, pathConflict, unsupportedSystem } from './embedded-failure.js'
import { chownToServer, processIdentity, serverIdentity } from './process-identity.js'

/** Creates, starts and stops a PostgreSQL cluster in a folder. No SQL here. */

export const clusterUser = 'waybill'

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  // Sized for small machines; larger installations use an external PostgreSQL.
  max_wal_size: '512MB',
  jit: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
}

// As root, the server runs as an unprivileged user who may lack access to a parent folder of the data folder. It is started
// with the data folder as working directory, and given the path from there.
function serverPath(folder: string): string {
  return processIdentity().isRoot && process.platform === 'linux' ? '/proc/self/cwd' : folder
}

export async function createCluster(binaries: Binaries, folder: string): Promise<void> {
  if (await exists(join(folder, 'PG_VERSION'))) return
  const unfinished = `${folder}.${process.pid}.tmp`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await chownToServer(unfinished)
  await initialize(binaries, unfinished).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  })
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
  await writeFile(join(unfinished, 'postgresql.conf'), `${lines.join('\n')}\n`)
  // If two processes create the cluster at the same time, the first rename wins.
  await rename(unfinished, folder).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(join(folder, 'PG_VERSION')))) throw error
  })
}

async function initialize({ initdb }: Binaries, folder: string, user = clusterUser): Promise<void> {
  const { code, stderr } = await run(
    initdb,
    [
      '--pgdata',
      serverPath(folder),
      '--username',
      user,
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--no-instructions',
    ],
    folder,
  )
  const isCreated = code === 0 || (user === refusedUser && stderr.includes(refusedUser))
  if (!isCreated) throw notCreated(folder, stderr)
}

// initdb rejects names that start with pg_, after it has looked up its user and before it creates anything.
const refusedUser = 'pg_waybill'

/** Rejects if this process cannot create a cluster: runs initdb up to the point where it would create files. */
export async function checkInitdb(binaries: Binaries, folder: string): Promise<void> {
  await chownToServer(folder)
  await initialize(binaries, folder, refusedUser)
}

/**
 * Only this user and root may connect, and only as the owner of the cluster; other users of this machine may not, even if they
 * can reach the socket. Written before every start, also for clusters of earlier versions.
 */
export async function restrictConnections(folder: string): Promise<void> {
  const user = findUserName()
  // PostgreSQL cannot look up a user id without a name: then only the mode of the folder protects the socket.
  const method = user === undefined ? 'trust' : 'peer map=waybill'
  const map = [...new Set([user ?? 'root', 'root'])].map((each) => `waybill "${each}" ${clusterUser}\n`)
  await replaceFile(folder, 'pg_ident.conf', map.join(''))
  await replaceFile(folder, 'pg_hba.conf', `local all ${clusterUser} ${method}\n`)
}

/**
 * Another process may start the server at this moment: it reads the file once, and one that is being written would lock everybody
 * out until the next start.
 */
async function replaceFile(folder: string, name: string, content: string): Promise<void> {
  const path = join(folder, name)
  if ((await readFile(path, 'utf8').catch(() => undefined)) === content) return
  const unfinished = `${path}.${process.pid}.tmp`
  await writeFile(unfinished, content, { mode: 0o600 })
  await chownToServer(unfinished, serverIdentity(folder))
  await rename(unfinished, path)
}

function findUserName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/** The folder of the server's socket: the data folder, unless its path is too long for a socket address. */
export async function socketFolderOf(folder: string): Promise<string> {
  const maxSocketPath = 100
  if (folder.length + '/.s.PGSQL.5432'.length <= maxSocketPath) return folder
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const short = join(tmpdir(), `waybill-${name}`)
  await mkdir(short, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  // Any user can create folders there: accept only one owned by this user or the server user.
  const { uid } = processIdentity()
  const found = await lstat(short)
  const server = serverIdentity(folder)
  const isTrusted = found.uid === uid || found.uid === (server.uid ?? uid)
  if (!found.isDirectory() || !isTrusted || (found.mode & 0o022) !== 0) throw pathConflict(short)
  if (found.uid === uid) await chownToServer(short, server)
  return short
}

/**
 * Starts the server detached: it survives a killed Waybill without losing commits, does not receive the terminal's Ctrl-C, and
 * is found again by its folder. `ended` resolves when the process has exited, with an error if it could not be started.
 */
export async function startServer(binaries: Binaries, folder: string, socketFolder: string) {
  const log = await open(join(folder, 'server.log'), 'a', 0o600)
  const args = ['-D', serverPath(folder), '-k', socketFolder === folder ? '.' : socketFolder]
  const child = spawn(
    binaries.postgres,
    // Without this, a statement that waits for a lock does not notice that its client is gone, and keeps its own locks.
    [...args, '-c', 'client_connection_check_interval=500ms'],
    {
      ...serverIdentity(folder),
      cwd: folder,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: serverEnvironment(),
    },
  )
  child.unref()
  const ended = new Promise<Error | undefined>((resolve) => {
    child.once('error', (error) => resolve(notExecuted(error)))
    child.once('exit', () => resolve(undefined))
  })
  await log.close()
  return { pid: child.pid, ended }
}

/** The process id of the running server, if any. */
export async function findServer(folder: string): Promise<number | undefined> {
  const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || !isAlive(pid)) return undefined
  // After a crash of the machine, the id may belong to another program or to the server of another cluster.
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  if (name.trim() === 'postgres' && (await hasWorkingDirectory(pid, folder))) return pid
  await rm(join(folder, 'postmaster.pid'), { force: true })
  return undefined
}

// A server's working directory is its data folder. If that cannot be read (other user, no /proc), assume it matches.
async function hasWorkingDirectory(pid: number, folder: string): Promise<boolean> {
  const [actual, expected] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(folder)])
  return actual === undefined || (actual.dev === expected.dev && actual.ino === expected.ino)
}

/** Fast shutdown: open transactions are rolled back, committed data is flushed. */
export async function stopServer(folder: string): Promise<void> {
  const pid = await findServer(folder)
  if (!pid) return
  process.kill(pid, 'SIGINT')
  const deadline = performance.now() + 30_000
  while (isAlive(pid) && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
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

// A zombie keeps its id until its parent reaps it, which in a container may never happen.
function hasEnded(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // No /proc: assume that it is running.
    return false
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK)
    return true
  } catch (error) {
    // A folder that this user may not read exists, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

// PG* variables of our environment would change the server's configuration.
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

async function run(program: string, args: string[], cwd: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(program, args, {
    ...serverIdentity(cwd),
    cwd,
    // Detached, so that the terminal's Ctrl-C does not reach it: a stop waits until it has finished.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: serverEnvironment(),
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notExecuted(error)))
    child.once('close', (code) => resolve({ code, stderr }))
  })
}

// The binaries exist, so ENOENT means that their dynamic loader (glibc) is missing.
function notExecuted(error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return unsupportedSystem(`${process.platform}-${process.arch} without glibc`)
  const advice = 'check that its package is installed on a file system that allows execution'
  return new EmbeddedFailure(`the embedded database cannot be run (${error.message})`, advice)
}
