import { expect, test } from 'vitest'
import { line as orderLine } from '../../support/account.js'
import { containerNumber } from '../../support/containers.js'
import { containerEvent, startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'
import { containers, on, startTracking } from '../../support/tracking.js'

/** The goods of a container are moved to another one, which takes over its place in the shipment. */

const service = await startService()
const [one, other] = containers
const third = containerNumber(103)

test('what happened to a container counts for the one that replaces it', async () => {
  const { work, params, plan, say, dates, seen, svc_shipment_id, status } = await startTracking(service)
  await plan()
  for (const number of [one, other]) await say('origin', 'Departed', 'actual', 3, { container_number: number })
  await work('replaceContainer', {
    params: { ...params, container_number: one },
    body: { container_number: third, reason: 'the floor was broken' },
  })
  expect((await seen(svc_shipment_id)).cargo?.containers?.map((each) => each.container_number)).toEqual([third, other])
  expect((await dates())?.departure_date).toEqual({ date: on(3), status: 'actual' })
  await say('destination', 'Arrived', 'actual', 20, { container_number: third })
  expect((await dates())?.arrival_date?.status).toBe('estimated')
  await say('destination', 'Arrived', 'actual', 21, { container_number: other })
  expect((await dates())?.arrival_date).toEqual({ date: on(21), status: 'actual' })
  expect(await status()).toBe('arrived')
})

test('order lines are packed into the container that replaces theirs', async () => {
  const { work, params, plan, call, svc_shipment_id } = await startTracking(service)
  await plan()
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [orderLine({ reference: 'l' })] } })
  const line = { reference: 'P', line: 'l', svc_shipment_id }
  await work('assign', { params: line, body: { assigned_quantity: 2 } })
  const shipped_order_lines = [{ shipped_quantity: 2, container_number: one }]
  await work('pack', { params: line, body: { shipped_order_lines } })
  await work('replaceContainer', {
    params: { ...params, container_number: one },
    body: { container_number: third, reason: 'r' },
  })
  const { body } = await call('getPurchaseOrder', { params: { reference: 'P' } })
  expect(body.purchase_order_lines?.[0]?.assigned_order_lines?.[0]?.shipped_order_lines).toEqual([
    { shipped_quantity: 2, container_number: third },
  ])
})

test('what a carrier still says of the container that was replaced waits for an operator, and counts for the other', async () => {
  const forwarding = await startCarrier(service)
  const { ship, send, containers: numbers, work, ops, booking, dates } = forwarding
  const svc_shipment_id = await ship()
  const [first, second] = numbers
  const loaded = (container: string) => containerEvent(container, { at: 'CNNGB', code: 'LOAD', day: 8, booking })
  await send([loaded(first), loaded(second)])
  const replacement = containerNumber(104)
  await work('replaceContainer', {
    params: { svc_shipment_id, container_number: first },
    body: { container_number: replacement, reason: 'r' },
  })
  const hub = [first, second].map((container) =>
    containerEvent(container, { at: 'SGSIN', code: 'DISC', day: 20, booking }),
  )
  const { counts, message_id } = await send(hub)
  expect(counts).toEqual({ events: 2, applied: 1, unmatched: 1 })
  const { slug: account } = forwarding
  const matched = { params: { message_id: String(message_id) }, body: { account, svc_shipment_id } }
  expect((await ops('matchMessage', undefined, matched)).body.counts).toMatchObject({ applied: 1, unchanged: 1 })
  expect((await dates(svc_shipment_id)).departure_date?.status).toBe('estimated')
})

test('a number that is unknown, taken or no container is refused', async () => {
  const { tries, params, plan } = await startTracking(service)
  await plan()
  const replace = (number: string, by: string) =>
    tries('replaceContainer', {
      params: { ...params, container_number: number },
      body: { container_number: by, reason: 'r' },
    })
  expect(await replace('TEMU0000000', third)).toBeRefused('container_not_found')
  expect((await replace(one, other)).problem.errors?.[0]?.pointer).toBe('/container_number')
  expect((await replace(one, 'box')).status).toBe(400)
  expect((await replace(one, third)).status).toBe(200)
  expect((await replace(third, one)).problem.errors?.[0]?.pointer).toBe('/container_number')
})

test('a replacement that is based on another revision of the shipment is refused, and changes nothing', async () => {
  const { work, tries, params, plan, svc_shipment_id, seen } = await startTracking(service)
  await plan()
  const { body: before } = await work('getShipment', { params })
  const replace = (based: number) => ({
    params: { ...params, container_number: one },
    query: { revision: based },
    body: { container_number: third, reason: 'r' },
  })
  await work('updateShipment', { params, body: { name: 'renamed' } })
  expect(await tries('replaceContainer', replace(before.revision))).toBeRefused('shipment_changed')
  expect((await seen(svc_shipment_id)).cargo?.containers?.[0]?.container_number).toBe(one)
  const { body: now } = await work('getShipment', { params })
  await work('replaceContainer', replace(now.revision))
  expect((await seen(svc_shipment_id)).cargo?.containers?.[0]?.container_number).toBe(third)
})
