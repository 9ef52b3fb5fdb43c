import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './contender.js'

/** Servers in processes of their own, and what /proc tells of a process and of those that it has started. */

const ticksPerSecond = 100

/** With what ended children of theirs have used. */
export function cpuSecondsWithDescendants(pids: number[]): number {
  let ticks = 0
  for (const pid of withDescendants(pids)) {
    const fields = statOf(pid)
    // Fields 14 to 17 of proc(5), counted from behind the name: own and waited-for, user and system.
    for (const place of [11, 12, 13, 14]) ticks += Number(fields?.[place] ?? 0)
  }
  return ticks / ticksPerSecond
}

/** The most that the processes have held since `forgetPeak`, together. */
export function peakBytes(pids: number[]): number {
  return sumOfStatus(pids, 'VmHWM')
}

export function residentBytes(pids: number[]): number {
  return sumOfStatus(pids, 'VmRSS')
}

export function forgetPeak(pids: number[]): void {
  for (const pid of withDescendants(pids)) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // It has ended, or is not ours to reset: then the peak is the one of its whole life.
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

// What follows the name, which may hold spaces and brackets: state, parent, ...
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
  /** Answered with 200 when it is ready. */
  readyPath: string
  patience?: number
}

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a server; its log goes nowhere, its complaints to ours. */
export async function startProgram(program: ServerProgram): Promise<Running> {
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

async function ready(url: string, child: ChildProcess, { name, patience = 60_000 }: ServerProgram): Promise<void> {
  const deadline = Date.now() + patience
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode} before it was ready`)
    const answer = await fetch(url).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    await sleep(50)
  }
  throw new Error(`${name} was not ready within ${patience / 1000} s`)
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
