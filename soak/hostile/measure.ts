import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostileRequest, HostileTarget } from '../../test/support/hostile/target.js'
import type { Observed } from './observer-process.js'

/** Milliseconds beyond its usual ones that another client may wait: the goal is 100, but test machines are busy. */
export const mostDelay = 1000

export type Measured = {
  name: string
  expected: number
  /** The statuses of all times that it was sent. */
  statuses: number[]
  /** The longest wait of another client meanwhile, in milliseconds. */
  longest: number
}

export type Observer = { read(): Promise<Observed>; end(): void }

/** Starts another client; it has sent its first request when this returns. */
export async function startObserver(given: { baseUrl: string; key: string }): Promise<Observer> {
  const program = join(import.meta.dirname, 'observer-process.ts')
  const child: ChildProcess = fork(program, [JSON.stringify(given)], { execArgv: ['--import', 'tsx'] })
  const read = async () => {
    child.send('read')
    const [observed] = (await once(child, 'message', { signal: AbortSignal.timeout(180_000) })) as [Observed]
    if (observed.failures.length > 0) throw new Error(`another client failed: ${observed.failures.join(', ')}`)
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
  observer: Observer,
  times = 1,
): Promise<Measured> {
  await observer.read()
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1) {
    const sent = send(target).catch((cause: unknown) => Promise.reject(new Error(`${name}: no response`, { cause })))
    statuses.push(await sent)
  }
  await sleep(settle)
  const { longest } = await observer.read()
  return { name, expected, statuses, longest }
}

/** What the observer waits for at most without hostile requests. */
export async function usualWait(observer: Observer, milliseconds = 2000): Promise<number> {
  await observer.read()
  await sleep(milliseconds)
  return (await observer.read()).longest
}

/** What is wrong with a measurement. */
export function violationsOf({ name, expected, statuses, longest }: Measured, usual: number): string[] {
  const others = [...new Set(statuses)].filter((status) => status !== expected)
  return [
    ...(others.length > 0 ? [`${name}: got ${others.join(', ')} instead of ${expected}`] : []),
    ...(longest > usual + mostDelay ? [`${name}: another client waited ${longest.toFixed(0)} ms`] : []),
  ]
}
