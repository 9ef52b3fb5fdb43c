import { join } from 'node:path'
import type { Contender, HttpRequest, Running } from './contender.js'
import type { DatabaseServer } from './database-server.js'
import type { LoadGenerator } from './load/load.js'
import { uniqueMarker } from './orders.js'
import { cpuSecondsWithDescendants, forgetPeak, peakBytes } from './processes.js'
import { enoughAnswers, type Measurement } from './results.js'

export type Bench = {
  server: DatabaseServer
  generator: LoadGenerator
  /** For what is prepared for the generator. */
  folder: string
  seconds: number
  warmUpSeconds: number
  /** How long a measurement may become so that enough is answered. */
  mostSeconds: number
  connections: number
}

/** A contender that runs, on a database of its own. */
export type Runner = { contender: Contender; running: Running; database: string }

export type Prepared = {
  file: string
  seconds: number
  connections: number
  /** Before how many of its measurements it is asked for a while without being measured. */
  warmUps: number
  /** How many requests a warm-up sends at least: where answers are kept, each of them once. */
  warmUpRequests: number
  /** How many were sent so far: who goes on asks what follows. */
  sent: number
}

export type WarmUp = { times: number; requests: number }

type Figures = Omit<Measurement, 'contender' | 'workload' | 'heat' | 'round'>

let preparedCount = 0

/** Writes the requests down, and sees how long one takes: slow ones get the time for some whole answers. */
export async function prepareLoad(
  { generator, folder, seconds }: Bench,
  { running }: Runner,
  requests: HttpRequest[],
  connections: number,
  before: WarmUp = { times: Number.POSITIVE_INFINITY, requests: 0 },
): Promise<Prepared | { alone: number }> {
  const file = join(folder, `requests-${++preparedCount}`)
  await generator.write(file, running.url, requests)
  const first = requests[0] as HttpRequest
  const started = performance.now()
  await sendOnce(running.url, first)
  const alone = (performance.now() - started) / 1000
  if (alone > longestAlone) return { alone }
  const needed = Math.max(Math.ceil(alone * 3), seconds)
  return {
    file,
    seconds: Math.min(longestAlone, needed),
    connections,
    warmUps: alone > 0.2 ? 0 : before.times,
    warmUpRequests: before.requests,
    sent: 0,
  }
}

const longestAlone = 10

let numbersFrom = Math.floor(Date.now() / 1000) % 100_000

// Numbers that no run and no measurement shares with another.
export function nextNumbers(): number {
  numbersFrom += 1
  return (numbersFrom % 100_000) * 10_000_000
}

export async function sendOnce(url: string, { method, path, headers, body }: HttpRequest): Promise<Response> {
  const number = String(nextNumbers()).padStart(uniqueMarker.length, '0')
  const response = await fetch(`${url}${path.replaceAll(uniqueMarker, number)}`, {
    method,
    headers,
    ...(body !== undefined && { body: body.replaceAll(uniqueMarker, number) }),
  })
  await response.arrayBuffer()
  if (response.status !== 304 && !response.ok) throw new Error(`${method} ${path} is answered with ${response.status}`)
  return response
}

/** Adds the validator of the present answer to each. */
export async function makeConditional(url: string, requests: HttpRequest[]): Promise<void> {
  const tags = new Map<string, string>()
  for (const request of requests) {
    const name = `${request.headers.Authorization} ${request.path}`
    const tag = tags.get(name) ?? (await sendOnce(url, request)).headers.get('etag')
    if (tag === null) throw new Error('there is no ETag to ask with')
    tags.set(name, tag)
    request.headers = { ...request.headers, 'If-None-Match': tag }
  }
  const { status } = await sendOnce(url, requests[0] as HttpRequest)
  if (status !== 304) throw new Error(`a conditional request is answered with ${status}`)
}

export async function measure(bench: Bench, runner: Runner, prepared: Prepared): Promise<Figures> {
  const { mostSeconds } = bench
  if (prepared.warmUps > 0) {
    prepared.warmUps -= 1
    await warmUp(bench, runner, prepared)
  }
  const figures = await measureOnce(bench, runner, prepared)
  const enough = enoughAnswers * prepared.connections
  if (figures.requests < enough && prepared.seconds < mostSeconds) {
    // From here on it gets the time that it needs.
    prepared.seconds = Math.min(mostSeconds, Math.ceil((prepared.seconds * enough) / Math.max(1, figures.requests)))
    return measure(bench, runner, prepared)
  }
  if (figures.requests === 0) throw new Error(`no whole answer came within ${prepared.seconds} s`)
  return figures
}

async function warmUp({ generator, warmUpSeconds }: Bench, { running }: Runner, prepared: Prepared): Promise<void> {
  const enough = prepared.sent + Math.max(1, prepared.warmUpRequests)
  while (prepared.sent < enough) {
    const { requests } = await runLoad(generator, running, prepared, warmUpSeconds)
    if (requests === 0) return
  }
}

async function runLoad(generator: LoadGenerator, { url }: Running, prepared: Prepared, seconds: number) {
  const { file, connections, sent } = prepared
  const result = await generator.run({ url, file, connections, seconds, firstNumber: nextNumbers(), from: sent })
  prepared.sent += result.requests
  return result
}

async function measureOnce({ server, generator }: Bench, runner: Runner, prepared: Prepared): Promise<Figures> {
  const { running, database } = runner
  forgetPeak(running.pids)
  await server.countFromHere()
  const [cpuBefore, databaseCpuBefore] = [cpuSecondsWithDescendants(running.pids), server.cpuSeconds()]
  const result = await runLoad(generator, running, prepared, prepared.seconds)
  const [cpuAfter, databaseCpuAfter] = [cpuSecondsWithDescendants(running.pids), server.cpuSeconds()]
  const queries = await server.countOf(database)
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
  }
}
