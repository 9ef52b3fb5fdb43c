import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'
import { containers, on, startTracking } from '../../support/tracking.js'

/** Which source takes precedence if several report when something happens; operators come before all. */

const service = await startService()

type Statement = { status: 'actual' | 'estimated'; day: number; party?: 'carrier' | 'terminal'; issued: number }

async function arriving(...statements: Statement[]) {
  const tracking = await startTracking(service)
  await tracking.plan()
  for (const [index, { status, day, party, issued }] of statements.entries()) {
    const event = { event_id: `e${index}`, step: 'destination', description: 'Arrived', code: 'ARRIVED' as const }
    const source = party ?? 'office'
    const body = { ...event, status, date: on(day), issued_at: on(issued), source, ...(party && { party }) }
    await tracking.work('addEvent', { params: tracking.params, body })
  }
  const arrival = async () => (await tracking.dates())?.arrival_date
  const explained = async () => {
    const { body } = await tracking.call('explainTracking', { params: tracking.params })
    return body.milestones.find(({ milestone }) => milestone === 'arrival_date')
  }
  return { ...tracking, arrival, explained }
}

test('a terminal takes precedence for an arrival, also if the carrier reports another later', async () => {
  const { arrival, explained } = await arriving(
    { status: 'estimated', day: 20, party: 'terminal', issued: 10 },
    { status: 'estimated', day: 25, party: 'carrier', issued: 12 },
  )
  expect(await arrival()).toEqual({ date: on(20), status: 'estimated' })
  expect((await explained())?.other_events).toMatchObject([{ reason: 'believed_less', event: { source: 'carrier' } }])
})

test('of one source the newest estimate counts, and the first actual date stands', async () => {
  const estimates = await arriving(
    { status: 'estimated', day: 20, party: 'carrier', issued: 10 },
    { status: 'estimated', day: 25, party: 'carrier', issued: 12 },
  )
  expect(await estimates.arrival()).toEqual({ date: on(25), status: 'estimated' })
  const actual = await arriving(
    { status: 'actual', day: 5, party: 'carrier', issued: 6 },
    { status: 'actual', day: 7, party: 'carrier', issued: 8 },
  )
  expect(await actual.arrival()).toEqual({ date: on(5), status: 'actual' })
  expect(await actual.explained()).not.toHaveProperty('conflicts_with')
})

test('two actual dates more than 12 hours apart: the better source is shown, and the conflict is named', async () => {
  const { arrival, explained } = await arriving(
    { status: 'actual', day: 5, party: 'carrier', issued: 6 },
    { status: 'actual', day: 7, party: 'terminal', issued: 8 },
  )
  expect(await arrival()).toEqual({ date: on(7), status: 'actual' })
  const why = await explained()
  expect(why?.conflicts_with).toMatchObject({ source: 'carrier', date: on(5) })
  expect(why?.sentence).toContain('carrier says 5 Mar 2026.')
})

test("an operator's date stands against newer ones of the sources, until the first container has arrived", async () => {
  const { work, tries, params, arrival, explained, say, state } = await arriving({
    status: 'estimated',
    day: 20,
    issued: 10,
  })
  const pin = { ...params, milestone: 'arrival_date' as const }
  const reason = 'the agent has seen the berth'
  const { body } = await work('pinDate', { params: pin, body: { date: on(22), reason } })
  expect(body.pins?.arrival_date).toMatchObject({ date: on(22), reason })
  await say('destination', 'Estimated arrival', 'estimated', 28)
  expect(await arrival()).toEqual({ date: on(22), status: 'estimated' })
  expect((await explained())?.sentence).toBe(
    'Estimated for 22 Mar 2026: set by the forwarder (the agent has seen the berth). That has passed, and nothing reports that it happened.',
  )
  await say('destination', 'Arrived', 'actual', 21, { container_number: containers[0] })
  expect(await arrival()).toEqual({ date: on(28), status: 'estimated' })
  await work('unpinDate', { params: pin, query: { reason: 'no longer' } })
  expect(await state()).not.toHaveProperty('pins')
  expect(await tries('unpinDate', { params: pin, query: { reason: 'no longer' } })).toBeRefused('pin_not_found')
})

test('a pinned date comes back with an import of what was exported', async () => {
  const { work, params, forwarder, svc_shipment_id } = await arriving()
  const pin = { ...params, milestone: 'delivery_date' as const }
  await work('pinDate', { params: pin, body: { date: on(30), reason: 'agreed with the consignee' } })
  const { body } = await work('getTracking', { params })
  await forwarder.imports({
    kind: 'tracking',
    data: { svc_shipment_id, tracking_steps: [], ...(body.pins && { pins: body.pins }) },
  })
  expect((await work('getTracking', { params })).body.pins).toEqual(body.pins)
})

test('messages count by the kind of party that their sender is', async () => {
  const { ops } = await newOperator(service, 'operations')
  const sender = `S${randomBytes(5).toString('hex')}`
  const params = { sender }
  const body = { party: 'terminal' as const, name: 'Terminal 7' }
  expect((await ops('setSender', undefined, { params, body })).body).toEqual({ sender, ...body })
  expect((await ops('listSenders', undefined)).body).toContainEqual({ sender, ...body })
  expect((await ops('removeSender', undefined, { params })).body).toEqual({ removed: sender })
  expect(await ops('removeSender', undefined, { params })).toBeRefused('sender_not_found')
})

test('a unit that was rolled departs with the vessel that it is loaded on later', async () => {
  const { work, params, plan, dates } = await startTracking(service)
  await plan()
  const say = (code: 'DEPARTED' | 'ROLLED' | 'LOADED', day: number, more: object = {}) =>
    work('addEvent', {
      params,
      body: { step: 'origin', description: code, code, status: 'actual', date: on(day), issued_at: on(day), ...more },
    })
  const [one, other] = containers
  await say('LOADED', 2, { container_number: other })
  await say('ROLLED', 2, { container_number: one })
  await say('DEPARTED', 3, { vessel: { name: 'Elbe Horizon' } })
  expect((await dates())?.departure_date?.status).toBe('problem')
  await say('LOADED', 8, { container_number: one, vessel: { name: 'ALSTER STAR' } })
  expect((await dates())?.departure_date?.status).toBe('estimated')
  await say('DEPARTED', 9, { vessel: { name: 'Alster Star', voyage: '12W' } })
  expect((await dates())?.departure_date).toEqual({ date: on(9), status: 'actual' })
})
