import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { businessTime } from '../../src/clock/clock.js'
import type { EventCode } from '../../src/contract/public/event-codes.js'
import type { FreeTimeClock } from '../../src/contract/public/free-time.js'
import type { TrackingRecord } from '../../src/contract/public/tracking.js'
import { until } from '../support/program.js'
import { containers } from '../support/tracking.js'
import { startWorld } from './simulated-world.js'

/** What the simulated world does with the shipments and the time of the sandbox. */

const hour = 3_600_000

test('a fast clock passes through the same steps as a move, however long what is due takes', async () => {
  const lived: number[] = []
  const world = await startWorld('fast', {
    start: '2031-03-01',
    speed: 86_400,
    sendMails: async () => {
      lived.push(businessTime())
      await sleep(400)
    },
  })
  onTestFinished(world.end)
  await until(() => lived.length >= 5)
  const gaps = lived.slice(1).map((time, index) => (time - lived[index]!) / hour)
  for (const gap of gaps) expect(gap).toBeLessThanOrEqual(6)
  expect(lived.at(-1)! - lived[0]!).toBeGreaterThanOrEqual(12 * hour)
  await world.world.moveClock({ speed: 0 })
})

test('what is due by the clock waits until carriers have reported what happened before', async () => {
  const seen: { now: number; reported: number }[] = []
  const book = async (now: number) => void seen.push({ now, reported: world.world.reportedTime() })
  const world = await startWorld('reported', { start: '2031-03-01', bookings: { book, bookOne: async () => false } })
  onTestFinished(world.end)
  await world.world.moveClock({ advance: 'PT12H' })
  expect(seen.map(({ now, reported }) => (now - reported) / hour)).toEqual([6, 6])
  expect(world.world.reportedTime()).toBe(businessTime())
})

const planned = (code: EventCode, date: string) => ({ code, status: 'planned' as const, date, description: code })
const at = (day: number, time = 8) =>
  `2031-03-${String(day).padStart(2, '0')}T${String(time).padStart(2, '0')}:00:00+01:00`

/** A plan of a delivery in the Netherlands, whose containers are returned some days later. */
function planTo(svc_shipment_id: string, deliveredEarly?: string): TrackingRecord {
  const actual = (code: string, date: string) => ({
    code: code.toUpperCase() as EventCode,
    status: 'actual' as const,
    date,
    description: code,
  })
  const early = (code: string, date: string, container_number?: string) =>
    deliveredEarly === undefined ? [] : [{ ...actual(code, date), ...(container_number && { container_number }) }]
  return {
    svc_shipment_id,
    status: 'pending',
    tracking_steps: [
      {
        type: 'origin_port',
        port: { unlocode: 'CN/SHA' },
        events: [planned('DEPARTED', '2031-01-20T10:00:00+08:00'), actual('DEPARTED', '2031-01-20T10:00:00+08:00')],
      },
      {
        type: 'destination_port',
        port: { unlocode: 'NL/RTM' },
        events: [
          planned('ARRIVED', at(3)),
          planned('DISCHARGED', at(3, 18)),
          planned('GATE_OUT', at(5)),
          ...early('DISCHARGED', '2031-02-26T10:00:00+01:00'),
          ...early('GATE_OUT', '2031-02-28T08:00:00+01:00'),
        ],
      },
      {
        type: 'delivery',
        location: { id: 1, name: 'Warehouse' },
        events: [
          planned('DELIVERED', at(5, 16)),
          planned('EMPTY_IN', at(9)),
          ...early('Delivered', '2031-02-28T15:00:00+01:00', deliveredEarly),
        ],
      },
    ],
  }
}

const boxes = containers.map((container_number) => ({ container_number }))

test('a shipment is under way until its empty containers are returned, and detention runs and stops with them', async () => {
  const { account, world, end } = await startWorld('returns', { start: '2031-03-01' })
  onTestFinished(end)
  const { call, forwarder } = account
  // One container of the second shipment was delivered early; the third has none, so that nothing is to be returned.
  await forwarder.imports(
    { kind: 'location', data: { id: 1, name: 'Warehouse' } },
    ...['whole', 'split', 'loose'].flatMap((id) => [
      {
        kind: 'shipment' as const,
        data: {
          svc_shipment_id: id,
          status: 'booked' as const,
          freight_mode: 'ocean' as const,
          booking_information: { carrier: 'Northern Line', ocean_booking: { booking_number: `BK-${id}` } },
          cargo: id === 'loose' ? {} : { containers: boxes },
        },
      },
      { kind: 'tracking' as const, data: planTo(id, id === 'split' ? containers[0] : undefined) },
    ]),
  )
  const status = async (id: string) => (await call('getShipment', { params: { svc_shipment_id: id } })).body.status
  const detention = async (id: string): Promise<FreeTimeClock[]> => {
    const { body } = await call('getFreeTime', { params: { svc_shipment_id: id } })
    return body.clocks.filter(({ clock }) => clock === 'detention')
  }
  const reported = async (id: string, words: string) => {
    const { body } = await call('getTracking', { params: { svc_shipment_id: id } })
    return (body.tracking_steps ?? []).flatMap(({ events = [] }) =>
      events.filter((event) => event.description === words && event.status === 'actual'),
    )
  }

  const seen: Record<string, { day: number; status: string | undefined; states: string[]; delivered: number }[]> = {}
  for (let day = 2; day <= 16; day += 1) {
    await world.moveClock({ advance: 'P1D' })
    for (const id of ['whole', 'split', 'loose']) {
      const states = id === 'loose' ? [] : (await detention(id)).map(({ state }) => state)
      const delivered = (await reported(id, 'Delivered')).length
      ;(seen[id] ??= []).push({ day, status: await status(id), states, delivered })
    }
  }
  for (const id of ['whole', 'split']) {
    const days = seen[id]!
    const waiting = days.filter((each) => each.delivered === (id === 'whole' ? 1 : 2) && each.status === 'in_progress')
    expect(waiting.length, id).toBeGreaterThan(1)
    for (const { states } of waiting)
      for (const state of states) expect(['running', 'ending', 'expired']).toContain(state)
    expect(days.at(-1)).toMatchObject({ status: 'finished', states: ['stopped', 'stopped'] })
    for (const { stopped_by } of await detention(id)) expect(stopped_by?.code).toBe('EMPTY_IN')
  }
  // The container that was behind is reported by its number.
  expect(
    (await reported('split', 'Delivered')).map(({ container_number }) => container_number ?? '').toSorted(),
  ).toEqual(containers.toSorted())
  const loose = seen.loose!
  const done = loose.find((each) => each.delivered === 1)
  expect(done?.status).toBe('finished')
})
