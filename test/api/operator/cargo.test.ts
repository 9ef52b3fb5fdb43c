import { expect, test } from 'vitest'
import type { Cargo } from '../../../src/contract/public/shipment.js'
import { line } from '../../support/account.js'
import { containerNumber } from '../../support/containers.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'
import { on, startTracking, containers as tracked } from '../../support/tracking.js'

const service = await startService()

const cm = (value: number) => ({ value, unit: 'cm' as const })
const kg = (value: number) => ({ value, unit: 'kg' as const })
const pallet = { type: 'pallet' as const, length: cm(120), width: cm(80), height: cm(100) }

async function start(cargo: Cargo) {
  const forwarding = await startForwarding(service)
  const created = (await forwarding.work('createShipment', { body: { cargo } })).body
  const params = { svc_shipment_id: created.id }
  const patch = async (change: object) =>
    (await forwarding.work('updateShipment', { params, body: { cargo: change } })).body
  const cargoSeen = async () => (await forwarding.seen(created.id)).cargo
  return { ...forwarding, params, created, patch, cargoSeen }
}

test('missing totals are computed exactly from loads and containers', async () => {
  const { cargoSeen, created } = await start({
    loads: [
      { ...pallet, count: 3, weight: kg(0.1) },
      { ...pallet, count: 1, weight: kg(0.2), height: cm(50) },
    ],
    containers: [
      { container_type: 'twenty_foot_standard' },
      { container_type: 'forty_foot_highcube_standard' },
      { container_type: 'forty_five_foot_highcube_standard' },
    ],
  })
  expect(await cargoSeen()).toMatchObject({
    total_weight: { value: 0.5, unit: 'kg' },
    total_volume: { value: 3.36, unit: 'cbm' },
    total_teus: 5,
  })
  expect(created.record.computed_totals).toEqual(['total_weight', 'total_volume'])
  expect(created.warnings).toBeUndefined()
})

test('totals of pounds and inches are computed in the unit of the first load and in cubic metres', async () => {
  const { cargoSeen } = await start({
    loads: [
      {
        count: 2,
        weight: { value: 100, unit: 'lbs' },
        length: { value: 40, unit: 'in' },
        width: { value: 40, unit: 'in' },
        height: { value: 40, unit: 'in' },
      },
      { count: 1, weight: kg(45.359237), length: cm(100), width: cm(100), height: cm(100) },
    ],
  })
  expect(await cargoSeen()).toMatchObject({
    total_weight: { value: 300, unit: 'lbs' },
    total_volume: { value: 3.098, unit: 'cbm' },
  })
})

test('a total is omitted if a load lacks its value', async () => {
  const { cargoSeen } = await start({
    loads: [
      { ...pallet, count: 1 },
      { count: 2, weight: kg(5) },
    ],
  })
  expect(await cargoSeen()).not.toHaveProperty('total_weight')
  expect(await cargoSeen()).not.toHaveProperty('total_volume')
})

test('computed totals follow the loads; given totals are kept, and a mismatch is a warning', async () => {
  const { cargoSeen, patch } = await start({ loads: [{ ...pallet, count: 2, weight: kg(300) }] })
  await patch({ loads: [{ ...pallet, count: 4, weight: kg(300) }] })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(1200), total_volume: { value: 3.84, unit: 'cbm' } })

  const given = await patch({ total_weight: kg(1500) })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(1500), total_volume: { value: 3.84, unit: 'cbm' } })
  expect(given.record.computed_totals).toEqual(['total_volume'])
  expect(given.warnings).toEqual([
    { pointer: '/cargo/total_weight', detail: 'is 1500 kg, but the loads add up to 1200 kg' },
  ])

  const more = await patch({ loads: [{ ...pallet, count: 5, weight: kg(300) }] })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(1500), total_volume: { value: 4.8, unit: 'cbm' } })
  expect(more.warnings).toBeUndefined()

  await patch({ total_weight: null, loads: [{ ...pallet, count: 1, weight: kg(300) }] })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(300), total_volume: { value: 0.96, unit: 'cbm' } })

  await patch({ loads: null })
  expect(await cargoSeen()).toEqual({})
})

test('a replacement without totals computes them again', async () => {
  const { work, params, cargoSeen } = await start({
    total_weight: kg(9),
    loads: [{ ...pallet, count: 2, weight: kg(300) }],
  })
  expect((await cargoSeen())?.total_weight).toEqual(kg(9))
  const body = { cargo: { loads: [{ ...pallet, count: 3, weight: kg(300) }] } }
  await work('replaceShipment', { params, body })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(900), total_volume: { value: 2.88, unit: 'cbm' } })
})

test.each([
  [{ total_weight: kg(603), loads: [{ count: 2, weight: kg(300) }] }, []],
  [{ total_weight: { value: 1322.77, unit: 'lbs' }, loads: [{ count: 2, weight: kg(300) }] }, []],
  [{ total_weight: kg(620), loads: [{ count: 2, weight: kg(300) }] }, ['/cargo/total_weight']],
  [{ total_volume: { value: 3, unit: 'cbm' }, loads: [{ ...pallet, count: 1 }] }, ['/cargo/total_volume']],
  [{ total_teus: 3, containers: [{ container_type: 'twenty_foot_reefer' }] }, ['/cargo/total_teus']],
  [{ total_teus: 1, containers: [{ container_type: 'twenty_foot_reefer' }] }, []],
  [{ total_teus: 4, containers: [{ container_number: containerNumber(1) }] }, []],
] as [Cargo, string[]][])('%j is accepted with warnings at %j', async (cargo, pointers) => {
  const { work, params, created, cargoSeen } = await start(cargo)
  expect((created.warnings ?? []).map(({ pointer }) => pointer)).toEqual(pointers)
  expect(await cargoSeen()).toMatchObject(cargo)
  const read = (await work('getShipment', { params })).body
  expect(read.warnings).toEqual(created.warnings)
})

test('a container with packed order lines cannot be removed until they are packed elsewhere', async () => {
  const [packed, free] = [containerNumber(11), containerNumber(12)]
  const containers = [{ container_number: packed }, { container_number: free }]
  const { work, call, params, seen, tries, revision } = await start({ containers })
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line({ reference: '1' })] } })
  const assignment = { reference: 'P', line: '1', ...params }
  const body = (container_number: string) => ({ shipped_order_lines: [{ container_number, shipped_quantity: 2 }] })
  await work('assign', { params: assignment, body: { assigned_quantity: 2, ...body(packed) } })
  expect((await seen(params.svc_shipment_id)).cargo?.containers).toEqual([
    { container_number: packed, purchase_order_references: ['P'] },
    { container_number: free },
  ])

  const before = await revision()
  const without = { cargo: { containers: [{ container_number: free }] } }
  const refused = await work('updateShipment', { params, body: without })
  expect(refused).toBeRefused('container_packed')
  expect(refused.problem.detail).toContain(packed)
  expect(await work('replaceShipment', { params, body: {} })).toBeRefused('container_packed')
  expect(await tries('updateShipment', { params, body: { cargo: null } })).toBeRefused('container_packed')
  expect(await revision()).toBe(before)

  await work('pack', { params: assignment, body: body(free) })
  expect((await work('updateShipment', { params, body: without })).status).toBe(200)
  expect((await seen(params.svc_shipment_id)).cargo?.containers).toEqual([
    { container_number: free, purchase_order_references: ['P'] },
  ])
})

test('a load without quantity, or with a negative weight or size, is refused with its pointer', async () => {
  const { work } = await startForwarding(service)
  const loads = [
    { count: 0, weight: kg(5) },
    { count: 2, weight: kg(-5), length: cm(-1) },
  ]
  const refused = await work('createShipment', { body: { cargo: { loads } } })
  expect(refused).toBeRefused('invalid_request')
  expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual([
    '/cargo/loads/0/count',
    '/cargo/loads/1/weight/value',
    '/cargo/loads/1/length/value',
  ])
})

test('implausibly large values are refused with their pointer', async () => {
  const { work } = await startForwarding(service)
  const cargo: Cargo = {
    total_weight: kg(1e300),
    total_volume: { value: 1e10, unit: 'cbm' },
    loads: [
      { count: 10, weight: kg(1e308) },
      { count: 1e10, length: cm(1e300), width: cm(1_000_000_001), height: cm(1_000_000_000) },
    ],
  }
  const pointers = [
    '/cargo/total_weight/value',
    '/cargo/total_volume/value',
    '/cargo/loads/0/weight/value',
    '/cargo/loads/1/count',
    '/cargo/loads/1/length/value',
    '/cargo/loads/1/width/value',
  ]
  expect(pointersOf(await work('createShipment', { body: { cargo } }))).toEqual(pointers)
  const params = { svc_shipment_id: (await work('createShipment', { body: {} })).body.id }
  expect(pointersOf(await work('updateShipment', { params, body: { cargo } }))).toEqual(pointers)
  expect(pointersOf(await work('replaceShipment', { params, body: { cargo } }))).toEqual(pointers)
})

test('implausibly large imported loads are reported as a warning, and block nothing', async () => {
  const { work, forwarder, seen, lastChange } = await startForwarding(service)
  const size = cm(1e300)
  const loads = [{ count: 1e300, weight: kg(1e300), length: size, width: size, height: size }]
  const totals = { total_weight: kg(5), total_volume: { value: 5, unit: 'cbm' } }
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S', cargo: { loads } } },
    { kind: 'shipment', data: { svc_shipment_id: 'T', cargo: { loads, ...totals } } },
  )
  const odd = ['count', 'weight/value', 'length/value', 'width/value', 'height/value'].map(
    (field) => `/cargo/loads/0/${field}`,
  )
  for (const [svc_shipment_id, warned] of [
    ['S', odd],
    ['T', [...odd, '/cargo/total_weight', '/cargo/total_volume']],
  ] as const) {
    const params = { svc_shipment_id }
    const read = await work('getShipment', { params })
    expect(read.body.warnings?.map(({ pointer }) => pointer)).toEqual(warned)
    const renamed = await work('updateShipment', { params, body: { name: 'renamed' } })
    expect(renamed.body.record).not.toHaveProperty('computed_totals')
    expect((await seen(svc_shipment_id)).name).toBe('renamed')
    const more = { cargo: { loads: [...loads, { count: 1, weight: kg(1) }] } }
    expect((await work('updateShipment', { params, body: more })).status).toBe(200)
  }
  expect((await work('listShipments')).body).toHaveLength(2)
  expect((await work('listShipments', { query: { as_of: await lastChange() } })).body).toHaveLength(2)
})

test('a container with events cannot be removed until they are corrected or retracted', async () => {
  const { work, plan, say, params, seen, forwarder, revision } = await startTracking(service)
  await plan()
  await forwarder.imports({
    kind: 'tracking',
    data: {
      ...params,
      tracking_steps: [
        {
          id: 'origin',
          type: 'origin_port',
          events: [{ container_number: tracked[0], date: on(1), status: 'planned' }],
        },
      ],
    },
  })
  await say('origin', 'Gate in', 'estimated', 2, { container_number: tracked[1], event_id: 'one' })
  const without = (number: string) => ({
    cargo: { containers: tracked.filter((each) => each !== number).map((each) => ({ container_number: each })) },
  })
  const before = await revision()
  for (const number of tracked) {
    const refused = await work('updateShipment', { params, body: without(number) })
    expect(refused).toBeRefused('container_has_events')
    expect(refused.problem.detail).toContain(number)
  }
  expect(await work('replaceShipment', { params, body: {} })).toBeRefused('container_has_events')
  expect(await revision()).toBe(before)

  const body = {
    step: 'origin',
    description: 'Gate in',
    date: on(2),
    status: 'estimated' as const,
    reason: 'other box',
  }
  await work('correctEvent', {
    params: { ...params, event_id: 'one' },
    body: { ...body, container_number: tracked[0] },
  })
  expect((await work('updateShipment', { params, body: without(tracked[1]) })).status).toBe(200)
  for (const event_id of ['one', 'origin.1']) {
    await work('retractEvent', { params: { ...params, event_id }, query: { reason: 'no box at all' } })
  }
  expect((await work('updateShipment', { params, body: { cargo: null } })).status).toBe(200)
  expect(await seen(params.svc_shipment_id)).not.toHaveProperty('cargo')
})

test('an imported duplicate container number may stay, but not be repeated again', async () => {
  const { work, forwarder, seen } = await startForwarding(service)
  const [twice, once] = [containerNumber(21), containerNumber(22)]
  const cargoOf = (...numbers: string[]) => ({ containers: numbers.map((container_number) => ({ container_number })) })
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', cargo: cargoOf(twice, once, twice) } })
  const params = { svc_shipment_id: 'S' }
  const patched = await work('updateShipment', { params, body: { name: 'n' } })
  expect(patched.body.warnings?.map(({ pointer }) => pointer)).toEqual(['/cargo/containers/2/container_number'])
  expect((await seen('S')).name).toBe('n')
  const patch = (...numbers: string[]) => work('updateShipment', { params, body: { cargo: cargoOf(...numbers) } })
  const thrice = await patch(twice, once, twice, twice)
  expect(pointersOf(thrice)).toEqual(['/cargo/containers/3/container_number'])
  expect(pointersOf(await patch(twice, once, once))).toEqual(['/cargo/containers/2/container_number'])
  expect((await patch(twice, once)).status).toBe(200)
  expect(pointersOf(await patch(twice, once, twice))).toEqual(['/cargo/containers/2/container_number'])
})
