import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFaultyDatabase } from './database.js'
import type { PartResult, SoakOptions } from './part.js'
import { runCommand, startServing, until } from './program.js'
import { type Abuse, abuses, type Outcome, type Size, type Target } from './transport/abuses.js'
import type { Told } from './transport/bystander-process.js'

/** Connections that are slow, idle, broken, greedy or lie about where a request ends, in rounds. */

// The service waits a minute for a head, and looks every half minute for who is late.
const whole: Size = { connections: 500, idle: 2000, pipelined: 1000, pause: 1000, patience: 120_000 }
const small: Size = { connections: 50, idle: 200, pipelined: 200, pause: 1000, patience: 120_000 }
const rounds = 3

// What is not given back would end it soon. Told to, it collects what is free: by itself it does so when it needs room.
const collecting = 'data:text/javascript,process.on("SIGUSR2", () => globalThis.gc())'
const nodeFlags = ['--max-old-space-size=256', '--expose-gc', '--import', collecting]
// Milliseconds that others may wait meanwhile, on a machine that has those who send by the thousand to carry as well:
// nearly all of them, and every single one.
const usualWait = 1000
const longestWait = 10_000
// What a process keeps differs from one look to the next; what it fails to give back grows with every round.
const mostGrowth = 64 * 1024 * 1024

/** These wait for the service to lose patience: at the same time. */
const waiting = new Set(['slow heads', 'slow bodies', 'idle connections'])

type Tally = Record<string, Outcome & { spans: [from: number, to: number][] }>

export async function run({ isShort, folder, tell }: SoakOptions): Promise<PartResult> {
  const begun = performance.now()
  const database = await openFaultyDatabase('embedded', folder)
  const { env } = database
  const serving = await startServing({ env, nodeFlags })
  const { baseUrl, pid } = serving
  const target = { baseUrl, key: await newAccount('abuser', env) }
  const bystander = startBystander({ baseUrl, key: await newAccount('bystander', env) })
  const tally: Tally = {}
  const sizes: number[] = []
  const size = isShort ? small : whole
  try {
    const connections = openFiles(pid)
    for (let round = 1; round <= (isShort ? 1 : rounds); round += 1) {
      await runAll(target, size, tally)
      // Every connection is given back, and what it held.
      await until('connections to be closed', () => openFiles(pid) <= connections + 20, 30_000)
      sizes.push(await settledSize(pid))
      tell(`transport: round ${round}, the service holds ${megabytes(sizes.at(-1) ?? 0)}`)
    }
    const told = await bystander.stop()
    return resultOf({ tally, sizes, told, size, complaints: serving.complaints(), begun })
  } finally {
    bystander.kill()
    serving.kill('SIGTERM')
    await serving.ended
    await database.close()
  }
}

function startBystander(given: { baseUrl: string; key: string }) {
  const program = join(import.meta.dirname, 'transport', 'bystander-process.ts')
  const child = fork(program, [JSON.stringify(given)], { execArgv: ['--import', 'tsx'] })
  return {
    kill: () => void child.kill('SIGKILL'),
    async stop(): Promise<Told> {
      child.send('stop')
      const [told] = (await once(child, 'message', { signal: AbortSignal.timeout(60_000) })) as [Told]
      return told
    },
  }
}

type Measured = { tally: Tally; sizes: number[]; told: Told; size: Size; complaints: string[]; begun: number }

function resultOf({ tally, sizes, told, size, complaints, begun }: Measured): PartResult {
  const { longest, longestAt, slowest, failures } = told
  const growth = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0)
  const all = Object.entries(tally)
  const sent = all.reduce((sum, [, { requests }]) => sum + requests, 0)
  const statuses = all.flatMap(([, outcome]) => outcome.statuses)
  return {
    name: 'transport',
    told: 'Connections that are slow, idle, reset, half-closed, greedy or full of nonsense, requests of which the end is in doubt, compressed bodies; and somebody who means no harm asks all the while.',
    requests: sent + told.requests,
    faults: sent,
    acknowledgedWrites: told.written,
    lost: failures.filter((failure) => failure.includes('acknowledged')).length,
    doubled: 0,
    unexpectedFailures: statuses.filter((status) => status >= 500).length,
    leaks: 0,
    seconds: (performance.now() - begun) / 1000,
    figures: [
      ['idle connections at once', String(size.idle)],
      ['answers to somebody else', String(told.requests)],
      ['their slowest hundredth', `${slowest.toFixed(0)} ms`],
      ['the slowest of all', `${longest.toFixed(0)} ms (${happeningAt(tally, longestAt)})`],
      ['memory of the service after each round', sizes.map(megabytes).join(', ')],
      ...all.map(([name, { requests, statuses: found }]): [string, string] => [name, `${requests}: ${counted(found)}`]),
    ],
    violations: [
      ...(longest > longestWait ? [`somebody else waited ${longest.toFixed(0)} ms for an answer`] : []),
      ...(slowest > usualWait ? [`every hundredth answer to somebody else took ${slowest.toFixed(0)} ms`] : []),
      ...(growth > mostGrowth ? [`the service grew by ${megabytes(growth)} from the first round to the last`] : []),
      ...complaints,
      ...failures,
      ...all.flatMap(([name, outcome]) => [...new Set(outcome.violations)].map((line) => `${name}: ${line}`)),
    ],
  }
}

function happeningAt(tally: Tally, at: number): string {
  const happening = Object.entries(tally).filter(([, { spans }]) => spans.some(([from, to]) => from <= at && at <= to))
  return happening.map(([name]) => name).join(', ') || 'between two of them'
}

async function newAccount(slug: string, env: Record<string, string>): Promise<string> {
  await runCommand(['account', 'create', slug, '--name', slug], env)
  return runCommand(['key', 'create', '--account', slug], env)
}

async function runAll(target: Target, size: Size, tally: Tally): Promise<void> {
  const runOne = async ([name, abuse]: [string, Abuse]) => {
    const from = Date.now()
    const { requests, statuses, violations } = await abuse(target, size)
    const before = tally[name] ?? { requests: 0, statuses: [], violations: [], spans: [] }
    tally[name] = {
      spans: [...before.spans, [from, Date.now()]],
      requests: before.requests + requests,
      statuses: [...before.statuses, ...statuses],
      violations: [...before.violations, ...violations],
    }
  }
  const all = Object.entries(abuses)
  await Promise.all(all.filter(([name]) => waiting.has(name)).map(runOne))
  for (const each of all.filter(([name]) => !waiting.has(name))) await runOne(each)
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** The least that it holds in the seconds after: what it has given up is given back bit by bit. */
async function settledSize(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < 10; look += 1) {
    process.kill(pid, 'SIGUSR2')
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    least = Math.min(least, Number(kilobytes) * 1024)
    await sleep(500)
  }
  return least
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`
}

function counted(statuses: number[]): string {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  const listed = [...counts].toSorted(([one], [other]) => one - other).map(([status, count]) => `${count} × ${status}`)
  return listed.join(', ') || 'no answers are waited for'
}
