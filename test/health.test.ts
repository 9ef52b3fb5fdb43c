import { expect, test } from 'vitest'
import { refusals } from '../src/contract/refusals.js'
import { openDatabase } from '../src/storage/database.js'
import { newAccount } from './support/account.js'
import { until } from './support/program.js'
import { roadToDatabase } from './support/road.js'
import { startService } from './support/service.js'

const service = await startService()
const cutOff = await serviceOnRoad()
const mute = await serviceOnRoad()
const counted = await startService()

test('a service that runs is alive and ready', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    const response = await fetch(service.baseUrl + path)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  }
})

test('without its database a service is alive but not ready, refuses requests with 503, and recovers by itself', async () => {
  const { road, baseUrl } = cutOff
  const { key } = await newAccount(service)
  const ask = () => fetch(`${baseUrl}/v1/purchaseOrders`, { headers: { authorization: `Bearer ${key}` } })
  expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(200)
  expect((await ask()).status).toBe(200)

  await road.close()
  const ready = await fetch(`${baseUrl}/health/ready`)
  expect(ready.status).toBe(503)
  expect(ready.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await ready.json()).toMatchObject({ code: 'service_unavailable', status: 503 })
  expect((await fetch(`${baseUrl}/health/live`)).status).toBe(200)

  const refused = await ask()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.json()).toMatchObject({
    code: 'service_unavailable',
    detail: refusals.service_unavailable.explanation,
  })

  await road.open()
  await until(async () => (await fetch(`${baseUrl}/health/ready`)).status === 200)
  expect((await ask()).status).toBe(200)
})

test('a database that takes requests but never answers makes the service not ready', async () => {
  const { road, baseUrl } = mute
  road.hold()
  expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(503)
  expect((await fetch(`${baseUrl}/health/live`)).status).toBe(200)
  await road.close()
})

test('metrics are in the text format of Prometheus and count requests by operation, method and status', async () => {
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
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_:\d]+ .+|[a-z_:\d]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? \S+|)$/,
    )
  }
  expect(text).toContain('# TYPE waybill_request_duration_seconds histogram\n')
  expect(text).toContain('\nprocess_cpu_seconds_total ')
  const counts = Object.fromEntries(
    [...text.matchAll(/^waybill_request_duration_seconds_count\{(.+)\} (\d+)$/gm)].map(([, labels, count]) => [
      labels,
      Number(count),
    ]),
  )
  expect(counts).toEqual({
    'operation="listLocations",method="GET",status="200"': 2,
    'operation="listShipments",method="GET",status="404"': 1,
    'operation="listLocations",method="GET",status="401"': 1,
    'operation="other",method="GET",status="404"': 1,
  })
  expect(text).not.toContain(service.dataFolder)
})

/** A service that reaches the database by a road that can be closed. */
async function serviceOnRoad() {
  const road = await roadToDatabase()
  const { baseUrl } = await startService({ db: openDatabase({ url: road.url }, { connections: 2 }) })
  return { road, baseUrl }
}
