import { expect, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { sendBytes } from '../support/raw-http.js'
import { startService } from '../support/service.js'

/** A request whose head two servers may read differently is refused, on every route and with any credentials. */

const service = await startService()
const { key } = await newAccount(service)

const send = (line: string, ...headers: string[]) =>
  sendBytes(service.baseUrl, Buffer.from([line, ...headers, 'Connection: close', '', ''].join('\r\n')))

const authorization = `Authorization: Bearer ${key}`
// Without the framework, with it, without a route, and without a key.
const targets = ['/v1/locations', '/v1/documents', '/v1/none', '/health/live', '/sign-in']

test.each(targets)('GET %s with two Host or two Authorization headers is refused', async (target) => {
  const line = `GET ${target} HTTP/1.1`
  expect((await send(line, 'Host: x', authorization)).status).not.toBe(400)
  for (const headers of [
    ['Host: x', 'Host: x', authorization],
    ['Host: x', authorization, 'hOST: y'],
    ['Host: x', authorization, authorization],
    ['Host: x', authorization, 'authorization: Bearer other'],
  ]) {
    expect(await send(line, ...headers)).toBeRefused('malformed_request')
  }
})

test.each(targets)('GET %s is refused with a protocol version other than 1.0 and 1.1', async (target) => {
  expect((await send(`GET ${target} HTTP/1.0`, authorization)).status).not.toBe(400)
  for (const version of ['2.0', '0.9', '3.0', '1.2']) {
    expect(await send(`GET ${target} HTTP/${version}`, 'Host: x', authorization)).toBeRefused('malformed_request')
  }
})
