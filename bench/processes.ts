import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './bench-server.js'

/** Server processes, and CPU time and memory of a process with its descendants, from /proc. */

const ticksPerSecond = 100

/** Including their children that have ended. */
export function cpuSecondsWithDescendants(pids: number[]): number {
  let ticks = 0
  for (const pid of withDescendants(pids)) {
    const fields = statOf(pid)
    // Fields 14 to 17 of proc(5), counted after the name: own and ended children's, user and system.
    for (const place of [11, 12, 13, 14]) ticks += Number(fields?.[place] ?? 0)
  }
  return ticks / ticksPerSecond
}

/** CPU time of the children of this process that have ended. */
export function endedChildrenCpuSeconds(): number {
  const fields = statOf(process.pid)
  return (Number(fields?.[13] ?? 0) + Number(fields?.[14] ?? 0)) / ticksPerSecond
}

/** The peak memory of the processes since `resetPeak`, summed. */
export function peakBytes(pids: number[]): number {
  return sumOfStatus(pids, 'VmHWM')
}

export function residentBytes(pids: number[]): number {
  return sumOfStatus(pids, 'VmRSS')
}

export function resetPeak(pids: number[]): void {
  for (const pid of withDescendants(pids)) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // It has ended, or belongs to another user: then the peak is that of its lifetime.
    }
  }
}

function sumOfStatus(pids: number[], name: string): number {
  let kilobytes = 0
  for (const pid of withDescendants(pids)) {
    kilobytes += Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
  }
  return kilobytes * 1024
}

export function withDescendants(pids: number[]): Set<number> {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const parent = Number.isInteger(pid) ? statOf(pid)?.[1] : undefined
    if (parent !== undefined) children.set(Number(parent), [...(children.get(Number(parent)) ?? []), pid])
  }
  const found = new Set<number>()
  const waiting = [...pids]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    found.add(pid)
    waiting.push(...(children.get(pid) ?? []))
  }
  return found
}

// The fields after the name, which may contain spaces and brackets: state, parent, ...
function statOf(pid: number): string[] | undefined {
  const text = read(`/proc/${pid}/stat`)
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export type ServerProgram = {
  name: string
  command: string[]
  environment: Record<string, string>
  port: number
  /** Returns 200 when the server is ready. */
  readyPath: string
  /** Milliseconds until it has to be ready. */
  timeout?: number
}

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a server. Its log is discarded, its standard error is ours. */
export async function startProgram(program: ServerProgram): Promise<RunningServer> {
  const [command = '', ...args] = program.command
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', ...program.environment },
  })
  children.add(child)
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  void ended.then(() => children.delete(child))
  const url = `http://127.0.0.1:${program.port}`
  const running = { url, pids: [child.pid ?? 0], stop: () => stop(child, ended) }
  try {
    await ready(`${url}${program.readyPath}`, child, program)
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

async function ready(url: string, child: ChildProcess, { name, timeout = 60_000 }: ServerProgram): Promise<void> {
  const deadline = Date.now() + timeout
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode} before it was ready`)
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status === 200) return
    await sleep(50)
  }
  throw new Error(`${name} was not ready within ${timeout / 1000} s`)
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
