import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The built program in a separate process, with its own data folder. */

const main = fileURLToPath(new URL('../../bin/waybill.cjs', import.meta.url))

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type ProgramOptions = {
  /** Added to an environment that contains only PATH. */
  env?: Record<string, string>
  input?: string | Buffer
  /** The test writes to standard input, and closes it. */
  isInputOpen?: boolean
  cwd?: string
  /** Path of another Node binary. */
  node?: string
  nodeOptions?: string[]
  identity?: { uid: number; gid: number }
  program?: string
  /** A `ulimit` to start it with, such as `-f 200`. */
  ulimit?: string
  timeout?: number
}

export type Program = {
  pid: number
  child: ChildProcess
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Resolves when the process has exited, for whatever reason. */
  ended: Promise<Ended>
}

const children = new Set<ChildProcess>()
const folders = new Set<string>()

/** Stops the programs that a test file has left running, and removes its folders (`program-cleanup.ts`). */
export async function endPrograms(): Promise<void> {
  await Promise.all([...children].map(endNow))
  for (const folder of folders) {
    await endServerOf(folder)
    await rm(folder, { recursive: true, force: true })
  }
  folders.clear()
}

/** A folder that is removed after the tests of the file, after stopping a database server in it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-program-'))
  await chmod(folder, 0o755)
  folders.add(folder)
  return folder
}

export function startProgram(args: string[], options: ProgramOptions = {}): Program {
  const command = [options.node ?? process.execPath, ...(options.nodeOptions ?? []), options.program ?? main, ...args]
  const limited = options.ulimit ? ['sh', '-c', `ulimit ${options.ulimit} && exec "$@"`, 'sh', ...command] : command
  const child = spawn(limited[0] as string, limited.slice(1), {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options.identity,
  })
  children.add(child)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  // A program may exit before it has read all input.
  child.stdin.on('error', () => {})
  if (!options.isInputOpen) child.stdin.end(options.input ?? '')
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, stdout: stdout(), stderr: stderr() })
    })
  })
  return { pid: child.pid as number, child, stdout, stderr, kill: (signal) => void child.kill(signal), ended }
}

/** Runs a command to its end. */
export async function runProgram(args: string[], options: ProgramOptions = {}): Promise<Ended> {
  const program = startProgram(args, options)
  const timeout = new AbortController()
  const late = sleep(options.timeout ?? 100_000, undefined, { signal: timeout.signal }).then(
    () => {
      program.kill('SIGKILL')
      throw new Error(`waybill ${args.join(' ')} does not exit: ${program.stdout()}\n${program.stderr()}`)
    },
    () => undefined,
  )
  try {
    return (await Promise.race([program.ended, late])) as Ended
  } finally {
    timeout.abort()
  }
}

export type Serving = Program & { baseUrl: string }

/** `waybill serve` on a free port, listening. Tests choose their client address by X-Forwarded-For. */
export async function startServing(options: ProgramOptions = {}): Promise<Serving> {
  const program = startProgram(['serve'], {
    ...options,
    env: { PORT: '0', WAYBILL_TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  })
  const address = /Server listening at (http:[^"]+)"/
  await until(() => {
    if (program.child.exitCode !== null) throw new Error(`serve exited: ${program.stdout()}\n${program.stderr()}`)
    return address.test(program.stdout())
  })
  return { ...program, baseUrl: address.exec(program.stdout())?.[1] as string }
}

/** Polls until a condition is true. An error of the condition is thrown. */
export async function until(isTrue: () => boolean | Promise<boolean>, timeout = 100_000): Promise<void> {
  const end = Date.now() + timeout
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`timeout after ${timeout} ms: ${isTrue.toString()}`)
    await sleep(25)
  }
}

/** The process id of the database server of a data folder, from its PID file. */
export async function serverPid(dataFolder: string): Promise<number | undefined> {
  const text = await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0]) || undefined
}

export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat !== undefined) return !/^\d+ \(.*\) [ZX]/.test(stat)
  if (process.platform === 'linux') return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function collect(stream: Readable): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

async function endNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

// Data folders may be nested anywhere below a temporary folder.
async function endServerOf(folder: string): Promise<void> {
  for (const dataFolder of [folder, join(folder, 'data'), ...dataFolders]) {
    if (!dataFolder.startsWith(folder)) continue
    const pid = await serverPid(dataFolder)
    if (pid === undefined || !(await isRunning(pid))) continue
    process.kill(pid, 'SIGQUIT')
    await until(async () => !(await isRunning(pid)), 10_000)
  }
}

const dataFolders = new Set<string>()

/** Registers a nested data folder, so that its server is stopped after the tests. */
export function dataFolderAt(path: string): string {
  dataFolders.add(path)
  return path
}
