import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newAccount } from './support/account.js'
import { field, file, form, formType, sendPieces, slowly, storedPaths } from './support/forms.js'
import { checkedOperatorAnswer, newOperator } from './support/operator.js'
import { until } from './support/program.js'
import { binaryFiles } from './support/sample-files.js'
import { startService } from './support/service.js'

// Pauses are far from the limits on either side: a busy machine is late, never early.
const patient = await startService({ patience: { silence: 4000, json: 2000 } })
const impatient = await startService({ patience: { silence: 400, json: 400, head: 400 } })

const pdf = binaryFiles.pdf as Buffer
const whole = form(field('type', 'cmr'), file('a.pdf', Buffer.concat([pdf, Buffer.alloc(200_000, 1)])))

async function start(service = impatient) {
  const account = await newAccount(service)
  const { key } = await newOperator(service, 'admin')
  const upload = { path: `/ops/v1/accounts/${account.slug}/documents`, key, type: formType }
  const lines = { path: '/ops/v1/import', key, type: 'application/x-ndjson' }
  return { ...account, upload, lines }
}

function location(account: string, id: number): Buffer {
  return Buffer.from(`${JSON.stringify({ kind: 'location', account, data: { id } })}\n`)
}

/** The body up to a place, and then nothing for longer than anybody waits. */
async function* fallingSilentAt(body: Buffer, place: number): AsyncGenerator<Buffer> {
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
])('an upload that falls silent %s is given up, and leaves nothing behind', async (_, place) => {
  const { upload, call } = await start()
  const before = await storedPaths(impatient)
  const response = await sendPieces(impatient, upload, fallingSilentAt(whole, place))
  expect(await checkedOperatorAnswer('uploadDocument', response)).toBeRefused('request_timeout')
  expect(response.headers.get('connection')).toBe('close')
  expect((await call('listDocuments')).body).toEqual([])
  await until(async () => (await storedPaths(impatient)).length === before.length)
})

test('an import that falls silent is given up, and changes nothing', async () => {
  const { slug, lines, call } = await start()
  const body = Buffer.concat([location(slug, 1), location(slug, 2)])
  const response = await sendPieces(impatient, lines, fallingSilentAt(body, body.length - 10))
  expect(await checkedOperatorAnswer('import', response)).toBeRefused('request_timeout')
  expect((await call('listLocations')).body).toEqual([])
})

test('an upload and an import that keep coming may take longer than any pause, and longer than JSON', async () => {
  const { slug, upload, lines, call } = await start(patient)
  const [uploaded, imported] = await Promise.all([
    sendPieces(patient, upload, slowly(inPieces(whole, 25), 200)),
    sendPieces(
      patient,
      lines,
      slowly(
        Array.from({ length: 25 }, (_, index) => location(slug, index + 1)),
        200,
      ),
    ),
  ])
  expect(uploaded.status).toBe(201)
  expect((await checkedOperatorAnswer('import', imported)).body.kinds).toMatchObject({ location: { created: 25 } })
  expect((await call('listLocations')).body).toHaveLength(25)
})

test('a body of JSON must arrive whole in its time, however steadily it comes', async () => {
  const { key, call } = await start()
  const body = Buffer.from(JSON.stringify({ reference: 'PO-1', product_lines: [] }).padEnd(200))
  const to = { path: '/v1/purchaseOrders', key, type: 'application/json' }
  const response = await sendPieces(impatient, to, slowly(inPieces(body, 40), 100))
  expect({ status: response.status, text: await response.text() }).toBeRefused('request_timeout')
  expect(response.headers.get('connection')).toBe('close')
  expect((await call('listPurchaseOrders')).body).toEqual([])
})

test('a head that does not come to its end is refused', async () => {
  const { hostname, port } = new URL(impatient.baseUrl)
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

test('who goes on sending after a refusal gets the answer, and is cut off after a while', async () => {
  const { upload } = await start()
  const { hostname, port } = new URL(impatient.baseUrl)
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
