import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Problem } from '../../../src/contract/problem.js'
import { operationNames, operations, type PublicOperation } from '../../../src/contract/public/operations.js'
import { type Line, line, newAccount, type TestAccount } from '../../support/account.js'
import { proposalForm } from '../../support/proposals.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function get({ key }: TestAccount, target: string) {
  const response = await fetch(service.baseUrl + target, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, text: await response.text() }
}

/** Expects a refusal, and returns the faults as `pointer: detail`. */
async function faultsOf(account: TestAccount, target: string): Promise<string[]> {
  const result = await get(account, target)
  expect(result).toBeRefused('invalid_request')
  return ((JSON.parse(result.text) as Problem).errors ?? []).map(({ pointer, detail }) => `${pointer}: ${detail}`)
}

/** Shipments of seven days, with identifiers that are unrelated to the day. */
function shipments(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'shipment',
    data: {
      svc_shipment_id: `S${String(index).padStart(3, '0')}`,
      created_at: `2026-01-0${1 + (index % 7)}T00:00:00Z`,
    },
  }))
}

test('fields without a value are omitted from every resource', async () => {
  const { call, forwarder } = await newAccount(service)
  const id = randomUUID()
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S' } },
    { kind: 'location', data: { id: 7 } },
    { kind: 'tracking', data: { svc_shipment_id: 'S' } },
    { kind: 'invoice', data: { reference: 'I' } },
    { kind: 'document', data: { id, name: 'a.txt', content_base64: 'YQ==' } },
    { kind: 'purchase_order', data: { reference: 'P', product_lines: [line()] } },
  )
  const [shipment] = (await call('listShipments')).body
  expect(shipment).toEqual({
    svc_shipment_id: 'S',
    needs_ad_valorem_insurance: false,
    purchase_order_references: [],
    invoice_status: 'awaiting_invoice',
    invoice_references: [],
  })
  expect((await call('listLocations')).text).toBe('[{"id":7}]')
  expect((await call('getTracking', { params: { svc_shipment_id: 'S' } })).text).toBe('{"svc_shipment_id":"S"}')
  expect((await call('listInvoices')).text).toBe('[{"reference":"I"}]')
  expect((await call('listPurchaseOrders')).body).toEqual([
    {
      po_number: 'P',
      purchase_order_lines: [
        { reference: '1', product: { sku: 'SKU-1' }, ordered_quantity: 10, assigned_order_lines: [] },
      ],
    },
  ])
  const [document] = (await call('listDocuments')).body
  expect(document).toEqual({ id, name: 'a.txt', type: null, size: 1, link: expect.stringMatching(/^http/) })
})

test('shipments are sorted newest first by creation instant, then by identifier', async () => {
  const { call, forwarder } = await newAccount(service)
  const created: Record<string, string> = {
    'older-b': '2026-01-01T00:00:00Z',
    'older-a': '2026-01-01T00:00:00Z',
    'older-Z': '2026-01-01T08:00:00+08:00',
    // The latest instant, though not the latest local time.
    newest: '2026-01-01T23:00:00-10:00',
    middle: '2026-01-02T08:00:00+08:00',
  }
  for (const [svc_shipment_id, created_at] of Object.entries(created)) {
    await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id, created_at } })
  }
  const list = (await call('listShipments')).body.map(({ svc_shipment_id }) => svc_shipment_id)
  expect(list).toEqual(['newest', 'middle', 'older-Z', 'older-a', 'older-b'])
})

test('invoices, documents and orders are sorted newest first, then by identifier; locations by identifier', async () => {
  const { call, forwarder } = await newAccount(service)
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()].toSorted() as [string, string, string]
  const document = { name: 'a', content_base64: '' }
  await forwarder.imports(
    { kind: 'invoice', data: { reference: 'a', sent_date: '2026-01-01T00:00:00Z' } },
    { kind: 'invoice', data: { reference: 'c', sent_date: '2026-02-01T00:00:00Z' } },
    { kind: 'invoice', data: { reference: 'b', sent_date: '2026-02-01T01:00:00+01:00' } },
    { kind: 'document', data: { ...document, id: third, uploaded_at: '2026-02-01' } },
    { kind: 'document', data: { ...document, id: second, uploaded_at: '2026-02-01' } },
    { kind: 'document', data: { ...document, id: first, uploaded_at: '2026-01-31' } },
    { kind: 'location', data: { id: 20 } },
    { kind: 'location', data: { id: 3 } },
  )
  for (const reference of ['b', 'a', 'c'])
    await call('createPurchaseOrder', { body: { reference, product_lines: [line()] } })
  await call('updatePurchaseOrder', { body: { reference: 'b', supplier_id: 'changed' } })

  expect((await call('listInvoices')).body.map(({ reference }) => reference)).toEqual(['b', 'c', 'a'])
  expect((await call('listDocuments')).body.map(({ id }) => id)).toEqual([second, third, first])
  expect((await call('listPurchaseOrders')).body.map(({ po_number }) => po_number)).toEqual(['c', 'a', 'b'])
  expect((await call('listLocations')).body.map(({ id }) => id)).toEqual([3, 20])
})

test('pages of shipments add up to the whole list; ten is the default page size', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports(...shipments(25))
  const whole = (await call('listShipments', { query: { take: 100 } })).body
  expect(whole).toHaveLength(25)
  expect((await call('listShipments')).body).toEqual(whole.slice(0, 10))
  const pages = []
  for (const skip of [0, 7, 14, 21]) pages.push(...(await call('listShipments', { query: { skip, take: 7 } })).body)
  expect(pages).toEqual(whole)
})

test('an empty list of shipments is a 404, and every other empty list a 200 with an empty array', async () => {
  const { call } = await newAccount(service)
  expect(await call('listShipments')).toBeRefused('no_shipments_found')
  for (const name of ['listPurchaseOrders', 'listLocations', 'listInvoices', 'listDocuments'] as const) {
    expect(await call(name)).toMatchObject({ status: 200, text: '[]' })
    expect(await call(name, { query: { skip: 5, take: 1 } })).toMatchObject({ status: 200, text: '[]' })
  }
})

test('skipping past the last shipment is a 404', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports(...shipments(3))
  expect((await call('listShipments', { query: { skip: 2 } })).body).toHaveLength(1)
  expect(await call('listShipments', { query: { skip: 3 } })).toBeRefused('no_shipments_found')
  expect(await call('listShipments', { query: { skip: 2_147_483_647 } })).toBeRefused('no_shipments_found')
})

test.each(['abc', '', '1.5', '1e2', '0x10', ' 1', '9'.repeat(30), 'null'])(
  'non-integer skip and take (%j) are refused',
  async (text) => {
    const account = await newAccount(service)
    for (const path of ['/v1/shipments', '/v1/documents', '/v1/purchaseOrders', '/v1/locations', '/v1/invoices']) {
      const value = encodeURIComponent(text)
      expect(await faultsOf(account, `${path}?skip=${value}&take=${value}`)).toEqual([
        '/skip: must be an integer',
        '/take: must be an integer',
      ])
    }
  },
)

test.each([
  ['/v1/shipments', 100],
  ['/v1/documents', 100],
  ['/v1/purchaseOrders', 1000],
  ['/v1/locations', 1000],
  ['/v1/invoices', 1000],
] as const)('%s accepts take from 1 to %i and skip from 0, without clamping', async (path, most) => {
  const account = await newAccount(service)
  await account.forwarder.imports(...shipments(1))
  expect(await faultsOf(account, `${path}?take=0`)).toEqual(['/take: must be 1 or more'])
  expect(await faultsOf(account, `${path}?take=-1`)).toEqual(['/take: must be 1 or more'])
  expect(await faultsOf(account, `${path}?take=${most + 1}`)).toEqual([`/take: must be ${most} or less`])
  expect(await faultsOf(account, `${path}?skip=-1`)).toEqual(['/skip: must be 0 or more'])
  expect(await faultsOf(account, `${path}?skip=2147483648`)).toEqual(['/skip: must be 2147483647 or less'])
  expect(await faultsOf(account, `${path}?take=1&take=2`)).toEqual(['/take: must be given only once'])
  expect((await get(account, `${path}?skip=0&take=${most}`)).status).toBe(200)
})

test.each(operationNames)('%s refuses an unknown query parameter and names the known ones', async (name) => {
  const account = await newAccount(service)
  const operation: PublicOperation = operations[name]
  const accepted = Object.keys(operation.query?.properties ?? {})
  const meant: Record<string, string> = { shipment_id: 'svc_shipment_id', Take: 'take' }
  const path = operation.path.replaceAll(/\{\w+\}/g, '1')
  for (const unknown of ['shipment_id', 'Take', 'toString', 'constructor', '__proto__']) {
    const response = await fetch(`${service.baseUrl}${path}?${unknown}=1`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${account.key}`,
        ...(!operation.accepts && { 'content-type': 'application/json' }),
      },
      ...(operation.body && { body: JSON.stringify({ reference: 'PO-1', product_lines: [line()] }) }),
      ...(operation.accepts && { body: proposalForm() }),
    })
    const text = await response.text()
    expect({ status: response.status, text }).toBeRefused('invalid_request')
    const near = Object.hasOwn(meant, unknown) && accepted.find((each) => each === meant[unknown])
    const question = near ? ` (did you mean \`${near}\`?)` : ''
    const names = accepted.length === 0 ? '' : `; accepted are: ${accepted.join(', ')}`
    const detail = `is not accepted here${question}${names}`
    expect((JSON.parse(text) as Problem).errors).toEqual([{ pointer: `/${unknown}`, detail }])
  }
  expect((await account.call('listPurchaseOrders')).body).toEqual([])
})

test('documents can be filtered by shipment and type, and paged', async () => {
  const { call, forwarder } = await newAccount(service)
  const document = (name: string, day: number, rest: object): Line => ({
    kind: 'document',
    data: { id: randomUUID(), name, uploaded_at: `2026-01-0${day}`, content_base64: '', ...rest },
  })
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S/1' } },
    { kind: 'shipment', data: { svc_shipment_id: 'S/2' } },
    document('list-1', 5, { svc_shipment_id: 'S/1', type: 'packing_list' }),
    document('cmr-1', 4, { svc_shipment_id: 'S/1', type: 'cmr' }),
    document('list-2', 3, { svc_shipment_id: 'S/2', type: 'packing_list' }),
    document('loose', 2, {}),
    document('list-0', 1, { type: 'packing_list' }),
  )
  const names = async (query: NonNullable<Parameters<typeof call<'listDocuments'>>[1]>['query']) =>
    (await call('listDocuments', { query })).body.map(({ name }) => name)
  expect(await names({})).toEqual(['list-1', 'cmr-1', 'list-2', 'loose', 'list-0'])
  expect(await names({ svc_shipment_id: 'S/1' })).toEqual(['list-1', 'cmr-1'])
  expect(await names({ type: 'packing_list' })).toEqual(['list-1', 'list-2', 'list-0'])
  expect(await names({ svc_shipment_id: 'S/2', type: 'packing_list' })).toEqual(['list-2'])
  expect(await names({ svc_shipment_id: 'S/2', type: 'cmr' })).toEqual([])
  expect(await names({ svc_shipment_id: 'unknown' })).toEqual([])
  expect(await names({ skip: 1, take: 2 })).toEqual(['cmr-1', 'list-2'])
  expect(await names({ type: 'packing_list', skip: 1, take: 1 })).toEqual(['list-2'])
  expect(await names({ skip: 4 })).toEqual(['list-0'])
})

test('a document filter with an unknown type, or a repeated one, is refused', async () => {
  const account = await newAccount(service)
  const [fault] = await faultsOf(account, '/v1/documents?type=PACKING_LIST')
  expect(fault).toContain('/type: must be one of: packing_list, commercial_invoice,')
  expect(await faultsOf(account, '/v1/documents?type=')).toHaveLength(1)
  expect(await faultsOf(account, '/v1/documents?svc_shipment_id=')).toEqual(['/svc_shipment_id: must not be empty'])
  expect(await faultsOf(account, '/v1/documents?svc_shipment_id=a&svc_shipment_id=b')).toEqual([
    '/svc_shipment_id: must be given only once',
  ])
})

test('dates with time keep their offset and precision', async () => {
  const { call, forwarder } = await newAccount(service)
  const dates = ['2026-03-04T10:00:00+08:00', '2026-03-04T10:00:00.120Z', '2026-03-04T10:00:00-03:30'] as const
  await forwarder.imports(
    {
      kind: 'shipment',
      data: { svc_shipment_id: 'S', created_at: dates[0], accepted_quote: { accepted_date: dates[1] } },
    },
    {
      kind: 'tracking',
      data: {
        svc_shipment_id: 'S',
        initial_dates: { eta: dates[2], etd: dates[1] },
        tracking_steps: [{ type: 'pickup', events: [{ date: dates[2], status: 'actual' }] }],
      },
    },
    { kind: 'invoice', data: { reference: 'I', sent_date: dates[0] } },
  )
  const shipment = (await call('getShipment', { params: { svc_shipment_id: 'S' } })).body
  expect(shipment.created_at).toBe(dates[0])
  expect(shipment.accepted_quote?.accepted_date).toBe(dates[1])
  expect(shipment.main_tracking_dates?.pickup_date).toEqual({ date: dates[2], status: 'actual' })
  const tracking = (await call('getTracking', { params: { svc_shipment_id: 'S' } })).body
  expect(tracking.initial_dates).toEqual({ eta: dates[2], etd: dates[1] })
  expect(tracking.tracking_steps?.[0]?.events?.[0]?.date).toBe(dates[2])
  expect((await call('getInvoice', { params: { reference: 'I' } })).body.sent_date).toBe(dates[0])
})

test('instants that differ by a microsecond are sorted correctly', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'A', created_at: '2026-03-04T10:00:00.123456+08:00' } },
    { kind: 'shipment', data: { svc_shipment_id: 'B', created_at: '2026-03-04T02:00:00.123457Z' } },
  )
  const { body } = await call('listShipments')
  expect(body.map(({ svc_shipment_id }) => svc_shipment_id)).toEqual(['B', 'A'])
})
