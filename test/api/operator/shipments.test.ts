import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { isShipmentId } from '../../../src/domain/shipments/shipment-id.js'
import { newAccount } from '../../support/account.js'
import { containerNumber } from '../../support/containers.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'

const service = await startService()

const booking: OperatorBody<'createShipment'> = {
  name: 'Lamps, Ningbo – Hamburg',
  incoterm: 'fob',
  freight_mode: 'ocean',
  load_type: 'fcl',
  freight_type: 'door_to_door',
  route: { origin_port_unlocode: 'CN/NGB', destination_port_unlocode: 'DE/HAM' },
  cargo_ready_date: '2026-03-01',
  specific_instructions: 'Keep dry',
  commercial_value: { amount: 120000, currency: 'USD' },
}

test('a shipment created from a booking request gets a pronounceable identifier, and the account sees it', async () => {
  const { slug, work, call, operator_id } = await startForwarding(service, 'operations')
  const created = await work('createShipment', { body: booking })
  expect(created.body.record).toMatchObject({ ...booking, status: 'booking_request' })
  expect(created.body.recorded_by).toBe(`operator:${operator_id}`)
  const { id } = created.body
  expect(id).toMatch(/^SHP-[2-9A-HJ-NP-Z]{6}$/)
  expect(created.headers.get('location')).toBe(`/ops/v1/accounts/${slug}/shipments/${id}`)
  const seen = await call('getShipment', { params: { svc_shipment_id: id } })
  expect(seen.body).toEqual(created.body.shown)
  expect(seen.body).toMatchObject({ ...booking, invoice_status: 'awaiting_invoice', purchase_order_references: [] })
  expect((await call('listShipments')).body).toEqual([seen.body])
  expect((await work('getShipment', { params: { svc_shipment_id: id } })).body).toEqual(created.body)
})

test('the last character of a generated identifier is a checksum against misheard or swapped characters', async () => {
  const { shipment } = await startForwarding(service)
  const ids = new Set<string>()
  for (let count = 0; count < 20; count += 1) ids.add(await shipment())
  expect(ids.size).toBe(20)
  const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
  for (const id of ids) {
    expect(isShipmentId(id)).toBe(true)
    for (let place = 4; place < id.length; place += 1) {
      for (const letter of alphabet) {
        if (letter === id.charAt(place)) continue
        expect(isShipmentId(id.slice(0, place) + letter + id.slice(place + 1))).toBe(false)
      }
      const [one, other] = [id.charAt(place), id.charAt(place + 1)]
      if (!other || one === other) continue
      expect(isShipmentId(id.slice(0, place) + other + one + id.slice(place + 2))).toBe(false)
    }
  }
})

test('any identifier may be given; one that exists in the account is refused', async () => {
  const { work, shipment, seen, revision } = await startForwarding(service)
  expect(await shipment({ svc_shipment_id: 'TMS/2026 #1', name: 'First' })).toBe('TMS/2026 #1')
  const before = await revision()
  const again = await work('createShipment', { body: { svc_shipment_id: 'TMS/2026 #1', name: 'Second' } })
  expect(again).toBeRefused('shipment_exists')
  expect(await revision()).toBe(before)
  expect((await seen('TMS/2026 #1')).name).toBe('First')
  const stranger = await startForwarding(service)
  expect(await stranger.shipment({ svc_shipment_id: 'TMS/2026 #1' })).toBe('TMS/2026 #1')
})

test('a shipment may start in any status that is not final', async () => {
  const { tries, seen } = await startForwarding(service)
  for (const status of ['draft', 'booking_request', 'awaiting_booking', 'booked', 'in_progress']) {
    const created = await tries('createShipment', { body: { status } })
    expect((await seen(created.body.id)).status).toBe(status)
  }
  for (const status of ['finished', 'cancelled', 'lost']) {
    expect(pointersOf(await tries('createShipment', { body: { status } }))).toEqual(['/status'])
  }
})

test('replacing a shipment replaces all operator fields; status and creation stay', async () => {
  const { work, shipment, seen } = await startForwarding(service)
  const svc_shipment_id = await shipment({ ...booking, status: 'booked' })
  const { created_at } = await seen(svc_shipment_id)
  const replaced = await work('replaceShipment', { params: { svc_shipment_id }, body: { name: 'Chairs' } })
  expect(replaced.body.record).toEqual({ svc_shipment_id, status: 'booked', created_at, name: 'Chairs' })
  const shown = await seen(svc_shipment_id)
  expect(shown).toEqual(replaced.body.shown)
  expect(shown).toMatchObject({ created_at, status: 'booked', name: 'Chairs' })
  expect(shown).not.toHaveProperty('incoterm')
})

test('replacing an imported shipment keeps imported fields that operators cannot set', async () => {
  const { work, forwarder, seen } = await startForwarding(service)
  const imported = { svc_shipment_id: 'S', name: 'Old', invoice_references: ['N-1'], purchase_order_references: ['P'] }
  await forwarder.imports({ kind: 'shipment', data: { ...imported, invoice_status: 'paid' } })
  await work('replaceShipment', { params: { svc_shipment_id: 'S' }, body: { name: 'New' } })
  expect(await seen('S')).toMatchObject({ ...imported, name: 'New', invoice_status: 'paid' })
})

test('a patch changes the given fields at any depth, and null removes them', async () => {
  const { work, shipment, seen } = await startForwarding(service)
  const svc_shipment_id = await shipment(booking)
  const before = await seen(svc_shipment_id)
  const patched = await work('updateShipment', {
    params: { svc_shipment_id },
    body: {
      name: 'More lamps',
      specific_instructions: null,
      route: { destination_port_unlocode: 'NL/RTM' },
      booking_information: { carrier: 'Nordsee Line', ocean_booking: { vessel: 'Elbe' } },
    },
  })
  const { specific_instructions: _gone, ...rest } = before
  expect(await seen(svc_shipment_id)).toEqual({
    ...rest,
    name: 'More lamps',
    route: { origin_port_unlocode: 'CN/NGB', destination_port_unlocode: 'NL/RTM' },
    booking_information: { carrier: 'Nordsee Line', ocean_booking: { vessel: 'Elbe' } },
  })
  expect(patched.body.shown).toEqual(await seen(svc_shipment_id))
  const [entry] = (await work('getHistory', { params: { kind: 'shipment', id: svc_shipment_id } })).body
  expect(entry?.changes).toContainEqual({ pointer: '/specific_instructions', before: 'Keep dry' })
  expect(entry?.changes).toContainEqual({
    pointer: '/route/destination_port_unlocode',
    before: 'DE/HAM',
    after: 'NL/RTM',
  })
})

test('of two changes based on one revision, the second is refused and changes nothing', async () => {
  const { work, shipment } = await startForwarding(service)
  const params = { svc_shipment_id: await shipment() }
  const { revision } = (await work('getShipment', { params })).body
  const change = (name: string, from: number) =>
    work('updateShipment', { params, query: { revision: from }, body: { name } })
  const first = await change('One', revision)
  expect(first.body.record).toMatchObject({ name: 'One' })
  expect(await change('Two', revision)).toBeRefused('shipment_changed')
  expect((await work('getShipment', { params })).body.record).toMatchObject({ name: 'One' })
  expect((await change('Two', first.body.revision)).body.record).toMatchObject({ name: 'Two' })
})

test('a patch with an invalid result, or of a derived or moved field, is refused', async () => {
  const { tries, shipment, revision } = await startForwarding(service)
  const svc_shipment_id = await shipment({ commercial_value: { amount: 1, currency: 'EUR' } })
  const before = await revision()
  const bad: [object, string[]][] = [
    [{ commercial_value: { amount: null } }, ['/commercial_value/amount']],
    [{ cargo: { total_weight: { value: 1 } } }, ['/cargo/total_weight/unit']],
    [{ status: 'booked' }, ['/status']],
    [{ svc_shipment_id: 'other' }, ['/svc_shipment_id']],
    [{ invoice_status: 'paid' }, ['/invoice_status']],
    [{ main_tracking_dates: {} }, ['/main_tracking_dates']],
    [{ computed_totals: [] }, ['/computed_totals']],
    [{ cargo: { containers: [{ colour: 'red' }] } }, ['/cargo/containers/0/colour']],
    [{ cargo: { containers: Array.from({ length: 10_001 }, () => ({})) } }, ['/cargo/containers']],
  ]
  for (const [body, pointers] of bad) {
    expect(pointersOf(await tries('updateShipment', { params: { svc_shipment_id }, body }))).toEqual(pointers)
  }
  expect(await revision()).toBe(before)
})

test('a patch or replacement without a difference creates no version', async () => {
  const { work, forwarder, shipment, revision } = await startForwarding(service)
  const svc_shipment_id = await shipment(booking)
  await forwarder.imports({ kind: 'shipment', data: { name: 'N', status: 'booked', svc_shipment_id: 'I' } })
  const before = await revision()
  await work('updateShipment', { params: { svc_shipment_id }, body: { incoterm: 'fob' } })
  await work('replaceShipment', { params: { svc_shipment_id: 'I' }, body: { name: 'N' } })
  expect(await revision()).toBe(before)
})

test('container numbers have the form of ISO 6346 and are unique; a wrong check digit is a warning', async () => {
  const { tries } = await startForwarding(service)
  const good = containerNumber(1)
  const create = (...numbers: string[]) =>
    tries('createShipment', {
      body: { cargo: { containers: numbers.map((container_number) => ({ container_number, seal_number: 'S1' })) } },
    })
  expect((await create(good, containerNumber(2), 'CSQU3054383')).status).toBe(201)
  const wrongDigit = good.slice(0, -1) + String((Number(good.at(-1)) + 1) % 10)
  expect((await create(wrongDigit)).body.warnings?.map(({ pointer }) => pointer)).toEqual([
    '/cargo/containers/0/container_number',
  ])
  for (const number of ['CSQU305438', 'CSQX3054383', 'CSQU 305438 34', '']) {
    const refused = await create(containerNumber(3), number)
    expect(pointersOf(refused), number).toEqual(['/cargo/containers/1/container_number'])
    expect(refused.problem.errors?.[0]?.detail).toContain('ISO 6346')
  }
  expect(pointersOf(await create(good, good))).toEqual(['/cargo/containers/1/container_number'])
})

test('a shipment with more containers than the limit is refused, also in an import, and the error names the field', async () => {
  const { tries, work, forwarder } = await startForwarding(service)
  const cargo = { containers: Array.from({ length: 2001 }, (_, at) => ({ seal_number: String(at) })) }
  const atLimit = { containers: cargo.containers.slice(1) }
  const detail = 'must have at most 2000 entries'
  const created = await tries('createShipment', { body: { cargo } })
  expect(created.problem.errors).toEqual([{ pointer: '/cargo/containers', detail }])
  const { svc_shipment_id } = (await work('createShipment', { body: { cargo: atLimit } })).body.record
  const patched = await tries('updateShipment', { params: { svc_shipment_id }, body: { cargo } })
  expect(patched.problem.errors).toMatchObject([{ pointer: '/cargo/containers', detail: `${detail}, or must be null` }])
  const { faults } = await forwarder.triesToImport({ kind: 'shipment', data: { svc_shipment_id: 'S', cargo } })
  expect(faults).toMatchObject([{ pointer: '/data/cargo/containers', detail }])
})

test('an invalid imported container number stays, with a warning, until it is changed', async () => {
  const { work, forwarder } = await startForwarding(service)
  const containers = [{ container_number: 'CONT-1' }]
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', cargo: { containers } } })
  const params = { svc_shipment_id: 'S' }
  const patched = await work('updateShipment', { params, body: { name: 'N' } })
  expect(patched.body.warnings?.map(({ pointer }) => pointer)).toEqual(['/cargo/containers/0/container_number'])
  const sealed = [{ container_number: 'CONT-1', seal_number: 'SEAL' }]
  expect((await work('updateShipment', { params, body: { cargo: { containers: sealed } } })).status).toBe(200)
  const renamed = [{ container_number: 'CONT-2' }]
  const refused = await work('updateShipment', { params, body: { cargo: { containers: renamed } } })
  expect(pointersOf(refused)).toEqual(['/cargo/containers/0/container_number'])
})

test('the list position of a shipment follows its creation time, which does not change', async () => {
  const { work, shipment, call } = await startForwarding(service)
  const old = await shipment({ created_at: '2020-01-01T00:00:00+08:00' })
  const young = await shipment()
  await work('updateShipment', { params: { svc_shipment_id: old }, body: { name: 'changed last' } })
  expect((await call('listShipments')).body.map(({ svc_shipment_id }) => svc_shipment_id)).toEqual([young, old])
  const listed = (await work('listShipments')).body
  expect(listed.map(({ id }) => id)).toEqual([young, old])
  expect(listed[1]?.record.created_at).toBe('2020-01-01T00:00:00+08:00')
  expect((await work('listShipments', { query: { skip: 1, take: 1 } })).body).toEqual(listed.slice(1))
})

test('every operation on a shipment of another account is refused with 404', async () => {
  const { work } = await startForwarding(service)
  const stranger = await newAccount(service)
  await stranger.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'THEIRS' } })
  const params = { svc_shipment_id: 'THEIRS' }
  expect(await work('getShipment', { params })).toBeRefused('shipment_not_found')
  expect(await work('replaceShipment', { params, body: {} })).toBeRefused('shipment_not_found')
  expect(await work('updateShipment', { params, body: {} })).toBeRefused('shipment_not_found')
  expect(await work('moveShipment', { params, body: { status: 'booked' } })).toBeRefused('shipment_not_found')
})
