import { existsSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { line, newAccount } from '../support/account.js'
import { administer, withDatabase } from '../support/database.js'
import { readSamples, valueIn } from '../support/metrics.js'
import { runProgram, startProgram, startServing, temporaryFolder, until } from '../support/program.js'
import { startService } from '../support/service.js'

const service = await startService()
const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: await temporaryFolder() }

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: a request in progress is completed, then the service exits with 0',
  async (signal) => {
    const { id, key, call } = await newAccount(service)
    const serving = await startServing({ env })
    const body = JSON.stringify({ reference: 'PO-1', product_lines: [line()] })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

    // The account lock is held, so that the request waits for it.
    const { lock, isWaitedFor, release } = await lockAccount(id)
    const result = fetch(`${serving.baseUrl}/v1/purchaseOrders`, { method: 'POST', headers, body })
    await until(isWaitedFor)
    serving.kill(signal)
    await until(() => refusesConnections(serving.baseUrl))
    release()
    await lock

    expect((await result).status).toBe(201)
    expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect((await call('getPurchaseOrder', { params: { reference: 'PO-1' } })).status).toBe(200)
  },
)

test('SIGTERM: a response to a slow reader arrives completely, then the service exits with 0', async () => {
  const { key, forwarder } = await newAccount(service)
  // One body, larger than the socket buffers.
  const lines = Array.from({ length: 150 }, () => ({ description: 'x'.repeat(100_000) }))
  await forwarder.imports({ kind: 'invoice', data: { reference: 'I-1', lines } })
  const serving = await startServing({ env })
  const headers = { authorization: `Bearer ${key}` }
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  // Nothing of the body is read yet.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${serving.baseUrl}/v1/invoices/I-1`, { headers, agent }, resolve).on('error', reject)
  })
  const length = Number(response.headers['content-length'])
  expect(length).toBeGreaterThan(15_000_000)
  serving.kill('SIGTERM')
  await until(() => refusesConnections(serving.baseUrl))

  let received = 0
  for await (const chunk of response as AsyncIterable<Buffer>) received += chunk.length
  expect(received).toBe(length)
  expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test('SIGTERM: a request sent after the last response on a connection is not executed', async () => {
  const { id, key, call } = await newAccount(service)
  const serving = await startServing({ env })
  const { lock, isWaitedFor, release } = await lockAccount(id)
  const { socket, received, closed } = openRawConnection(serving.baseUrl)
  socket.write(order(key, 'PO-1'))
  await until(isWaitedFor)
  serving.kill('SIGTERM')
  await until(() => refusesConnections(serving.baseUrl))
  release()
  await lock
  await until(() => received.length > 0)
  socket.write(order(key, 'PO-2'))
  await closed
  expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })

  const responses = Buffer.concat(received).toString()
  expect(responses.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(responses).toMatch(/^HTTP\/1\.1 201 /)
  expect(responses).toMatch(/^connection: close\r$/im)
  expect((await call('listPurchaseOrders')).body.map(({ po_number }) => po_number)).toEqual(['PO-1'])
})

test('SIGTERM: pipelined requests are all answered, then the service exits with 0', async () => {
  const { id, key, call } = await newAccount(service)
  const serving = await startServing({ env })
  const { lock, isWaitedFor, release } = await lockAccount(id)
  const { socket, received, closed } = openRawConnection(serving.baseUrl)
  socket.write(order(key, 'PO-1') + order(key, 'PO-2') + order(key, 'PO-3'))
  await until(isWaitedFor)
  // Plus the session that asks.
  const samples = await readSamples(serving.baseUrl)
  expect(valueIn(samples, 'waybill_requests_under_way')).toBe(4)
  serving.kill('SIGTERM')
  await until(() => refusesConnections(serving.baseUrl))
  release()
  await lock
  await closed
  expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })

  const responses = Buffer.concat(received).toString()
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 201'))
  const { body } = await call('listPurchaseOrders')
  expect(body.map(({ po_number }) => po_number).toSorted()).toEqual(['PO-1', 'PO-2', 'PO-3'])
})

/** Sends raw text, and collects the response. */
function openRawConnection(baseUrl: string) {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  return { socket, received, closed }
}

function order(key: string, reference: string): string {
  const body = JSON.stringify({ reference, product_lines: [line()] })
  const head = `POST /v1/purchaseOrders HTTP/1.1\r\nHost: waybill\r\nAuthorization: Bearer ${key}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

test('an idle service exits at once, even with an open connection', async () => {
  const serving = await startServing({ env })
  await (await fetch(`${serving.baseUrl}/health/live`)).arrayBuffer()
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test.each(['serve', 'sandbox'])(
  '`%s` reports a port in use in one line, with exit code 1, before it creates a database',
  async (command) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const dataFolder = join(tmpdir(), `waybill-not-created-${port}`)
    const ended = await runProgram([command, '--port', String(port)], { env: { WAYBILL_DATA_DIR: dataFolder } })
    other.close()
    expect(ended).toMatchObject({
      code: 1,
      stderr: `waybill: 127.0.0.1:${port} is in use: stop the program that uses it, or choose another PORT\n`,
    })
    expect(existsSync(dataFolder)).toBe(false)
  },
)

test('a database that refuses the connection is reported in one line, with exit code 1', async () => {
  const url = withDatabase(inject('serverUrl'), 'no_such_database')
  const ended = await runProgram(['account', 'list'], { env: { ...env, DATABASE_URL: url } })
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^waybill: the database at \S+ refuses the connection \(database "no_such_database" does not exist\): create that .+\n$/,
    ) as string,
  })
})

test('an unreachable database is reported in one line, with exit code 1', async () => {
  const DATABASE_URL = 'postgres://waybill@127.0.0.1:1/waybill'
  const ended = await runProgram(['serve'], { env: { ...env, DATABASE_URL, PORT: '0' } })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/^waybill: the database at 127\.0\.0\.1:1 cannot be reached \(.+\): .+ DATABASE_URL\n$/)
})

test('generate: the same seed gives the same lines, another seed gives others', async () => {
  const generate = async (seed: string) => {
    const args = [
      'generate',
      '--accounts',
      '2',
      '--shipments',
      '5',
      '--seed',
      seed,
      '--today',
      '2026-06-01',
      '--documents',
    ]
    const ended = await runProgram(args, { env: {} })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return ended.stdout
  }
  const [one, same, other] = await Promise.all([generate('a'), generate('a'), generate('b')])
  expect(one).toBe(same)
  expect(one).not.toBe(other)
  expect(one?.match(/^\{"kind":"shipment"/gm)).toHaveLength(10)
})

test('generate: each account comes before its data, and everything can be imported', async () => {
  const name = `waybill_generated_${process.pid}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const { stdout } = await runProgram(['generate', '--accounts', '3', '--shipments', '8', '--documents'], { env: {} })
  const known = new Set<string>()
  for (const text of stdout.trimEnd().split('\n')) {
    const { kind, account } = JSON.parse(text) as { kind: string; account: string }
    if (kind === 'account') known.add(account)
    expect(known).toContain(account)
  }
  expect(known.size).toBe(3)

  const ended = await runProgram(['import', '-', '--json'], {
    env: { DATABASE_URL: withDatabase(inject('serverUrl'), name), WAYBILL_DATA_DIR: env.WAYBILL_DATA_DIR },
    input: stdout,
  })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ended.stdout)).toMatchObject({
    kept: true,
    rejected: 0,
    kinds: { account: { created: 3 }, shipment: { created: 24 } },
  })
  await administer(inject('serverUrl'), `drop database ${name} with (force)`)
})

test('generate: a closed output pipe ends it without an error', async () => {
  const program = startProgram(['generate', '--accounts', '1', '--shipments', '100000'])
  await until(() => program.stdout().length > 0)
  program.child.stdout?.destroy()
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

function refusesConnections(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/health/live`).then(
    () => false,
    () => true,
  )
}

async function lockAccount(account: number) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let lock = Promise.resolve<unknown>(undefined)
  const holder = await new Promise<number>((resolve, reject) => {
    lock = service.db.begin(async (sql) => {
      const [row] = await sql<{ pid: number }[]>`
        select pg_backend_pid() as pid from accounts where account_id = ${account} for update`
      resolve(row?.pid as number)
      await released
    })
    lock.catch(reject)
  })
  async function isWaitedFor(): Promise<boolean> {
    const waiting = await service.db`
      select from pg_stat_activity where ${holder} = any(pg_blocking_pids(pid))`
    return waiting.length > 0
  }
  return { lock, isWaitedFor, release }
}
