import { expect, test } from 'vitest'
import type { OperatorOperation } from '../../../src/contract/operator/operation.js'
import { operatorOperationNames, operatorOperations } from '../../../src/contract/operator/operations.js'
import { startForwarding } from '../../support/forwarder.js'
import { sendExample } from '../../support/operator-examples.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { baseUrl } = service

test('an unchanged read is a 304, and a changed one returns the new response', async () => {
  const { work, shipment } = await startForwarding(service)
  const svc_shipment_id = await shipment()
  const params = { svc_shipment_id }
  const first = await work('getShipment', { params })
  const etag = first.headers.get('etag') as string
  expect(etag).toMatch(/^(?:W\/)?"[^"]+"$/)
  expect((await work('getShipment', { params, ifNoneMatch: etag })).status).toBe(304)
  await work('updateShipment', { params, body: { name: 'N' } })
  const changed = await work('getShipment', { params, ifNoneMatch: etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

test('HEAD returns the headers of GET without a body', async () => {
  const { slug, operatorKey, shipment } = await startForwarding(service)
  const id = await shipment()
  const headers = { authorization: `Bearer ${operatorKey}` }
  for (const path of ['/ops/v1/operator', `/ops/v1/accounts/${slug}`, `/ops/v1/accounts/${slug}/shipments/${id}`]) {
    const get = await fetch(baseUrl + path, { headers })
    const head = await fetch(baseUrl + path, { method: 'HEAD', headers })
    expect([head.status, head.headers.get('etag')]).toEqual([200, get.headers.get('etag')])
    expect(await head.text()).toBe('')
  }
  expect((await fetch(`${baseUrl}/ops/v1/operator`, { method: 'HEAD' })).status).toBe(401)
})

test('another method on a known path is refused with Allow, and an unknown path with 404', async () => {
  for (const name of operatorOperationNames) {
    const { path }: OperatorOperation = operatorOperations[name]
    const address = baseUrl + path.replaceAll(/\{\w+\}/g, 'x')
    const methods = operatorOperationNames
      .map((each): OperatorOperation => operatorOperations[each])
      .filter((each) => each.path === path)
      .map(({ method }) => method)
    const other = (['PATCH', 'PUT', 'POST', 'DELETE'] as const).find((method) => !methods.includes(method)) as string
    const refused = await fetch(address, { method: other })
    expect({ status: refused.status, text: await refused.text() }, path).toBeRefused('method_not_allowed')
    for (const method of methods) expect(refused.headers.get('allow'), path).toContain(method)
  }
  for (const path of ['/ops/v1', '/ops/v1/account', '/ops/v1/accounts/x/ships', '/ops/v2/accounts']) {
    const response = await fetch(baseUrl + path)
    expect({ status: response.status, text: await response.text() }, path).toBeRefused('path_not_found')
  }
})

test('a path with an empty parameter is not found', async () => {
  const { operatorKey: key } = await startForwarding(service)
  const response = await sendExample({ baseUrl, key }, 'getShipment', { svc_shipment_id: '' })
  expect({ status: response.status, text: await response.text() }).toBeRefused('path_not_found')
})

test('identifiers with slashes, spaces and non-ASCII letters are percent-encoded in paths and in Location', async () => {
  const { slug, work, operatorKey } = await startForwarding(service)
  for (const svc_shipment_id of ['TMS/2026/1', 'a b', 'Größe', '50%', 'a?b#c', '..x']) {
    const created = await work('createShipment', { body: { svc_shipment_id } })
    const location = created.headers.get('location') as string
    expect(location).toBe(`/ops/v1/accounts/${slug}/shipments/${encodeURIComponent(svc_shipment_id)}`)
    const response = await fetch(baseUrl + location, { headers: { authorization: `Bearer ${operatorKey}` } })
    expect(((await response.json()) as { id: string }).id).toBe(svc_shipment_id)
  }
})
