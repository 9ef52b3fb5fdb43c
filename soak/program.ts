import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** The built program in child processes, as users run it. */

const main = join(import.meta.dirname, '..', 'dist', 'cli', 'main.js')

export type Ended = { code: number | null; signal: NodeJS.Signals | null }

export type Program = {
  pid: number
  kill: (signal: NodeJS.Signals) => void
  hasEnded: () => boolean
  ended: Promise<Ended>
  /** The last error lines of the log and of standard error. */
  errors: () => string[]
}

export type Serving = Program & { baseUrl: string }

export type ProgramOptions = {
  env: Record<string, string>
  nodeFlags?: string[]
  args?: string[]
  /** Another version. */
  program?: string | undefined
}

const children = new Set<ChildProcess>()
process.once('exit', killPrograms)

/** For an aborted run. */
export function killPrograms(): void {
  for (const child of children) child.kill('SIGKILL')
}

const mostErrors = 20

// Ends what hangs. On a busy machine, PostgreSQL needs minutes to replay its log after it was killed.
export const longestHang = 600_000

/** Starts `waybill serve` on a free port, and waits until it listens. */
export async function startServing(options: ProgramOptions, timeout = longestHang): Promise<Serving> {
  const { program, address } = startServe(options)
  const late = sleep(timeout, undefined, { ref: false }).then(() => 'late' as const)
  const first = await Promise.race([address, program.ended, late])
  if (typeof first === 'string' && first !== 'late') return { ...program, baseUrl: first }
  program.kill('SIGKILL')
  throw new Error(
    `serve ${first === 'late' ? 'does not listen' : 'ended before it listened'}: ${program.errors().join('\n')}`,
  )
}

/** The same without waiting. */
export function startServe({ env, nodeFlags = [], args = [], program = main }: ProgramOptions): {
  program: Program
  address: Promise<string>
} {
  const child = spawn(process.execPath, [...nodeFlags, program, 'serve', ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir(), PORT: '0', WAYBILL_RATE_LIMIT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const errors: string[] = []
  const addError = (line: string) => {
    errors.push(line.slice(0, 600))
    if (errors.length > mostErrors) errors.shift()
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal })
    })
  })
  const address = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Skips the log lines of requests, thousands per second.
      if (line.startsWith('{"level":30') && !line.includes('listening')) return
      const found = /Server listening at (http:[^"]+)"/.exec(line)?.[1]
      if (found) resolve(found)
      else if (/^\{"level":[56]0/.test(line)) addError(line)
    })
  })
  createInterface({ input: child.stderr }).on('line', addError)
  return {
    address,
    program: {
      pid: child.pid as number,
      kill: (signal) => void child.kill(signal),
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      ended,
      errors: () => errors,
    },
  }
}

/** Runs a command, and returns its output. */
export async function runCommand(args: string[], env: Record<string, string>, program = main): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let [printed, complained] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  children.delete(child)
  if (code !== 0) throw new Error(`waybill ${args.join(' ')} ended with ${code}: ${complained}`)
  return printed.trim()
}

/** Repeats a start that ended because the database did not respond within some seconds, as it does on a busy machine. */
export async function retryWhileSlow<Result>(start: () => Promise<Result>, onRetry = () => {}): Promise<Result> {
  const deadline = performance.now() + longestHang
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const isSlow = /database (?:at \S+ )?(?:cannot be reached|does not respond)/.test(String(error))
      if (!isSlow || performance.now() > deadline) throw error
      onRetry()
      await sleep(1000)
    }
  }
}

/** Waits for a condition; returns how many milliseconds that took. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeout = longestHang,
): Promise<number> {
  const startedAt = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - startedAt > timeout) throw new Error(`timeout after ${timeout / 1000} s: ${what}`)
    await sleep(20)
  }
  return performance.now() - startedAt
}
