import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { abuses, type Size } from '../../soak/transport/abuses.js'
import { Bystander } from '../../soak/transport/bystander.js'
import { smugglings } from '../../soak/transport/smuggling.js'
import { Wire } from '../../soak/transport/wire.js'
import { readWhole } from '../../src/api/transport/json-body.js'
import { line, newAccount } from '../support/account.js'
import { field, file, form, formType } from '../support/forms.js'
import { newOperator } from '../support/operator.js'
import { sendBytes, sendRaw } from '../support/raw-http.js'
import { startService } from '../support/service.js'

/** A small version of the connection abuse of `npm run soak`. Pauses and limits are far from each other. */

const service = await startService()
const shortTimeouts = await startService({ timeouts: { headers: 600, jsonBody: 600, idle: 600 } })
const size: Size = { connections: 30, idle: 100, pipelined: 150, pause: 50, timeout: 20_000 }

const names = Object.keys(abuses) as (keyof typeof abuses)[]
const slow = new Set(['slow headers', 'slow bodies', 'idle connections'])

test.each(names)('%s delay no other client, and are refused or disconnected', async (name) => {
  const { baseUrl } = slow.has(name) ? shortTimeouts : service
  const [abuser, other] = [await newAccount(service), await newAccount(service)]
  const bystander = new Bystander(baseUrl, other.key)
  // On a busy machine a writing client may itself be late.
  bystander.start({ writes: baseUrl === service.baseUrl })
  const { violations, statuses } = await abuses[name]({ baseUrl, key: abuser.key }, size)
  await bystander.stop()
  expect(violations).toEqual([])
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(bystander.failures).toEqual([])
  expect(bystander.requests).toBeGreaterThan(0)
})

// One test each, so that a request that is accepted is named.
test.each(smugglings)('a smuggled request is refused completely: %s', async (_, bytes) => {
  const hidden = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
  const { key } = await newAccount(service)
  const { status, headers, text } = await sendBytes(service.baseUrl, Buffer.from(bytes(hidden, key), 'latin1'))
  expect({ status, text }).toBeRefused('malformed_request')
  expect(headers.get('connection')).toBe('close')
  expect(text).not.toContain('HTTP/1.1')
})

test('requests before a malformed one on the same connection are answered first and completely', async () => {
  const { key, call } = await newAccount(service)
  const body = JSON.stringify({ reference: 'PO-1', product_lines: [line()] })
  const head = (method: string, path: string, ...lines: string[]) =>
    [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...lines, '', ''].join('\r\n')
  const json = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  const wire = await Wire.open(service.baseUrl)
  wire.send(`${head('POST', '/v1/purchaseOrders', ...json)}${body}${head('GET', '/openapi.json')}nonsense\r\n\r\n`)
  expect(await wire.settled(10_000)).toBe(true)
  expect(wire.statuses).toEqual([201, 200, 400])
  expect(wire.received).toContain('"code":"malformed_request"')
  expect((await call('listPurchaseOrders')).body).toHaveLength(1)
})

test('a request refused before its end gets no second response if the rest of it is malformed', async () => {
  const wire = await Wire.open(service.baseUrl)
  wire.send('POST /v1/purchaseOrders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  await wire.settled(10_000, 1)
  wire.send('zzz\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await wire.settled(10_000)).toBe(true)
  expect(wire.statuses).toEqual([401])
})

test('reading the body of a disconnected client fails immediately', async () => {
  const body = new PassThrough()
  body.destroy()
  await expect(readWhole(body, 3_600_000)).rejects.toThrow('before it was complete')
})

test('compressed forms and lines are refused without decompressing them', async () => {
  const { slug } = await newAccount(service)
  const { key } = await newOperator(service)
  const authorization: [string, string] = ['Authorization', `Bearer ${key}`]
  const upload = form(field('type', 'cmr'), file('a.pdf', '%PDF-1.7'))
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip']) {
    for (const [target, type, body] of [
      [`/ops/v1/accounts/${slug}/documents`, formType, upload],
      ['/ops/v1/import', 'application/x-ndjson', Buffer.from('{}\n')],
    ] as const) {
      const headers: [string, string][] = [authorization, ['Content-Type', type], ['Content-Encoding', encoding]]
      expect(await sendRaw(service.baseUrl, { method: 'POST', target, headers, body })).toBeRefused(
        'unsupported_media_type',
      )
    }
  }
})
