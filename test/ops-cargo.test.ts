import { expect, test } from 'vitest'
import type { Cargo } from '../src/contract/shipment.js'
import { line } from './support/account.js'
import { containerNumber } from './support/containers.js'
import { startForwarding } from './support/forwarder.js'
import { startService } from './support/service.js'

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

test('totals that are not given are computed exactly from the loads and the containers', async () => {
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

test('weights in pounds and sizes in inches are computed in the unit of the first load and in cubic metres', async () => {
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

test('a total is not computed where a load does not tell its part', async () => {
  const { cargoSeen } = await start({
    loads: [
      { ...pallet, count: 1 },
      { count: 2, weight: kg(5) },
    ],
  })
  expect(await cargoSeen()).not.toHaveProperty('total_weight')
  expect(await cargoSeen()).not.toHaveProperty('total_volume')
})

test('computed totals follow the loads; given ones stand, and a mismatch is a warning', async () => {
  const { cargoSeen, patch } = await start({ loads: [{ ...pallet, count: 2, weight: kg(300) }] })
  await patch({ loads: [{ ...pallet, count: 4, weight: kg(300) }] })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(1200), total_volume: { value: 3.84, unit: 'cbm' } })

  const given = await patch({ total_weight: kg(1500) })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(1500), total_volume: { value: 3.84, unit: 'cbm' } })
  expect(given.record.computed_totals).toEqual(['total_volume'])
  expect(given.warnings).toEqual([
    { pointer: '/cargo/total_weight', detail: 'is 1500 kg, but the loads come to 1200 kg' },
  ])

  const more = await patch({ loads: [{ ...pallet, count: 5, weight: kg(300) }] })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(1500), total_volume: { value: 4.8, unit: 'cbm' } })
  expect(more.warnings).toBeUndefined()

  await patch({ total_weight: null, loads: [{ ...pallet, count: 1, weight: kg(300) }] })
  expect(await cargoSeen()).toMatchObject({ total_weight: kg(300), total_volume: { value: 0.96, unit: 'cbm' } })

  await patch({ loads: null })
  expect(await cargoSeen()).toEqual({})
})

test('a replacement without totals computes them anew', async () => {
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
] as [Cargo, string[]][])('%j is accepted; what looks wrong is told: %j', async (cargo, pointers) => {
  const { work, params, created, cargoSeen } = await start(cargo)
  expect((created.warnings ?? []).map(({ pointer }) => pointer)).toEqual(pointers)
  expect(await cargoSeen()).toMatchObject(cargo)
  const read = (await work('getShipment', { params })).body
  expect(read.warnings).toEqual(created.warnings)
})

test('a container that order lines are packed into cannot be left out until they are packed elsewhere', async () => {
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

test('a load of nothing, or of a negative weight or size, is refused where it stands', async () => {
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
