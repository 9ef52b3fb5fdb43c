import { expect, test } from 'vitest'
import { type Container, containerTypes, type Shipment } from '../../../src/contract/public/shipment.js'
import { type Line, line, newAccount, type TestAccount } from '../../support/account.js'
import { startService } from '../../support/service.js'

const service = await startService()

/** Imports a shipment `S` with these fields, and reads it. */
async function shipmentWith(account: TestAccount, data: Omit<Shipment, 'svc_shipment_id'>, ...others: Line[]) {
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', ...data } }, ...others)
  return (await account.call('getShipment', { params: { svc_shipment_id: 'S' } })).body
}

/** The latest stored record of a resource, as it was received. */
async function recordOf({ id }: TestAccount, kind: string, resource: string): Promise<unknown> {
  const [row] = await service.db<{ record: string }[]>`
    select record from changes
    where account_id = ${id} and kind = ${kind} and id = ${resource} and record is not null
    order by revision desc limit 1`
  return JSON.parse(row?.record ?? 'null')
}

test('the VAT rate of an invoice line is called vatRate, unlike every other field', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'invoice', data: { reference: 'I', lines: [{ vatRate: 8.1 }] } })
  const { text } = await call('getInvoice', { params: { reference: 'I' } })
  expect(text).toBe('{"reference":"I","lines":[{"vatRate":8.1}]}')
})

test.each([
  [8045, 8045],
  ['8045', 8045],
  ['0', 0],
  ['01234', undefined],
  ['SW1A 1AA', undefined],
  ['', undefined],
  ['-5', undefined],
  ['1'.repeat(30), undefined],
])('a zip_code %j is returned as %j, and stored as received', async (given, returned) => {
  const account = await newAccount(service)
  await account.forwarder.imports({ kind: 'location', data: { id: 1, zip_code: given } })
  const location = (await account.call('getLocation', { params: { id: '1' } })).body
  expect(location).toEqual({ id: 1, ...(returned !== undefined && { zip_code: returned }) })
  expect(await recordOf(account, 'location', '1')).toEqual({ id: 1, zip_code: given })
})

test('a phone is returned only if it is an integer, and always stored as received', async () => {
  const account = await newAccount(service)
  const contacts = [
    { name: 'a', phone: 41448001234 },
    { name: 'b', phone: '41448001234' },
    { name: 'c', email: 'c@example.com', phone: '+41 44 800 12 34' },
    { name: 'd', phone: '0448001234' },
  ]
  await account.forwarder.imports({ kind: 'location', data: { id: 1, contacts } })
  const location = (await account.call('getLocation', { params: { id: '1' } })).body
  expect(location.contacts).toEqual([
    { name: 'a', phone: 41448001234 },
    { name: 'b', phone: 41448001234 },
    { name: 'c', email: 'c@example.com' },
    { name: 'd' },
  ])
  expect(await recordOf(account, 'location', '1')).toEqual({ id: 1, contacts })
})

test('the location of a tracking step follows the same rule for phone and zip_code', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S' } },
    {
      kind: 'tracking',
      data: {
        svc_shipment_id: 'S',
        tracking_steps: [
          { type: 'pickup', location: { id: 1, zip_code: 'EC1A', contacts: [{ name: 'a', phone: '+44' }] } },
          { type: 'delivery', location: { id: 2, zip_code: '8045' } },
        ],
      },
    },
  )
  const tracking = (await call('getTracking', { params: { svc_shipment_id: 'S' } })).body
  expect(tracking.tracking_steps).toEqual([
    { type: 'pickup', location: { id: 1, contacts: [{ name: 'a' }] } },
    { type: 'delivery', location: { id: 2, zip_code: 8045 } },
  ])
})

test('a route references locations by strings and ports by country, slash and place', async () => {
  const account = await newAccount(service)
  const route = {
    pickup_location_id: '7',
    origin_port_unlocode: 'CN/SHA',
    destination_port_unlocode: 'CH/BSL',
    delivery_location_id: '8',
  }
  const shipment = await shipmentWith(account, { route })
  expect(shipment.route).toEqual(route)
})

test.each([
  [{ pickup_location_id: 7 }, '/data/route/pickup_location_id'],
  [{ origin_port_unlocode: 'CNSH' }, '/data/route/origin_port_unlocode'],
  [{ origin_port_unlocode: 'Shanghai' }, '/data/route/origin_port_unlocode'],
])('a route with %j is refused', async (route, pointer) => {
  const { forwarder } = await newAccount(service)
  const { outcome, faults } = await forwarder.triesToImport({
    kind: 'shipment',
    data: { svc_shipment_id: 'S', route: route as object },
  })
  expect(outcome.kept).toBe(false)
  expect(faults.map((fault) => fault.pointer)).toEqual([pointer])
})

test.each(['CNSHA', 'cn/sha', 'CN SHA'])(
  'a port that is imported as %j is shown in the form of the interface',
  async (written) => {
    const shipment = await shipmentWith(await newAccount(service), { route: { origin_port_unlocode: written } })
    expect(shipment.route).toEqual({ origin_port_unlocode: 'CN/SHA' })
  },
)

test('coordinates are strings with all digits', async () => {
  const { call, forwarder } = await newAccount(service)
  const ocean_coordinates = [
    { latitude: '31.2000', longitude: '121.50' },
    { latitude: '-0', longitude: '180' },
  ]
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S' } },
    { kind: 'tracking', data: { svc_shipment_id: 'S', ocean_coordinates } },
  )
  const tracking = (await call('getTracking', { params: { svc_shipment_id: 'S' } })).body
  expect(tracking.ocean_coordinates).toEqual(ocean_coordinates)
})

test('goods and insurance have the defaults of the interface unless values are given', async () => {
  const account = await newAccount(service)
  const plain = await shipmentWith(account, { transported_goods: {} })
  expect(plain.transported_goods).toEqual({
    is_stackable: true,
    is_hazardous: false,
    contains_lithium: false,
    contains_magnets: false,
    needs_controlled_temperature: false,
  })
  expect(plain.needs_ad_valorem_insurance).toBe(false)
  const opposite = {
    is_stackable: false,
    is_hazardous: true,
    contains_lithium: true,
    contains_magnets: true,
    needs_controlled_temperature: true,
  }
  const given = await shipmentWith(account, { transported_goods: opposite, needs_ad_valorem_insurance: true })
  expect(given.transported_goods).toEqual(opposite)
  expect(given.needs_ad_valorem_insurance).toBe(true)
})

test('total_teus is computed from the containers if it is not given', async () => {
  const account = await newAccount(service)
  const containers: Container[] = containerTypes.map((container_type) => ({ container_type }))
  const counted = await shipmentWith(account, { cargo: { containers } })
  // Four types of twenty feet, nine longer ones.
  expect(counted.cargo?.total_teus).toBe(4 + 9 * 2)
  expect((await shipmentWith(account, { cargo: { containers, total_teus: 3 } })).cargo?.total_teus).toBe(3)
  expect((await shipmentWith(account, { cargo: { containers: [] } })).cargo).toEqual({ containers: [] })
  expect((await shipmentWith(account, { cargo: {} })).cargo).toEqual({})
})

test('the deprecated volume_unit of a load is returned as received', async () => {
  const account = await newAccount(service)
  const loads = [{ count: 1.5, volume_unit: 'anything' }]
  expect((await shipmentWith(account, { cargo: { loads } })).cargo?.loads).toEqual(loads)
})

const explicit = {
  invoice_status: 'paid',
  invoice_references: ['OLD-INVOICE'],
  purchase_order_references: ['OLD-ORDER'],
  main_tracking_dates: {
    pickup_date: { date: '2020-01-01T00:00:00Z', status: 'actual' },
    delivery_date: { date: '2020-02-01T00:00:00Z', status: 'planned' },
  },
} satisfies Omit<Shipment, 'svc_shipment_id'>

test('given derived fields are kept while there is nothing to derive them from', async () => {
  expect(await shipmentWith(await newAccount(service), explicit)).toMatchObject(explicit)
})

test('an invoice replaces given invoice fields, and no others', async () => {
  const invoice: Line = {
    kind: 'invoice',
    data: { reference: 'I', number: 'N', status: 'due', svc_shipment_id: 'S' },
  }
  const shipment = await shipmentWith(await newAccount(service), explicit, invoice)
  expect(shipment).toMatchObject({ ...explicit, invoice_status: 'due', invoice_references: ['N'] })
})

test('an assignment replaces given order fields, and no others', async () => {
  const shipment = await shipmentWith(
    await newAccount(service),
    explicit,
    { kind: 'purchase_order', data: { reference: 'P', product_lines: [line({ reference: '1' })] } },
    { kind: 'assignment', data: { reference: 'P', line: '1', svc_shipment_id: 'S', assigned_quantity: 1 } },
  )
  expect(shipment).toMatchObject({ ...explicit, purchase_order_references: ['P'] })
})

test('tracking replaces the given milestones that it has, and no others', async () => {
  const date = '2026-03-04T10:00:00+08:00'
  const tracking: Line = {
    kind: 'tracking',
    data: { svc_shipment_id: 'S', tracking_steps: [{ type: 'pickup', events: [{ date, status: 'estimated' }] }] },
  }
  const shipment = await shipmentWith(await newAccount(service), explicit, tracking)
  expect(shipment).toMatchObject({
    ...explicit,
    main_tracking_dates: {
      pickup_date: { date, status: 'estimated' },
      delivery_date: explicit.main_tracking_dates.delivery_date,
    },
  })
})

test.each(['0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
  'the date %s, which is outside the calendar in UTC, is a fault of its line',
  async (created_at) => {
    const { forwarder } = await newAccount(service)
    const { faults } = await forwarder.triesToImport({ kind: 'shipment', data: { svc_shipment_id: 'S', created_at } })
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/data/created_at'])
  },
)

test.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-01-01T00:00:00+23:59', '2026-01-01T00:00:00-23:59'])(
  'the date %s is accepted',
  async (created_at) => {
    expect((await shipmentWith(await newAccount(service), { created_at })).created_at).toBe(created_at)
  },
)

test('non-integer numbers of a location are stored and not returned', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports({
    kind: 'location',
    data: { id: -7, country: 'fr', zip_code: 1.5, contacts: [{ name: 'A', phone: 0.5 }] },
  })
  const { body } = await call('getLocation', { params: { id: '-7' } })
  expect(body).toEqual({ id: -7, country: 'fr', contacts: [{ name: 'A' }] })
})

test('a port of a tracking step is returned in the format it was received in', async () => {
  const { call, forwarder } = await newAccount(service)
  const tracking_steps = [{ type: 'origin_port' as const, port: { unlocode: 'CNSHA' } }]
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S' } },
    { kind: 'tracking', data: { svc_shipment_id: 'S', tracking_steps } },
  )
  expect((await call('getTracking', { params: { svc_shipment_id: 'S' } })).body.tracking_steps).toEqual(tracking_steps)
})
