import { join } from 'node:path'
import type { BenchServer, RunningServer } from './bench-server.js'
import type { DatabaseServer } from './database-server.js'
import type { LoadGenerator, PreparedLoad } from './load/generator.js'
import { cpuSecondsWithDescendants, peakBytes, resetPeak } from './processes.js'
import type { HttpRequest } from './queries.js'
import { enoughResponses, type Measurement } from './results.js'
import { uniqueMarker } from './sample-orders.js'

export type Bench = {
  server: DatabaseServer
  generator: LoadGenerator
  /** For files of the generator. */
  folder: string
  seconds: number
  warmUpSeconds: number
  /** How long a measurement may become to get enough responses. */
  mostSeconds: number
  connections: number
}

/** A server that runs, on a database of its own. */
export type Runner = { server: BenchServer; running: RunningServer; database: string }

export type Prepared = {
  load: PreparedLoad
  seconds: number
  connections: number
  /** Before how many of its measurements the server is warmed up. */
  warmUps: number
  /** How many requests a warm-up sends at least: with a response cache, each of them once. */
  warmUpRequests: number
  /** How many were sent so far: the next load continues after them. */
  sent: number
}

export type WarmUp = { times: number; requests: number }

type Figures = Omit<Measurement, 'server' | 'workload' | 'cache' | 'round'>

// A server whose single response takes longer is not measured.
const longestResponse = 10

let preparedCount = 0

/** Prepares the load, and measures how long one response takes: slow ones get the time for several. */
export async function prepareLoad(
  { generator, folder, seconds }: Bench,
  { running }: Runner,
  requests: HttpRequest[],
  connections: number,
  { times, requests: warmUpRequests }: WarmUp = { times: Number.POSITIVE_INFINITY, requests: 0 },
): Promise<Prepared> {
  const load = await generator.prepare(running.url, requests, join(folder, `requests-${++preparedCount}`))
  const started = performance.now()
  await sendOnce(running.url, requests[0] as HttpRequest)
  const single = (performance.now() - started) / 1000
  if (single > longestResponse) throw new Error(`a single request takes ${single.toFixed(1)} s`)
  return {
    load,
    seconds: Math.min(longestResponse, Math.max(Math.ceil(single * 3), seconds)),
    connections,
    warmUps: single > 0.2 ? 0 : times,
    warmUpRequests,
    sent: 0,
  }
}

let numbersFrom = Math.floor(Date.now() / 1000) % 100_000

// Numbers that no other run and no other measurement uses.
function nextNumbers(): number {
  numbersFrom += 1
  return (numbersFrom % 100_000) * 10_000_000
}

export async function sendOnce(url: string, { method, path, headers, body }: HttpRequest): Promise<Response> {
  const number = String(nextNumbers()).padStart(uniqueMarker.length, '0')
  const numbered = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(uniqueMarker, number)])
  const response = await fetch(`${url}${path.replaceAll(uniqueMarker, number)}`, {
    method,
    headers: Object.fromEntries(numbered) as Record<string, string>,
    ...(body !== undefined && { body: body.replaceAll(uniqueMarker, number) }),
  })
  await response.arrayBuffer()
  if (response.status !== 304 && !response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
  return response
}

/** Adds the ETag of the present response to each request. */
export async function makeConditional(url: string, requests: HttpRequest[]): Promise<void> {
  const tags = new Map<string, string>()
  for (const request of requests) {
    const name = `${request.headers.Authorization} ${request.path}`
    const tag = tags.get(name) ?? (await sendOnce(url, request)).headers.get('etag')
    if (tag === null) throw new Error('the response has no ETag')
    tags.set(name, tag)
    request.headers = { ...request.headers, 'If-None-Match': tag }
  }
  const { status } = await sendOnce(url, requests[0] as HttpRequest)
  if (status !== 304) throw new Error(`a conditional request returned ${status}`)
}

export async function measure(bench: Bench, runner: Runner, prepared: Prepared): Promise<Figures> {
  const { mostSeconds } = bench
  if (prepared.warmUps > 0) {
    prepared.warmUps -= 1
    await warmUp(bench, prepared)
  }
  const figures = await measureOnce(bench, runner, prepared)
  const enough = enoughResponses * prepared.connections
  if (figures.requests < enough && prepared.seconds < mostSeconds) {
    // Later rounds measure for this long, too.
    prepared.seconds = Math.min(mostSeconds, Math.ceil((prepared.seconds * enough) / Math.max(1, figures.requests)))
    return measure(bench, runner, prepared)
  }
  if (figures.requests === 0) throw new Error(`no complete response within ${prepared.seconds} s`)
  return figures
}

async function warmUp({ warmUpSeconds }: Bench, prepared: Prepared): Promise<void> {
  const enough = prepared.sent + Math.max(1, prepared.warmUpRequests)
  while (prepared.sent < enough) {
    const { requests } = await runLoad(prepared, warmUpSeconds)
    if (requests === 0) return
  }
}

async function runLoad(prepared: Prepared, seconds: number) {
  const { load, connections, sent } = prepared
  const result = await load.run({ connections, seconds, firstNumber: nextNumbers(), from: sent })
  prepared.sent += result.requests
  return result
}

async function measureOnce({ server }: Bench, runner: Runner, prepared: Prepared): Promise<Figures> {
  const { running, database } = runner
  resetPeak(running.pids)
  await server.resetCounts()
  const [cpuBefore, databaseCpuBefore] = [cpuSecondsWithDescendants(running.pids), server.cpuSeconds()]
  const result = await runLoad(prepared, prepared.seconds)
  const [cpuAfter, databaseCpuAfter] = [cpuSecondsWithDescendants(running.pids), server.cpuSeconds()]
  const queries = await server.countQueries(database)
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed`)
  const perThousand = 1000 / Math.max(1, result.requests)
  return {
    connections: prepared.connections,
    requests: result.requests,
    rate: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    cpu: (cpuAfter - cpuBefore) * perThousand,
    databaseCpu: (databaseCpuAfter - databaseCpuBefore) * perThousand,
    queries: queries * perThousand,
    memory: peakBytes(running.pids),
    generatorCores: result.cpuSeconds / result.seconds,
  }
}
