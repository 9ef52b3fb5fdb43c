import { expect, test } from 'vitest'
import type { Line } from '../../support/account.js'
import { startService } from '../../support/service.js'
import { imported, on, startTracking } from '../../support/tracking.js'

/** How much of the change log is read for authors of events. */

const service = await startService()

test('the response to a write has the authors of individually reported events; a read has all authors', async () => {
  const { forwarder, svc_shipment_id, state, say, operator_id } = await startTracking(service)
  await forwarder.imports(imported(svc_shipment_id))
  const answered = (await say('2', 'Vessel arrival', 'actual', 22, { event_id: 'own' })).body
  const authors = (steps: typeof answered.steps) =>
    steps.flatMap(({ events }) => events.map(({ event_id, recorded_by }) => [event_id, recorded_by]))
  const own = ['own', `operator:${operator_id}`]
  expect(authors(answered.steps)).toEqual([['1.1', undefined], ['2.1', undefined], ['2.2', undefined], own])
  expect(authors((await state()).steps)).toEqual([['1.1', 'test'], ['2.1', 'test'], ['2.2', 'test'], own])
})

test('a write does not read earlier versions of the tracking', async () => {
  const { forwarder, svc_shipment_id, say, work, params, id } = await startTracking(service)
  await forwarder.imports(imported(svc_shipment_id))
  // An unreadable version: reading the history would fail.
  await service.db`
    insert into changes (account_id, kind, id, revision, at, author, what, record)
    values (${id}, 'tracking', ${svc_shipment_id}, 0, now(), 'test', 'created', 'unreadable')`
  expect((await say('2', 'Vessel arrival', 'actual', 22)).status).toBe(201)
  expect((await work('addPosition', { params, body: { latitude: 1, longitude: 2 } })).status).toBe(201)
  expect((await work('getTracking', { params })).status).toBe(500)
})

test('a response with history ends at its size limit, and the next page continues there', async () => {
  const { forwarder, svc_shipment_id, work, params } = await startTracking(service)
  const long = (day: number): Line => ({
    kind: 'tracking',
    data: {
      svc_shipment_id,
      tracking_steps: [{ type: 'pickup', events: [{ description: 'x'.repeat(1_500_000), date: on(day) }] }],
    },
  })
  for (const day of [1, 2, 3, 4, 5]) await forwarder.imports(long(day))
  const lengths: number[] = []
  const revisions: number[] = []
  for (let page = [{ revision: 0 }]; page.length > 0; lengths.push(page.length)) {
    page = (await work('getTrackingHistory', { params, query: { skip: revisions.length, take: 1000 } })).body
    revisions.push(...page.map(({ revision }) => revision))
  }
  expect(lengths).toEqual([3, 2, 0])
  expect(new Set(revisions).size).toBe(5)
})

test('if the history is too long to search, an event has no author rather than a wrong one', async () => {
  const { forwarder, svc_shipment_id, state } = await startTracking(service)
  const long = (day: number): Line => ({
    kind: 'tracking',
    data: {
      svc_shipment_id,
      tracking_steps: [
        { type: 'pickup', events: [{ description: 'x'.repeat(6_000_000) }] },
        { type: 'delivery', events: [{ description: 'Delivery', date: on(day), status: 'planned' }] },
      ],
    },
  })
  const authors = async () =>
    (await state()).steps.flatMap(({ events }) => events.map(({ recorded_by, revision }) => [recorded_by, !!revision]))
  for (const day of [1, 2, 3]) await forwarder.imports(long(day))
  expect(await authors()).toEqual([
    ['test', true],
    ['test', true],
  ])
  for (const day of [4, 5]) await forwarder.imports(long(day))
  expect(await authors()).toEqual([
    [undefined, false],
    ['test', true],
  ])
})
