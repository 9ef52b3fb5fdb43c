import { readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { refusals } from '../../src/contract/refusals.js'
import { openDatabase } from '../../src/database/database.js'
import { schemaVersion } from '../../src/database/migrate.js'
import { type BucketAddress, documentBucket } from '../../src/documents/document-bucket.js'
import { documentFolder } from '../../src/documents/document-folder.js'
import { line, newAccount } from '../support/account.js'
import { startBucket } from '../support/bucket.js'
import { startDatabaseProxy } from '../support/database-proxy.js'
import { readSamples, valueIn } from '../support/metrics.js'
import { startServing, temporaryFolder, until } from '../support/program.js'
import { serviceOnNewDatabase } from '../support/round-trip.js'
import { startService } from '../support/service.js'

const service = await startService()
const cutOff = await serviceBehindProxy()
const mute = await serviceBehindProxy()
const counted = await startService()

test('a running service is live and ready', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    const response = await fetch(service.baseUrl + path)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  }
})

test('without its database a service is live but not ready, refuses requests with 503, and recovers by itself', async () => {
  const { road, baseUrl } = cutOff
  const { key } = await newAccount(service)
  const request = () => fetch(`${baseUrl}/v1/purchaseOrders`, { headers: { authorization: `Bearer ${key}` } })
  expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(200)
  expect((await request()).status).toBe(200)

  await road.close()
  const ready = await fetch(`${baseUrl}/health/ready`)
  expect(ready.status).toBe(503)
  expect(ready.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await ready.json()).toMatchObject({ code: 'service_unavailable', status: 503 })
  expect((await fetch(`${baseUrl}/health/live`)).status).toBe(200)

  const refused = await request()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.json()).toMatchObject({
    code: 'service_unavailable',
    detail: refusals.service_unavailable.explanation,
  })

  await road.open()
  await until(async () => (await fetch(`${baseUrl}/health/ready`)).status === 200)
  expect((await request()).status).toBe(200)
})

test('a database that accepts connections but never responds makes the service not ready', async () => {
  const { road, baseUrl } = mute
  road.hold()
  expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(503)
  expect((await fetch(`${baseUrl}/health/live`)).status).toBe(200)
  await road.close()
})

test('metrics use the Prometheus text format and count requests by interface, operation, method and status', async () => {
  const { baseUrl } = counted
  const { call } = await newAccount(counted)
  await call('listLocations')
  await call('listLocations')
  expect(await call('listShipments')).toBeRefused('no_shipments_found')
  expect((await fetch(`${baseUrl}/v1/locations`)).status).toBe(401)
  expect((await fetch(`${baseUrl}/nowhere`)).status).toBe(404)

  const response = await fetch(`${baseUrl}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  for (const each of text.trimEnd().split('\n')) {
    expect(each).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_:\d]+ .+|[a-z_:\d]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? \S+|)$/,
    )
  }
  expect(text).toContain('# TYPE waybill_request_duration_seconds histogram\n')
  expect(text).toContain('\nprocess_cpu_seconds_total ')
  const counts = Object.fromEntries(
    [...text.matchAll(/^waybill_requests_total\{(.+)\} (\d+)$/gm)].map(([, labels, count]) => [labels, Number(count)]),
  )
  expect(counts).toEqual({
    'interface="public",operation="listLocations",method="GET",status="200"': 2,
    'interface="public",operation="listShipments",method="GET",status="404"': 1,
    'interface="public",operation="listLocations",method="GET",status="401"': 1,
    'interface="other",operation="other",method="GET",status="404"': 1,
  })
  expect(text).not.toContain(service.dataFolder)
})

test('a missing or outdated schema makes the service not ready; a newer one does not', async () => {
  const old = await serviceOnNewDatabase('health')
  expect(await readinessOf(old)).toEqual({ status: 200, detail: undefined })
  // As in a rolling upgrade: this process serves until it is replaced.
  await old.db`insert into schema_migrations (version, name) values (${schemaVersion + 1}, 'later')`
  expect(await readinessOf(old)).toEqual({ status: 200, detail: undefined })
  await old.db`delete from schema_migrations where version >= ${schemaVersion}`
  const needs = `this program needs ${schemaVersion}: run \`waybill migrate\`.`
  const detail = `The database has schema version ${schemaVersion - 1}, ${needs}`
  expect(await readinessOf(old)).toEqual({ status: 503, detail })
  await old.db`drop table schema_migrations`
  expect(await readinessOf(old)).toEqual({ status: 503, detail: `The database has schema version 0, ${needs}` })
  expect((await fetch(`${old.baseUrl}/health/live`)).status).toBe(200)
})

test('while documents cannot be stored the service reports degraded, serves everything else, and recovers by itself', async () => {
  const folder = await temporaryFolder()
  const blocker = join(folder, 'disk')
  await writeFile(blocker, '')
  const degraded = await startService({ files: documentFolder(join(blocker, 'documents')) })
  const ready = async () => (await fetch(`${degraded.baseUrl}/health/ready`)).json()
  const writable = async () => valueIn(await readSamples(degraded.baseUrl), 'waybill_documents_writable')
  expect(await ready()).toEqual({ status: 'degraded', problems: ['Documents cannot be stored.'] })
  expect(await writable()).toBe(0)
  const { callAt } = await newAccount(service)
  expect((await callAt(degraded, 'listLocations')).status).toBe(200)

  await rm(blocker)
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000)
  onTestFinished(() => clock.mockRestore())
  expect(await ready()).toEqual({ status: 'ok' })
  expect(await writable()).toBe(1)
  // The probe leaves no file behind.
  expect(await readdir(join(blocker, 'documents'))).toEqual([])
})

test('an unreachable or missing bucket makes documents not writable', async () => {
  const bucket = await startBucket()
  const folder = await temporaryFolder()
  const ready = async (address: BucketAddress) => {
    const { baseUrl } = await startService({ files: documentBucket(address, folder) })
    return ((await (await fetch(`${baseUrl}/health/ready`)).json()) as { status: string }).status
  }
  expect(await ready(bucket.address)).toBe('ok')
  expect(await bucket.objects()).toEqual([])
  expect(await ready({ ...bucket.address, bucket: 'others' })).toBe('degraded')
  expect(await ready({ ...bucket.address, secret: 'wrong' })).toBe('degraded')
  await bucket.stop()
  expect(await ready(bucket.address)).toBe('degraded')
})

test('a stopping service reports not ready on open connections, and completes the requests it has accepted', async () => {
  const serving = await startServing({ env: { DATABASE_URL: inject('databaseUrl') } })
  const { id, key } = await newAccount(service)
  const { hostname, port } = new URL(serving.baseUrl)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => (received += String(text)))
  const body = JSON.stringify({ reference: 'P-1', product_lines: [line()] })
  await service.db.begin(async (sql) => {
    // A write waits for the account lock while the service stops; a pipelined request behind it is served in turn.
    const [row] = await sql`select pg_backend_pid() as pid from accounts where account_id = ${id} for update`
    socket.write(
      `POST /v1/purchaseOrders HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        'GET /health/ready HTTP/1.1\r\nHost: here\r\n\r\n',
    )
    const waiting = () => service.db`select from pg_stat_activity where ${row?.pid} = any(pg_blocking_pids(pid))`
    await until(async () => (await waiting()).length > 0)
    serving.kill('SIGTERM')
    const isRefused = () =>
      fetch(`${serving.baseUrl}/health/live`).then(
        () => false,
        () => true,
      )
    await until(isRefused)
  })
  expect(await serving.ended).toMatchObject({ code: 0, stderr: '' })
  await until(() => socket.destroyed)
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 503'])
  expect(received).toContain('"detail":"The service is stopping."')
  expect(received.toLowerCase()).toMatch(/\r\nretry-after: \d+\r\n/)
})

async function readinessOf({ baseUrl }: { baseUrl: string }) {
  const response = await fetch(`${baseUrl}/health/ready`)
  const { detail } = (await response.json()) as { detail?: string }
  return { status: response.status, detail }
}

/** A service whose connection to the database can be cut. */
async function serviceBehindProxy() {
  const road = await startDatabaseProxy()
  const { baseUrl } = await startService({ db: openDatabase({ url: road.url }, { connections: 2 }) })
  return { road, baseUrl }
}
