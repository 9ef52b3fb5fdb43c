import { gzipSync } from 'node:zlib'
import { smugglings } from './smuggling.js'
import { closeAll, openMany, Wire } from './wire.js'

/** Attacks with connections alone. Each returns what it has sent, and the promises that were broken. */

export type Target = { baseUrl: string; key: string }

export type Size = {
  /** Connections of each kind. */
  connections: number
  /** Idle connections. */
  idle: number
  /** Pipelined requests per connection. */
  pipelined: number
  /** Milliseconds between two bytes of a slow client. */
  pause: number
  /** Milliseconds until the service must have timed out. */
  timeout: number
}

export type Outcome = { requests: number; statuses: number[]; violations: string[] }

export type Abuse = (target: Target, size: Size) => Promise<Outcome>

const soon = 15_000

function head({ key }: Target, method: string, path: string, ...lines: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...lines, '', ''].join('\r\n')
}

const json = 'Content-Type: application/json'

function outcomeOf(wires: Wire[], requests: number, violations: string[]): Outcome {
  return { requests, statuses: wires.flatMap((wire) => wire.statuses), violations }
}

/** Sends byte by byte until the service times out: it must respond with 408 and close each connection. */
async function drip(wires: Wire[], first: string, more: string, { pause, timeout }: Size): Promise<string[]> {
  for (const wire of wires) wire.send(first)
  const dripping = setInterval(() => {
    for (const wire of wires) wire.send(more)
  }, pause)
  const settled = await Promise.all(wires.map((wire) => wire.settled(timeout)))
  clearInterval(dripping)
  const kept = settled.filter((isSettled) => !isSettled).length
  const timedOut = wires.filter(({ statuses }) => statuses.join() === '408').length
  return [
    ...(kept > 0 ? [`${kept} of ${wires.length} are still open after ${timeout} ms`] : []),
    ...(timedOut < wires.length ? [`${wires.length - timedOut} of ${wires.length} got no 408`] : []),
  ]
}

export const abuses = {
  async 'slow headers'(target, size) {
    const wires = await openMany(target.baseUrl, size.connections)
    const violations = await drip(wires, 'GET /v1/shipments HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'x', size)
    await closeAll(wires)
    return outcomeOf(wires, wires.length, violations)
  },

  async 'slow bodies'(target, size) {
    const wires = await openMany(target.baseUrl, size.connections)
    const start = head(target, 'POST', '/v1/purchaseOrders', json, 'Content-Length: 100000')
    const violations = await drip(wires, start, ' ', size)
    await closeAll(wires)
    return outcomeOf(wires, wires.length, violations)
  },

  async 'idle connections'(target, { idle, timeout }) {
    // Half of them have sent nothing, the others one request.
    const [silent, answered] = [await openMany(target.baseUrl, idle / 2), await openMany(target.baseUrl, idle / 2)]
    for (const wire of answered) wire.send(head(target, 'GET', '/v1/locations'))
    const first = await Promise.all(answered.map((wire) => wire.settled(soon * 2, 1)))
    const unanswered = first.filter((isSettled) => !isSettled).length
    const settled = await Promise.all(silent.map((wire) => wire.settled(timeout)))
    const kept = settled.filter((isSettled) => !isSettled).length
    await closeAll([...silent, ...answered])
    return outcomeOf([...silent, ...answered], answered.length, [
      ...(unanswered > 0 ? [`${unanswered} of ${answered.length} got no response`] : []),
      ...(kept > 0 ? [`${kept} of ${silent.length} that sent nothing are open after ${timeout} ms`] : []),
    ])
  },

  async 'reset connections'(target, { connections }) {
    const wires = await openMany(target.baseUrl, connections)
    const whole = head(target, 'GET', '/v1/purchaseOrders')
    const half = head(target, 'POST', '/v1/purchaseOrders', json, 'Content-Length: 500')
    for (const [index, wire] of wires.entries()) {
      wire.send(index % 3 === 0 ? whole.slice(0, 40) : index % 3 === 1 ? half : whole)
      // Before, during and after its processing.
      setTimeout(() => wire.reset(), index % 40)
    }
    await Promise.all(wires.map((wire) => wire.settled(soon)))
    return outcomeOf([], wires.length, [])
  },

  async 'half-closed connections'(target, { connections }) {
    const wires = await openMany(target.baseUrl, connections)
    const half = head(target, 'POST', '/v1/purchaseOrders', json, 'Content-Length: 500')
    for (const [index, wire] of wires.entries()) {
      wire.send(index % 2 ? head(target, 'GET', '/v1/locations') : half)
      wire.end()
    }
    const settled = await Promise.all(wires.map((wire) => wire.settled(soon)))
    const kept = settled.filter((isSettled) => !isSettled).length
    await closeAll(wires)
    return outcomeOf(wires, wires.length, kept > 0 ? [`${kept} are open although they are half-closed`] : [])
  },

  async 'pipelined requests'(target, { connections, pipelined }) {
    const wires = await openMany(target.baseUrl, Math.max(1, Math.floor(connections / 10)))
    const violations: string[] = []
    await Promise.all(
      wires.map(async (wire, nth) => {
        // Different statuses, so that their order can be checked.
        const expected = Array.from({ length: pipelined }, (_, index) => ((index * 7 + nth) % 3 === 0 ? 404 : 200))
        const one = (status: number) => head(target, 'GET', status === 200 ? '/v1/locations' : '/v1/none')
        wire.send(expected.map(one).join(''))
        if (!(await wire.settled(soon * 4, pipelined)))
          violations.push(`${wire.statuses.length} of ${pipelined} answered`)
        else if (wire.statuses.join() !== expected.join())
          violations.push('responses are not in the order of the requests')
      }),
    )
    await closeAll(wires)
    return outcomeOf(wires, wires.length * pipelined, violations)
  },

  async 'pipelined writes'(target, { pipelined }) {
    const wire = await Wire.open(target.baseUrl)
    const reference = `P-${process.hrtime.bigint()}`
    const line = (quantity: number) => [{ ordered_quantity: quantity, product: { sku: 'S' } }]
    const write = (method: string, body: object) => {
      const text = JSON.stringify(body)
      return head(target, method, '/v1/purchaseOrders', json, `Content-Length: ${text.length}`) + text
    }
    const changes = Array.from({ length: Math.min(pipelined, 100) }, (_, index) => index + 2)
    wire.send(
      write('POST', { reference, product_lines: line(1) }) +
        changes.map((quantity) => write('PATCH', { reference, product_lines: line(quantity) })).join('') +
        head(target, 'GET', `/v1/purchaseOrders/${reference}`),
    )
    await wire.settled(soon * 4, changes.length + 2)
    const violations: string[] = []
    const expected = [201, ...changes.map(() => 200), 200]
    if (wire.statuses.join() !== expected.join())
      violations.push(`the statuses of the writes are ${wire.statuses.join()}`)
    if (!wire.received.includes(`"ordered_quantity":${changes.at(-1)}`))
      violations.push('the last write was not stored')
    await closeAll([wire])
    return outcomeOf([wire], changes.length + 2, violations)
  },

  async 'clients that do not read'(target, { connections, pipelined }) {
    const wires = await openMany(target.baseUrl, Math.max(1, Math.floor(connections / 10)))
    const flood = head(target, 'GET', '/openapi.json').repeat(100)
    for (const wire of wires) {
      wire.stopReading()
      for (let sent = 0; sent < pipelined; sent += 100) if (!wire.send(flood)) break
    }
    // Long enough for responses to accumulate in memory.
    await Promise.all(wires.map((wire) => wire.settled(1500)))
    await closeAll(wires)
    return outcomeOf([], wires.length * pipelined, [])
  },

  async 'oversized headers'(target, { connections }) {
    const wires = await openMany(target.baseUrl, connections)
    const heads = [
      head(target, 'GET', '/v1/shipments', `X-Long: ${'x'.repeat(1_000_000)}`),
      head(target, 'GET', `/v1/shipments/${'x'.repeat(1_000_000)}`),
      head(target, 'GET', '/v1/shipments', ...Array.from({ length: 20_000 }, (_, index) => `X-${index}: x`)),
      `GET ${'/'.repeat(1_000_000)}`,
    ]
    for (const [index, wire] of wires.entries()) wire.send(heads[index % heads.length] as string)
    return refusedAll(wires, [431])
  },

  async 'malformed chunks'(target, { connections }) {
    const wires = await openMany(target.baseUrl, connections)
    const start = head(target, 'POST', '/v1/purchaseOrders', json, 'Transfer-Encoding: chunked')
    const bodies = [
      'zzz\r\n',
      '-5\r\nhello\r\n',
      '5;\r\r\nhello',
      'ffffffffffffffffff\r\n',
      `5;${'x'.repeat(1_000_000)}\r\nhello`,
      '3\r\nhello\r\n0\r\n\r\n',
      `0\r\nX-Trailer: ${'x'.repeat(1_000_000)}\r\n\r\n`,
      '1\r\n \r\n'.repeat(2000) + '0\r\n\r\n',
      '400000\r\n' + ' '.repeat(0x40_0000) + '\r\n1\r\n \r\n0\r\n\r\n',
    ]
    for (const [index, wire] of wires.entries()) wire.send(start + (bodies[index % bodies.length] as string))
    return refusedAll(wires, [400, 413, 431])
  },

  async 'compressed bodies'(target, { connections }) {
    const wires = await openMany(target.baseUrl, connections)
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
    const encodings = [
      'Content-Encoding: gzip',
      'Content-Encoding: gzip, gzip',
      'Content-Encoding: br',
      'Content-Encoding: deflate',
      'Content-Encoding: zstd',
    ]
    for (const [index, wire] of wires.entries()) {
      const encoding = encodings[index % encodings.length] as string
      wire.send(head(target, 'POST', '/v1/purchaseOrders', json, encoding, `Content-Length: ${bomb.length}`))
      wire.send(bomb)
    }
    return refusedAll(wires, [415])
  },

  async 'smuggled requests'(target) {
    const reference = `HIDDEN-${process.hrtime.bigint()}`
    const body = JSON.stringify({ reference, product_lines: [{ ordered_quantity: 1, product: { sku: 'S' } }] })
    const hidden = head(target, 'POST', '/v1/purchaseOrders', json, `Content-Length: ${body.length}`) + body
    const wires = await openMany(target.baseUrl, smugglings.length)
    const violations: string[] = []
    await Promise.all(
      smugglings.map(async ([name, bytes], index) => {
        const wire = wires[index] as Wire
        wire.send(bytes(hidden, target.key))
        const isSettled = await wire.settled(soon)
        const statuses = wire.statuses.join()
        if (!isSettled) violations.push(`${name}: the connection stays open (${statuses})`)
        if (statuses !== '400') violations.push(`${name}: got ${statuses}`)
      }),
    )
    const look = await Wire.open(target.baseUrl)
    look.send(head(target, 'GET', `/v1/purchaseOrders/${reference}`))
    await look.settled(soon, 1)
    if (look.statuses.join() !== '404') violations.push(`a hidden request was performed: ${look.statuses.join()}`)
    await closeAll([...wires, look])
    return outcomeOf(wires, smugglings.length + 1, violations)
  },
} satisfies Record<string, Abuse>

/** Every connection must get one of these statuses, once, and be closed. */
async function refusedAll(wires: Wire[], statuses: number[]): Promise<Outcome> {
  const settled = await Promise.all(wires.map((wire) => wire.settled(soon, 1)))
  const violations = wires.flatMap((wire, index) => {
    const found = wire.statuses
    const isRefused = settled[index] && found.length === 1 && statuses.includes(found[0] as number)
    // A client that is still sending when the connection is closed may not receive the response.
    return isRefused || (wire.isClosed && found.length === 0) ? [] : [`got ${found.join() || 'nothing'}`]
  })
  await closeAll(wires)
  return outcomeOf(wires, wires.length, [...new Set(violations)])
}
