import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { containerNumber } from '../../support/containers.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'

const service = await startService()

/** A shipment that has left Shanghai; its arrival and delivery are expected, one date of them from an import. */
async function start() {
  const forwarding = await startForwarding(service)
  const { work, tries, shipment, forwarder, seen } = forwarding
  const box = containerNumber(3)
  const svc_shipment_id = await shipment({ status: 'booked', cargo: { containers: [{ container_number: box }] } })
  const at = (date: string, status: 'actual' | 'estimated' | 'planned', description: string) => ({
    date,
    status,
    description,
  })
  await forwarder.imports({
    kind: 'tracking',
    data: {
      svc_shipment_id,
      tracking_steps: [
        { type: 'origin_port', port: { unlocode: 'CN/SHA' } },
        { type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
        {
          type: 'destination_port',
          port: { unlocode: 'NL/RTM' },
          events: [at('2026-04-20T23:30:00+02:00', 'planned', 'Vessel arrival')],
        },
      ],
    },
  })
  const params = { svc_shipment_id }
  for (const [event_id, step, event] of [
    ['left', '1', at('2026-03-20T08:00:00+08:00', 'actual', 'Vessel departure')],
    ['sin', '2', { ...at('2026-04-01T10:00:00Z', 'estimated', 'Vessel arrival'), container_number: box }],
    ['away', '2', at('2026-04-03T10:00:00+08:00', 'estimated', 'Vessel departure')],
    ['early', '1', at('2026-03-19T10:00:00+08:00', 'planned', 'Vessel departure')],
  ] as const) {
    await work('addEvent', { params, body: { event_id, step, ...event } })
  }
  const dates = async () => {
    const { steps } = (await work('getTracking', { params })).body
    return Object.fromEntries(steps.flatMap(({ events }) => events.map(({ event_id, date }) => [event_id, date])))
  }
  const shift = (body: OperatorBody<'shiftDates'>) => work('shiftDates', { params, body })
  const refuse = (body: OperatorBody<'shiftDates'>) => tries('shiftDates', { params, body })
  return {
    ...forwarding,
    params,
    dates,
    shift,
    refuse,
    arrival: async () => (await seen(svc_shipment_id)).main_tracking_dates?.arrival_date,
  }
}

test('all expected dates from an event on are moved in one step, and the customer sees how late the shipment is', async () => {
  const { shift, dates, arrival, revision, work, params } = await start()
  const before = await revision()
  const { status, body } = await shift({ from: 'sin', hours: 36, reason: 'Typhoon' })
  expect(status).toBe(200)
  expect(await revision()).toBe(before + 1)
  const moved = {
    left: '2026-03-20T08:00:00+08:00',
    early: '2026-03-19T10:00:00+08:00',
    sin: '2026-04-02T22:00:00Z',
    away: '2026-04-04T22:00:00+08:00',
    '3.1': '2026-04-22T11:30:00+02:00',
  }
  expect(await dates()).toEqual(moved)
  expect(body.shown).toEqual((await work('getTracking', { params })).body.shown)
  expect(await arrival()).toMatchObject({ date: '2026-04-22T11:30:00+02:00' })
  expect(body.shown.initial_dates).toMatchObject({ eta: '2026-04-20T23:30:00+02:00' })

  // Taken back as it was done, with the dates that the events have now.
  const events = ['sin', 'away', '3.1'].map((event_id) => ({ event_id, date: moved[event_id as 'sin'] }))
  await shift({ events, hours: -36, reason: 'Undone' })
  expect(await dates()).toMatchObject({ sin: '2026-04-01T10:00:00Z', '3.1': '2026-04-20T23:30:00+02:00' })
})

test('dates that are not as expected any more are not moved, nor are actual ones', async () => {
  const { shift, refuse, dates } = await start()
  const before = await dates()
  const sin = { event_id: 'sin', date: '2026-04-01T10:00:00Z' }
  const both = { hours: 24, reason: 'Late', from: 'sin', events: [sin] }
  expect(pointersOf(await refuse(both))).toEqual(['/from'])
  expect(pointersOf(await refuse({ hours: 24, reason: 'Late' }))).toEqual(['/from'])
  expect(pointersOf(await refuse({ hours: 0, reason: 'Late', from: 'sin' }))).toEqual(['/hours'])
  expect(await refuse({ hours: 24, reason: 'Late', from: 'none' })).toBeRefused('event_not_found')
  for (const wrong of [
    { ...sin, date: '2026-04-01T11:00:00Z' },
    { event_id: 'left', date: '2026-03-20T08:00:00+08:00' },
    { event_id: 'gone', date: sin.date },
  ]) {
    expect(await refuse({ hours: 24, reason: 'Late', events: [sin, wrong] })).toBeRefused('dates_changed')
  }
  expect(await dates()).toEqual(before)
  await shift({ hours: 24, reason: 'Late', events: [{ ...sin, date: '2026-04-01T18:00:00+08:00' }] })
  expect(await dates()).toEqual({ ...before, sin: '2026-04-02T10:00:00Z' })
})
