import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'

const service = await startService()

const warehouse = { company_name: 'Nordlicht', name: 'Warehouse', city: 'Hamburg', country: 'DE', zip_code: '20457' }

test('a location is created, and the account sees it at once', async () => {
  const { slug, work, call, operator_id } = await startForwarding(service)
  const created = await work('createLocation', { body: { ...warehouse, id: 1003 } })
  expect(created.headers.get('location')).toBe(`/ops/v1/accounts/${slug}/locations/1003`)
  expect(created.body).toMatchObject({
    id: '1003',
    record: { id: 1003, ...warehouse },
    recorded_by: `operator:${operator_id}`,
    shown: { id: 1003, zip_code: 20457 },
  })
  expect((await call('getLocation', { params: { id: '1003' } })).body).toEqual(created.body.shown)
  expect((await call('listLocations')).body).toEqual([created.body.shown])
  expect((await work('getLocation', { params: { id: '1003' } })).body).toEqual(created.body)
})

test('a location without an identifier gets the one after the highest, retired ones included', async () => {
  const { work } = await startForwarding(service)
  const add = async (id?: number) =>
    (await work('createLocation', { body: { name: 'N', ...(id !== undefined && { id }) } })).body.record.id
  expect(await add()).toBe(1)
  expect(await add()).toBe(2)
  expect(await add(41)).toBe(41)
  expect(await add(-7)).toBe(-7)
  await work('updateLocation', { params: { id: '41' }, body: { retired: true } })
  expect(await add()).toBe(42)
})

test('concurrently created locations get different identifiers', async () => {
  const { work } = await startForwarding(service)
  const created = await Promise.all(Array.from({ length: 10 }, () => work('createLocation', { body: { name: 'N' } })))
  expect(created.map(({ body }) => body.record.id).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 1),
  )
})

test('an identifier of an existing or retired location is refused; another account may use it', async () => {
  const { work, revision } = await startForwarding(service)
  await work('createLocation', { body: { id: 7, name: 'First' } })
  await work('updateLocation', { params: { id: '7' }, body: { retired: true } })
  const before = await revision()
  expect(await work('createLocation', { body: { id: 7, name: 'Second' } })).toBeRefused('location_exists')
  expect(await revision()).toBe(before)
  const stranger = await startForwarding(service)
  expect((await stranger.work('createLocation', { body: { id: 7, name: 'Theirs' } })).status).toBe(201)
  expect((await work('getLocation', { params: { id: '7' } })).body.record.name).toBe('First')
})

test('replacing a location replaces everything but its identifier, and the previous version stays readable', async () => {
  const { work, call } = await startForwarding(service)
  await work('createLocation', { body: { ...warehouse, id: 3 } })
  const replaced = (await work('replaceLocation', { params: { id: '3' }, body: { name: 'New warehouse' } })).body
  expect(replaced.record).toEqual({ id: 3, name: 'New warehouse' })
  expect((await call('getLocation', { params: { id: '3' } })).body).toEqual({ id: 3, name: 'New warehouse' })
  const [entry] = (await work('getHistory', { params: { kind: 'location', id: '3' } })).body
  expect(entry?.changes).toContainEqual({ pointer: '/name', before: 'Warehouse', after: 'New warehouse' })
  expect(entry?.changes).toContainEqual({ pointer: '/city', before: 'Hamburg' })
})

test('an unchanged location, with fields in any order, creates no version', async () => {
  const { work, revision } = await startForwarding(service)
  await work('createLocation', { body: { id: 3, name: 'N', city: 'C' } })
  const before = await revision()
  await work('replaceLocation', { params: { id: '3' }, body: { city: 'C', name: 'N' } })
  expect(await revision()).toBe(before)
})

test('a retired location is not listed for the account, but found by its identifier and listed for operators', async () => {
  const { work, call } = await startForwarding(service)
  await work('createLocation', { body: { id: 1, name: 'Stays' } })
  await work('createLocation', { body: { id: 2, name: 'Goes' } })
  const seen = (await call('getLocation', { params: { id: '2' } })).body
  const etag = (await call('listLocations')).headers.get('etag') as string

  const retired = await work('updateLocation', { params: { id: '2' }, body: { retired: true, reason: 'sold' } })
  expect(retired.body).toMatchObject({ record: { id: 2, name: 'Goes', retired: true }, reason: 'sold' })
  const listed = await call('listLocations', { ifNoneMatch: etag })
  expect(listed.status).toBe(200)
  expect(listed.body.map(({ id }) => id)).toEqual([1])
  expect((await call('getLocation', { params: { id: '2' } })).body).toEqual(seen)
  expect((await work('listLocations')).body.map(({ id }) => id)).toEqual(['1', '2'])

  await work('updateLocation', { params: { id: '2' }, body: { retired: false } })
  expect((await call('listLocations')).body.map(({ id }) => id)).toEqual([1, 2])
})

test('a replaced retired location stays retired', async () => {
  const { work, call } = await startForwarding(service)
  await work('createLocation', { body: { id: 1, name: 'A' } })
  await work('updateLocation', { params: { id: '1' }, body: { retired: true } })
  const replaced = await work('replaceLocation', { params: { id: '1' }, body: { name: 'B' } })
  expect(replaced.body.record).toEqual({ id: 1, name: 'B', retired: true })
  expect((await call('listLocations')).body).toEqual([])
})

test('shipments and tracking keep a retired location; new references to it are refused', async () => {
  const { work, shipment, seen, call } = await startForwarding(service)
  await work('createLocation', { body: { id: 5, name: 'Factory' } })
  await work('createLocation', { body: { id: 6, name: 'Shop' } })
  const route = { pickup_location_id: '5', delivery_location_id: '6' }
  const old = await shipment({ route })
  const plan = { steps: [{ type: 'pickup' as const, location_id: 5 }] }
  await work('planTracking', { params: { svc_shipment_id: old }, body: plan })
  await work('updateLocation', { params: { id: '5' }, body: { retired: true } })

  expect((await seen(old)).route).toEqual(route)
  const tracked = (await call('getTracking', { params: { svc_shipment_id: old } })).body
  expect(tracked.tracking_steps?.[0]?.location).toEqual({ id: 5, name: 'Factory' })
  const changed = await work('updateShipment', { params: { svc_shipment_id: old }, body: { name: 'Old', route } })
  expect(changed.body.record).toMatchObject({ name: 'Old', route })
  expect((await work('planTracking', { params: { svc_shipment_id: old }, body: plan })).status).toBe(200)

  const refused = await work('createShipment', { body: { route } })
  expect(refused.problem.errors).toEqual([{ pointer: '/route/pickup_location_id', detail: 'the location is retired' }])
  const fresh = await shipment()
  const patch = await work('updateShipment', { params: { svc_shipment_id: fresh }, body: { route } })
  expect(pointersOf(patch)).toEqual(['/route/pickup_location_id'])
  const planned = await work('planTracking', { params: { svc_shipment_id: fresh }, body: plan })
  expect(pointersOf(planned)).toEqual(['/steps/0/location_id'])
})

test('a route can only reference locations of the account', async () => {
  const { work } = await startForwarding(service)
  const stranger = await startForwarding(service)
  await stranger.work('createLocation', { body: { id: 77, name: 'Theirs' } })
  for (const id of ['77', '1', '007', 'abc', '1.0', '99999999999999999999']) {
    const refused = await work('createShipment', { body: { route: { delivery_location_id: id } } })
    expect(refused.problem.errors, id).toEqual([
      { pointer: '/route/delivery_location_id', detail: 'the account has no such location' },
    ])
  }
})

test('locations are listed by number in pages, now and as of a time', async () => {
  const { work } = await startForwarding(service)
  for (const id of [10, 9, 100, -3]) await work('createLocation', { body: { id, name: `N${id}` } })
  const all = (await work('listLocations')).body
  expect(all.map(({ record }) => record.id)).toEqual([-3, 9, 10, 100])
  expect((await work('listLocations', { query: { skip: 1, take: 2 } })).body).toEqual(all.slice(1, 3))
  const as_of = new Date().toISOString()
  await work('createLocation', { body: { id: 11, name: 'later' } })
  expect((await work('listLocations', { query: { skip: 0, take: 20, as_of } })).body).toEqual(all)
  expect((await work('listLocations', { query: { skip: 1, take: 2, as_of } })).body).toEqual(all.slice(1, 3))
})

test('a location that does not exist, or whose number is spelled differently, is refused with 404', async () => {
  const { work } = await startForwarding(service)
  const stranger = await newAccount(service)
  await stranger.forwarder.imports({ kind: 'location', data: { id: 8, name: 'Theirs' } })
  for (const id of ['8', '08', 'x', '1e3', '99999999999999999999']) {
    expect(await work('getLocation', { params: { id } }), id).toBeRefused('location_not_found')
    const body = { name: 'Mine' }
    expect(await work('replaceLocation', { params: { id }, body }), id).toBeRefused('location_not_found')
    const retire = { retired: true }
    expect(await work('updateLocation', { params: { id }, body: retire }), id).toBeRefused('location_not_found')
  }
})

test.each([
  [{ id: 1.5 }, '/id'],
  [{ id: '1' }, '/id'],
  [{ id: 2 ** 53 }, '/id'],
  [{ country: 'Germany' }, '/country'],
  [{ zip_code: true }, '/zip_code'],
  [{ retired: true }, '/retired'],
  [{ colour: 'red' }, '/colour'],
])('a location of %j is refused', async (body, pointer) => {
  const { tries } = await startForwarding(service)
  expect(pointersOf(await tries('createLocation', { body }))).toEqual([pointer])
})
