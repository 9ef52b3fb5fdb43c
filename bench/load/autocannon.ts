import { createRequire } from 'node:module'
import autocannon from 'autocannon'
import type { HttpRequest } from '../queries.js'
import { uniqueMarker } from '../sample-orders.js'
import { percentile } from '../sampling.js'
import type { Load, LoadGenerator, LoadResult } from './generator.js'

const { version } = createRequire(import.meta.url)('autocannon/package.json') as { version: string }

/** autocannon, in this process: the benchmark itself does nothing while a load runs. */
export const autocannonGenerator: LoadGenerator = {
  name: `autocannon ${version}`,
  async prepare(url, requests) {
    return { run: (load) => run(url, requests, load) }
  },
}

async function run(url: string, prepared: HttpRequest[], load: Load): Promise<LoadResult> {
  const { connections, seconds } = load
  let number = load.firstNumber
  const nextNumber = () => String(++number).padStart(uniqueMarker.length, '0')
  const first = load.from % prepared.length
  const requests = [...prepared.slice(first), ...prepared.slice(0, first)].map((each) => requestOf(each, nextNumber))

  let clients = 0
  const latencies: number[] = []
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const options: autocannon.Options = {
    url,
    connections,
    duration: seconds,
    // It ends at the first sample after the duration.
    sampleInt: 50,
    timeout: 60,
    // Replaced by `setupClient`: autocannon would copy them for each connection.
    requests: [{ method: 'GET', path: '/' }],
    // Each connection has a part of the requests to itself, if there are enough.
    setupClient(client) {
      const share = Math.floor(requests.length / connections)
      const from = share * clients++
      client.setRequests(share > 0 ? requests.slice(from, from + share) : requests)
    },
  }
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error, ended) => (error ? reject(error as Error) : resolve(ended)))
    // Its own histogram has whole milliseconds only.
    instance.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  })
  const elapsed = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    requests: latencies.length,
    seconds: elapsed,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failures: result.errors + result.timeouts + result['4xx'] + result['5xx'],
    cpuSeconds: (user + system) / 1e6,
  }
}

function requestOf({ method, path, headers, body }: HttpRequest, nextNumber: () => string): autocannon.Request {
  const plain = { method, path, headers, ...(body !== undefined && { body }) }
  const markedHeaders = Object.entries(headers).filter(([, value]) => value.includes(uniqueMarker))
  if (markedHeaders.length === 0 && !path.includes(uniqueMarker) && !body?.includes(uniqueMarker)) return plain
  // Called for each sending.
  const setupRequest = (): autocannon.Request => {
    const next = nextNumber()
    const replaced = markedHeaders.map(([name, value]) => [name, value.replaceAll(uniqueMarker, next)])
    return {
      method,
      path: path.replaceAll(uniqueMarker, next),
      headers: { ...headers, ...(Object.fromEntries(replaced) as Record<string, string>) },
      ...(body !== undefined && { body: body.replaceAll(uniqueMarker, next) }),
    }
  }
  return { ...plain, setupRequest }
}
