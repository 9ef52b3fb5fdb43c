import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { field, file, form, formType, sendPieces, slowly, storedPaths } from '../support/forms.js'
import { checkedOperatorResponse, newOperator } from '../support/operator.js'
import { until } from '../support/program.js'
import { binaryFiles } from '../support/sample-files.js'
import { startService } from '../support/service.js'

// The pauses are far from the timeouts on both sides, for busy machines.
const longTimeouts = await startService({ timeouts: { idle: 4000, jsonBody: 2000 } })
const shortTimeouts = await startService({ timeouts: { idle: 400, jsonBody: 400, headers: 400 } })

const pdf = binaryFiles.pdf as Buffer
const whole = form(field('type', 'cmr'), file('a.pdf', Buffer.concat([pdf, Buffer.alloc(200_000, 1)])))

async function start(service = shortTimeouts) {
  const account = await newAccount(service)
  const { key } = await newOperator(service, 'admin')
  const upload = { path: `/ops/v1/accounts/${account.slug}/documents`, key, type: formType }
  const lines = { path: '/ops/v1/import', key, type: 'application/x-ndjson' }
  return { ...account, upload, lines }
}

function location(account: string, id: number): Buffer {
  return Buffer.from(`${JSON.stringify({ kind: 'location', account, data: { id } })}\n`)
}

/** The body up to a position, and then nothing until long after the timeout. */
async function* stallingAt(body: Buffer, place: number): AsyncGenerator<Buffer> {
  yield body.subarray(0, place)
  await sleep(20_000, undefined, { ref: false })
  yield body.subarray(place)
}

function inPieces(body: Buffer, count: number): Buffer[] {
  const length = Math.ceil(body.length / count)
  return Array.from({ length: count }, (_, index) => body.subarray(index * length, (index + 1) * length))
}

test.each([
  ['before its first byte', 0],
  ['between its parts', whole.indexOf('cmr') + 5],
  ['in the middle of its file', whole.length - 100_000],
])('an upload that stalls %s is refused and leaves nothing behind', async (_, place) => {
  const { upload, call } = await start()
  const before = await storedPaths(shortTimeouts)
  const response = await sendPieces(shortTimeouts, upload, stallingAt(whole, place))
  expect(await checkedOperatorResponse('uploadDocument', response)).toBeRefused('request_timeout')
  expect(response.headers.get('connection')).toBe('close')
  expect((await call('listDocuments')).body).toEqual([])
  await until(async () => (await storedPaths(shortTimeouts)).length === before.length)
})

test('an import that stalls is refused and changes nothing', async () => {
  const { slug, lines, call } = await start()
  const body = Buffer.concat([location(slug, 1), location(slug, 2)])
  const response = await sendPieces(shortTimeouts, lines, stallingAt(body, body.length - 10))
  expect(await checkedOperatorResponse('import', response)).toBeRefused('request_timeout')
  expect((await call('listLocations')).body).toEqual([])
})

test('an upload and an import with steady progress may take longer than the idle and the JSON timeouts', async () => {
  const { slug, upload, lines, call } = await start(longTimeouts)
  const [uploaded, imported] = await Promise.all([
    sendPieces(longTimeouts, upload, slowly(inPieces(whole, 25), 200)),
    sendPieces(
      longTimeouts,
      lines,
      slowly(
        Array.from({ length: 25 }, (_, index) => location(slug, index + 1)),
        200,
      ),
    ),
  ])
  expect(uploaded.status).toBe(201)
  expect((await checkedOperatorResponse('import', imported)).body.kinds).toMatchObject({ location: { created: 25 } })
  expect((await call('listLocations')).body).toHaveLength(25)
})

test('a JSON body must arrive completely within its timeout, however steadily it is sent', async () => {
  const { key, call } = await start()
  const body = Buffer.from(JSON.stringify({ reference: 'PO-1', product_lines: [] }).padEnd(200))
  const to = { path: '/v1/purchaseOrders', key, type: 'application/json' }
  const response = await sendPieces(shortTimeouts, to, slowly(inPieces(body, 40), 100))
  expect({ status: response.status, text: await response.text() }).toBeRefused('request_timeout')
  expect(response.headers.get('connection')).toBe('close')
  expect((await call('listPurchaseOrders')).body).toEqual([])
})

test('incomplete request headers are refused', async () => {
  const { hostname, port } = new URL(shortTimeouts.baseUrl)
  const received = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write('GET /v1/shipments HTTP/1.1\r\nHost: x\r\n'))
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
  })
  expect(received).toMatch(/^HTTP\/1\.1 408 /)
  expect(received).toContain('"code":"request_timeout"')
})

test('a client whose body is too large gets the response, and keeps its connection', async () => {
  const body = Buffer.alloc(4 * 1024 * 1024, 'a')
  for (let time = 0; time < 5; time += 1) {
    const response = await fetch(`${shortTimeouts.baseUrl}/portal/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(413)
    expect(response.headers.get('connection')).not.toBe('close')
    await response.arrayBuffer()
  }
})

test('a client that keeps sending after a refusal gets the response, and is disconnected after a while', async () => {
  const { upload } = await start()
  const { hostname, port } = new URL(shortTimeouts.baseUrl)
  const head = `POST ${upload.path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: ${formType}\r\n\r\n`
  let received = ''
  const socket = connect(Number(port), hostname, () => socket.write(head))
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  socket.on('error', () => {})
  const sending = setInterval(() => socket.writable && socket.write('4\r\nmore\r\n'), 50)
  try {
    await until(() => received.includes('"code":"missing_key"'))
    await until(() => socket.closed)
  } finally {
    clearInterval(sending)
  }
})
