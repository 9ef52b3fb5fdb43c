import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findLoadGenerator } from '../../bench/load/generator.js'
import type { HttpRequest } from '../../bench/queries.js'
import { uniqueMarker } from '../../bench/sample-orders.js'

/** The load generator of machines without wrk, on a real server. */

type Received = { method: string; url: string; key: string; body: string }

const path = process.env.PATH
afterEach(() => {
  process.env.PATH = path
})

async function generatorWithoutWrk() {
  process.env.PATH = ''
  return findLoadGenerator()
}

async function startServer(statusOf: (request: Received) => number) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const each = { method, url, key: String(headers['idempotency-key']), body: Buffer.concat(chunks).toString() }
      received.push(each)
      response.statusCode = statusOf(each)
      response.end(response.statusCode === 304 ? undefined : '{"reference":"PO-1"}')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received, server }
}

const load = { connections: 4, seconds: 1, firstNumber: 1000, from: 0 }
const file = join(tmpdir(), 'unused')

test('without wrk on the PATH a load is measured with autocannon', async () => {
  const generator = await generatorWithoutWrk()
  expect(generator.name).toMatch(/^autocannon \d+\./)
  const { url, received, server } = await startServer(({ url: asked }) => (asked === '/same' ? 304 : 200))
  const requests: HttpRequest[] = ['/one', '/two', '/three', '/same'].map((each) => ({
    method: 'GET',
    path: each,
    headers: {},
  }))
  const prepared = await generator.prepare(url, requests, file)
  const result = await prepared.run(load)
  server.close()
  expect(result.failures).toBe(0)
  expect(result.requests).toBeGreaterThan(0)
  // Requests in flight at the end are received, but not counted.
  expect(received.length - result.requests).toBeLessThanOrEqual(load.connections)
  expect(result.seconds).toBeGreaterThanOrEqual(1)
  expect(result.p50).toBeGreaterThan(0)
  expect(result.p99).toBeGreaterThanOrEqual(result.p50)
  expect(result.cpuSeconds).toBeGreaterThan(0)
  expect(new Set(received.map((each) => each.url))).toEqual(new Set(['/one', '/two', '/three', '/same']))
})

test('autocannon sends each marked request with a number of its own, the same in header and body', async () => {
  const generator = await generatorWithoutWrk()
  const { url, received, server } = await startServer(() => 201)
  const prepared = await generator.prepare(
    url,
    [
      {
        method: 'POST',
        path: '/orders',
        headers: { 'Idempotency-Key': `key-${uniqueMarker}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ reference: `NEW-${uniqueMarker}` }),
      },
    ],
    file,
  )
  const result = await prepared.run(load)
  server.close()
  expect(result.failures).toBe(0)
  const bodies = received.map(({ body }) => (JSON.parse(body) as { reference: string }).reference)
  expect(new Set(bodies).size).toBe(received.length)
  expect(received.map(({ key }) => key.replace('key-', 'NEW-'))).toEqual(bodies)
  for (const reference of bodies) expect(reference).toMatch(/^NEW-\d{12}$/)
})

test('autocannon counts error responses as failures', async () => {
  const generator = await generatorWithoutWrk()
  const { url, server } = await startServer(() => 503)
  const prepared = await generator.prepare(url, [{ method: 'GET', path: '/', headers: {} }], file)
  const result = await prepared.run(load)
  server.close()
  expect(result.failures).toBe(result.requests)
})
