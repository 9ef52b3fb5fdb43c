import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostileRequest, HostileTarget } from '../../test/support/hostile/target.js'
import type { TurnMeter } from './longest-turn.js'
import type { Observed } from './observer-process.js'

/** Milliseconds beyond its usual ones that another client may wait: the goal is 100, but test machines are busy. */
export const mostDelay = 1000

/**
 * What a request may cost. The goals are those of the soak: the median of several times, as a busy machine takes up to three times as
 * long for the same work, and memory grows by garbage. A request that is sent once only fails far beyond them.
 */
export type Limits = {
  /** Milliseconds of a turn of the service. */
  turn: number
  /** Bytes by which its memory grows. */
  growth: number
}
export const goals: Limits = { turn: 100, growth: 64 * 1024 * 1024 }
export const limitsOfOnce: Limits = { turn: 400, growth: Number.POSITIVE_INFINITY }

export type Measured = {
  name: string
  expected: number
  /** The statuses of all times that it was sent. */
  statuses: number[]
  /** The longest wait of another client meanwhile, in milliseconds. */
  longest: number
  /** The longest time that the main thread of the service used a processor without turning to others: the median, in milliseconds. */
  turn: number
  /** By how many bytes the memory of the service grew, garbage included: the median. */
  growth: number
}

export type Observer = { read(): Promise<Observed>; end(): void }

/** Starts another client; it has sent its first request when this returns. */
export async function startObserver(given: { baseUrl: string; key: string }): Promise<Observer> {
  const program = join(import.meta.dirname, 'observer-process.ts')
  const child: ChildProcess = fork(program, [JSON.stringify(given)], { execArgv: ['--import', 'tsx'] })
  const read = async () => {
    child.send('read')
    const [observed] = (await once(child, 'message', { signal: AbortSignal.timeout(180_000) })) as [Observed]
    const { failures } = observed
    if (failures.length > 0) throw new Error(`another client failed ${failures.length} times, first: ${failures[0]}`)
    return observed
  }
  await read()
  return { read, end: () => void child.kill('SIGKILL') }
}

// Work may go on for a moment after the response.
const settle = 20

/** Sends a hostile request a number of times, one after another, while the observer measures. */
export async function measure(
  { name, status: expected, send }: HostileRequest,
  target: HostileTarget,
  { observer, meter, pid }: { observer: Observer; meter: TurnMeter; pid: number },
  times = 1,
): Promise<Measured> {
  await observer.read()
  const statuses: number[] = []
  const turns: number[] = []
  const growths: number[] = []
  for (let time = 0; time < times; time += 1) {
    const before = resetPeak(pid)
    meter.read()
    const sent = send(target).catch((cause: unknown) => Promise.reject(new Error(`${name}: no response`, { cause })))
    statuses.push(await sent)
    await sleep(settle)
    turns.push(meter.read())
    growths.push(Math.max(0, peakOf(pid) - before))
  }
  const { longest } = await observer.read().catch((cause: unknown) => Promise.reject(new Error(name, { cause })))
  return { name, expected, statuses, longest, turn: median(turns), growth: median(growths) }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0
}

/** Resets the peak of a process's memory (Linux); returns its memory now. */
function resetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return memoryOf(pid, 'VmRSS')
}

function peakOf(pid: number): number {
  return memoryOf(pid, 'VmHWM')
}

function memoryOf(pid: number, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`
}

/** What the observer waits for at most without hostile requests. */
export async function usualWait(observer: Observer, milliseconds = 2000): Promise<number> {
  await observer.read()
  await sleep(milliseconds)
  return (await observer.read()).longest
}

/** What is wrong with a measurement. */
export function violationsOf(
  { name, expected, statuses, longest, turn, growth }: Measured,
  usual: number,
  limits: Limits,
): string[] {
  const others = [...new Set(statuses)].filter((status) => status !== expected)
  return [
    ...(others.length > 0 ? [`${name}: got ${others.join(', ')} instead of ${expected}`] : []),
    ...(longest > usual + mostDelay ? [`${name}: another client waited ${longest.toFixed(0)} ms`] : []),
    ...(turn > limits.turn ? [`${name}: the service took ${turn.toFixed(0)} ms without turning to others`] : []),
    ...(growth > limits.growth ? [`${name}: the memory of the service grew by ${megabytes(growth)}`] : []),
  ]
}
