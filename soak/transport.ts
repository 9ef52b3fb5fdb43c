import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFaultyDatabase } from './database.js'
import type { PartResult, SoakOptions } from './part.js'
import { runCommand, startServing, until } from './program.js'
import { type Abuse, abuses, type Outcome, type Size, type Target } from './transport/abuses.js'
import type { BystanderReport } from './transport/bystander-process.js'

/** Rounds of abusive connections: slow, idle, reset, flooding, or with ambiguous ends of requests. */

// The service waits a minute for request headers, and checks for timeouts every half minute.
const whole: Size = { connections: 500, idle: 2000, pipelined: 1000, pause: 1000, timeout: 120_000 }
const small: Size = { connections: 50, idle: 200, pipelined: 200, pause: 1000, timeout: 120_000 }
const rounds = 3

// A small heap, so that a memory leak ends the process soon; SIGUSR2 makes it collect garbage.
const collecting = 'data:text/javascript,process.on("SIGUSR2", () => globalThis.gc())'
const nodeFlags = ['--max-old-space-size=256', '--expose-gc', '--import', collecting]
// Milliseconds that other clients may wait meanwhile, on the machine that also runs the attack: for the 99th percentile, and
// at most.
const usualWait = 1000
const longestWait = 10_000
// The memory of a process varies; a leak grows with every round.
const mostGrowth = 64 * 1024 * 1024

/** These wait for a timeout of the service, and run concurrently. */
const waiting = new Set(['slow headers', 'slow bodies', 'idle connections'])

type Tally = Record<string, Outcome & { spans: [from: number, to: number][] }>

export async function run({ isShort, folder, log }: SoakOptions): Promise<PartResult> {
  const startedAt = performance.now()
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
      // All connections are closed.
      await until('connections to be closed', () => openFiles(pid) <= connections + 20, 30_000)
      sizes.push(await settledSize(pid))
      log(`transport: round ${round}, the service holds ${megabytes(sizes.at(-1) ?? 0)}`)
    }
    const bystanderReport = await bystander.stop()
    return resultOf({ tally, sizes, bystanderReport, size, errors: serving.errors(), startedAt })
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
    async stop(): Promise<BystanderReport> {
      child.send('stop')
      const [report] = (await once(child, 'message', { signal: AbortSignal.timeout(60_000) })) as [BystanderReport]
      return report
    },
  }
}

type Measured = {
  tally: Tally
  sizes: number[]
  bystanderReport: BystanderReport
  size: Size
  errors: string[]
  startedAt: number
}

function resultOf({ tally, sizes, bystanderReport, size, errors, startedAt }: Measured): PartResult {
  const { longest, longestAt, slowest, failures } = bystanderReport
  const growth = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0)
  const all = Object.entries(tally)
  const sent = all.reduce((sum, [, { requests }]) => sum + requests, 0)
  const statuses = all.flatMap(([, outcome]) => outcome.statuses)
  return {
    name: 'transport',
    detail:
      'Connections that are slow, idle, reset, half-closed, flooding or malformed, requests with ambiguous lengths, and compressed bodies, while another client sends normal requests.',
    requests: sent + bystanderReport.requests,
    faults: sent,
    acknowledgedWrites: bystanderReport.written,
    lost: failures.filter((failure) => failure.includes('acknowledged')).length,
    doubled: 0,
    unexpectedFailures: statuses.filter((status) => status >= 500).length,
    leaks: 0,
    seconds: (performance.now() - startedAt) / 1000,
    figures: [
      ['idle connections at once', String(size.idle)],
      ['responses to another client', String(bystanderReport.requests)],
      ['their 99th percentile', `${slowest.toFixed(0)} ms`],
      ['the slowest of them', `${longest.toFixed(0)} ms (${happeningAt(tally, longestAt)})`],
      ['memory of the service after each round', sizes.map(megabytes).join(', ')],
      ...all.map(([name, { requests, statuses: found }]): [string, string] => [name, `${requests}: ${counted(found)}`]),
    ],
    violations: [
      ...(longest > longestWait ? [`another client waited ${longest.toFixed(0)} ms for a response`] : []),
      ...(slowest > usualWait ? [`every hundredth response to another client took ${slowest.toFixed(0)} ms`] : []),
      ...(growth > mostGrowth ? [`the service grew by ${megabytes(growth)} from the first round to the last`] : []),
      ...errors,
      ...failures,
      ...all.flatMap(([name, outcome]) => [...new Set(outcome.violations)].map((line) => `${name}: ${line}`)),
    ],
  }
}

function happeningAt(tally: Tally, at: number): string {
  const happening = Object.entries(tally).filter(([, { spans }]) => spans.some(([from, to]) => from <= at && at <= to))
  return happening.map(([name]) => name).join(', ') || 'between two kinds'
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

/** The lowest memory use within some seconds: freed memory is returned gradually. */
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
  return listed.join(', ') || 'no responses expected'
}
