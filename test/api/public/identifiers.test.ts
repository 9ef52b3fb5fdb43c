import { expect, test } from 'vitest'
import { operations } from '../../../src/contract/public/operations.js'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { importEverything, newIdentifiers, readInput, readNames } from '../../support/every-resource.js'
import { sendRaw } from '../../support/raw-http.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function get({ key }: TestAccount, target: string) {
  const response = await fetch(service.baseUrl + target, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, text: await response.text() }
}

test('an invoice is found by its reference first, or else by its number', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports(
    { kind: 'invoice', data: { reference: 'R-1', number: 'N/1' } },
    { kind: 'invoice', data: { reference: 'R-2', number: 'R-1', sent_date: '2030-01-01T00:00:00Z' } },
  )
  const found = async (reference: string) => (await call('getInvoice', { params: { reference } })).body.reference
  expect(await found('R-1')).toBe('R-1')
  expect(await found('N/1')).toBe('R-1')
  expect(await found('R-2')).toBe('R-2')
  expect(await call('getInvoice', { params: { reference: 'R-3' } })).toBeRefused('invoice_not_found')
})

test.each(['PO/2026/001', '100%', '%2F', 'a b+c', '?#&=', 'Größe-货-🚢', 'x'.repeat(255), '🚢'.repeat(255)])(
  'the percent-encoded identifier %j is found',
  async (identifier) => {
    const { call, forwarder } = await newAccount(service)
    await forwarder.imports(
      { kind: 'shipment', data: { svc_shipment_id: identifier } },
      { kind: 'tracking', data: { svc_shipment_id: identifier } },
      { kind: 'invoice', data: { reference: identifier } },
      { kind: 'purchase_order', data: { reference: identifier, product_lines: [line()] } },
    )
    const params = { svc_shipment_id: identifier, reference: identifier }
    expect((await call('getShipment', { params })).body.svc_shipment_id).toBe(identifier)
    expect((await call('getTracking', { params })).body.svc_shipment_id).toBe(identifier)
    expect((await call('getInvoice', { params })).body.reference).toBe(identifier)
    expect((await call('getPurchaseOrder', { params })).body.po_number).toBe(identifier)
  },
)

test('an identifier of dots is found if the client does not resolve it', async () => {
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: '..' } })
  const headers: [string, string][] = [['Authorization', `Bearer ${key}`]]
  expect((await sendRaw(service.baseUrl, { target: '/v1/shipments/%2E%2E', headers })).status).toBe(200)
})

test('an identifier that is not percent-encoded is another path', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'a/b' } })
  expect(await get(account, '/v1/shipments/a/b')).toBeRefused('path_not_found')
  expect((await get(account, '/v1/shipments/a%2fb')).status).toBe(200)
})

test('a location has one path: its identifier as an integer', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports({ kind: 'location', data: { id: 7 } })
  expect((await get(account, '/v1/locations/7')).status).toBe(200)
  for (const id of ['07', '7.0', '+7', '%207', '-7', '1e1', 'abc', '9007199254740993', '99999999999999999999']) {
    expect(await get(account, `/v1/locations/${id}`)).toBeRefused('location_not_found')
  }
})

test.each(readNames.filter((name) => 'params' in operations[name]))(
  '%s responds to identifiers of another account with the same bytes as to unknown ones',
  async (name) => {
    const [mine, theirs] = [await newAccount(service), await newAccount(service)]
    const ids = newIdentifiers()
    await importEverything(service, theirs, ids, 'theirs')
    expect((await theirs.call(name, readInput(name, ids))).status).toBe(200)
    const ofOther = await mine.call(name, readInput(name, ids))
    const ofNobody = await mine.call(name, readInput(name, newIdentifiers()))
    expect(ofOther.status).toBe(404)
    expect(withoutRequestId(ofOther)).toEqual(withoutRequestId(ofNobody))
  },
)

function withoutRequestId({ status, headers, text }: { status: number; headers: Headers; text: string }) {
  const id = headers.get('x-request-id') ?? ''
  return { status, text: text.replace(id, ''), headers: [...headers].filter(([name]) => !/request-id|date/.test(name)) }
}

test('a path with an empty identifier is not found', async () => {
  const { key } = await newAccount(service)
  for (const path of ['/v1/shipments/', '/v1/purchaseOrders/', '/v1/locations/', '/v1/invoices/', '/v1/tracking/']) {
    const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${key}` } })
    expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
      path,
      404,
      'path_not_found',
    ])
  }
})
