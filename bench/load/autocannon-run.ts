import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'
import type { HttpRequest } from '../contender.js'
import { uniqueMarker } from '../orders.js'
import type { Load, LoadResult } from './load.js'

/** One load, told on the command line; the result is sent to whoever started this process. */

const load = JSON.parse(process.argv[2] ?? '') as Load
const prepared = JSON.parse(await readFile(load.file, 'utf8')) as HttpRequest[]
let number = load.firstNumber
let client = 0
const first = load.from % prepared.length
const requests = [...prepared.slice(first), ...prepared.slice(0, first)].map(requestOf)

const result = await autocannon({
  url: load.url,
  connections: load.connections,
  duration: load.seconds,
  timeout: 60,
  requests: [{ method: 'GET', path: '/' }],
  // Each connection has a part of the requests to itself, if there are enough.
  setupClient(connection) {
    const share = Math.floor(requests.length / load.connections)
    const from = share * client++
    connection.setRequests(share > 0 ? requests.slice(from, from + share) : requests)
  },
})
const told: LoadResult = {
  requests: result.requests.total,
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failures: result.errors + result.timeouts + result['4xx'] + result['5xx'],
}
process.send?.(told)

function requestOf(request: HttpRequest): autocannon.Request {
  const plain = { method: request.method, path: request.path, headers: request.headers }
  const given = request.body === undefined ? plain : { ...plain, body: request.body }
  if (!JSON.stringify(given).includes(uniqueMarker)) return given
  return { ...given, setupRequest: () => numbered(given) }
}

function numbered(request: autocannon.Request): autocannon.Request {
  const next = String(++number).padStart(uniqueMarker.length, '0')
  return JSON.parse(JSON.stringify(request).replaceAll(uniqueMarker, next)) as autocannon.Request
}
