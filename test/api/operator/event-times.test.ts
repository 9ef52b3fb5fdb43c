import { expect, test } from 'vitest'
import type { ImportLine } from '../../../src/contract/import-line.js'
import { readSnapshot } from '../../../src/database/snapshot.js'
import { exportLines } from '../../../src/ingest/lines/export.js'
import { newAccount } from '../../support/account.js'
import { edifact, iftsta } from '../../support/edi.js'
import { startCarrier } from '../../support/messages.js'
import { accountOf } from '../../support/round-trip.js'
import { startService } from '../../support/service.js'

/** How far the time of an event can be relied on: where its UTC offset is from, and whether it is a day or a time. */

const service = await startService()

async function start() {
  const carrier = await startCarrier(service)
  const id = await carrier.ship()
  const params = { svc_shipment_id: id }
  /** Each event by its text: where its offset is from, how precise it is, and its date. */
  async function times() {
    const { steps } = (await carrier.work('getTracking', { params })).body
    const all = steps.flatMap(({ events }) => events)
    return Object.fromEntries(
      all.map(({ source_code, description, zone, precision, date }) => [
        source_code ?? description,
        [zone, precision, date].join(' '),
      ]),
    )
  }
  const keptBack = async () =>
    (await carrier.work('getTracking', { params })).body.steps.flatMap(({ events }) =>
      events.flatMap(({ description, quarantine }) => (quarantine === undefined ? [] : description)),
    )
  return { ...carrier, id, params, times, keptBack }
}

/** An event of our own form. */
const actual = (booking: string, given: object) => ({ reference: booking, status: 'actual', ...given })

test('an event keeps where its offset is from and how precise it is, whichever format it came in', async () => {
  const { send, post, booking, containers, times, work, params } = await start()
  const [container] = containers
  const dcsa = (code: string, eventDateTime: string, call: object) => ({
    eventID: code,
    eventType: 'EQUIPMENT',
    eventCreatedDateTime: '2026-03-20T20:00:00Z',
    eventClassifierCode: 'ACT',
    eventDateTime,
    equipmentEventTypeCode: code,
    equipmentReference: container,
    emptyIndicatorCode: 'LADEN',
    transportCall: { modeOfTransport: 'VESSEL', ...call },
  })
  await send([
    dcsa('GTIN', '2026-03-01T08:00:00+08:00', { UNLocationCode: 'CNNGB' }),
    dcsa('LOAD', '2026-03-02T08:00:00', { UNLocationCode: 'CNNGB' }),
    dcsa('DISC', '2026-03-28', { UNLocationCode: 'DEHAM' }),
    dcsa('GTOT', '2026-03-29T08:00:00', { facilityCode: 'DEHAMTEST', facilityCodeListProvider: 'BIC' }),
  ])
  const edi = { container, booking, at: '202603300700', place: 'DEHAM' }
  await post(
    edifact([iftsta({ ...edi, code: '79', rest: [] }).map((each) => each.replace('202603300700:203', '20260330:102'))]),
    'iftsta',
  )
  await post(
    `Booking;Event;Date;Port\n${booking};Vessel departed;2026-03-03;CNNGB\n${booking};Out for delivery;2026-04-02 09:00;\n`,
    'table',
  )
  await send(
    [
      actual(booking, {
        description: 'Customs released',
        date: '2026-04-01T00:00:00Z',
        precision: 'day',
        unlocode: 'DEHAM',
      }),
    ],
    'events',
  )
  const event = {
    step: 'delivery',
    description: 'Delivered',
    status: 'actual' as const,
    date: '2026-04-02T00:00:00+02:00',
  }
  await work('addEvent', { params, body: { ...event, zone: 'looked_up', precision: 'day' } })
  expect(await times()).toMatchObject({
    GTIN: 'given minute 2026-03-01T08:00:00+08:00',
    LOAD: 'looked_up minute 2026-03-02T08:00:00+08:00',
    // Summer time begins on 29 March.
    DISC: 'looked_up day 2026-03-28T00:00:00+01:00',
    GTOT: 'looked_up minute 2026-03-29T08:00:00+02:00',
    79: 'looked_up day 2026-03-30T00:00:00+02:00',
    'Vessel departed': 'looked_up day 2026-03-03T00:00:00+08:00',
    'Out for delivery': 'assumed minute 2026-04-02T09:00:00Z',
    'Customs released': 'given day 2026-04-01T00:00:00Z',
    Delivered: 'looked_up day 2026-04-02T00:00:00+02:00',
  })
})

test('an assumed time zone is explained, and an export imports to the same', async () => {
  const { post, booking, call, params, id, slug, tracked } = await start()
  await post(`Booking;Event;Date;Status\n${booking};Delivered;2026-04-28 09:00;estimated\n`, 'table')
  await post(`Booking;Event;Date;Port\n${booking};Arrived;2026-03-30;DEHAM\n`, 'table')
  const explained = (await call('explainTracking', { params })).body
  const delivery = explained.milestones.find(({ milestone }) => milestone === 'delivery_date')
  expect(delivery?.event).toMatchObject({ zone: 'assumed', precision: 'minute' })
  expect(delivery?.sentence).toContain('Its time zone is not known, and UTC is assumed')
  expect(JSON.stringify(await tracked(id))).not.toMatch(/assumed|precision/)
  const other = await newAccount(service)
  await other.forwarder.imports(...(await exported(slug)))
  expect((await other.call('explainTracking', { params })).body).toEqual(explained)
})

async function exported(slug: string): Promise<ImportLine[]> {
  const account = await accountOf(service, slug)
  return readSnapshot(service.db, async (sql) => {
    const lines: ImportLine[] = []
    for await (const line of exportLines(sql, account, async () => {})) if (line.kind !== 'account') lines.push(line)
    return lines
  })
}

test('what happened on a day, or at a time in an unknown zone, is not kept back for what it may have been', async () => {
  const { send, booking, keptBack, params, work } = await start()
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const at = (unlocode: string, description: string, date: string, rest = {}) =>
    actual(booking, { unlocode, description, date, ...rest })
  await send([at('CNNGB', 'Gate in', inHours(7), { zone: 'assumed' }), at('CNNGB', 'Loaded', inHours(7))], 'events')
  expect(await keptBack()).toEqual(['Loaded'])
  await send([at('CNNGB', 'Gate in', inHours(15), { zone: 'assumed' })], 'events')
  expect(await keptBack()).toHaveLength(2)

  const day = { date: '2026-03-20T00:00:00+01:00', precision: 'day' as const }
  const event = { step: 'destination', status: 'actual' as const, description: 'Vessel arrived', source: 'PORT' }
  const arrivedAt = (date: string) => ({ ...event, date, source: 'LINE', event_id: date.slice(11, 13) })
  await work('addEvent', { params, body: { ...event, ...day } })
  const conflict = async () =>
    (await work('explainTracking', { params })).body.milestones.find(({ milestone }) => milestone === 'arrival_date')
      ?.conflicts_with
  await work('addEvent', { params, body: arrivedAt('2026-03-20T22:00:00+01:00') })
  expect(await conflict()).toBeUndefined()
  await work('addEvent', { params, body: arrivedAt('2026-03-21T13:00:00+01:00') })
  expect(await conflict()).toMatchObject({ source: 'LINE' })
})

test('a day that its sender states again with the time is one event', async () => {
  const { post, booking, work, params, containers } = await start()
  const status = { code: '79', container: containers[0], booking, place: 'CNNGB', at: '202603101430' }
  const day = iftsta(status, { issued: '202603111000' })
  await post(edifact([day.map((each) => each.replace(':202603101430:203', ':20260310:102'))], '1'), 'iftsta')
  await post(edifact([iftsta(status, { issued: '202603111100' })], '2'), 'iftsta')
  const { events } = (await work('getTracking', { params })).body.steps[1] ?? { events: [] }
  expect(events.map(({ date, precision }) => [date, precision])).toEqual([['2026-03-10T14:30:00+08:00', 'minute']])
})

test('events of our own form may give local times and days, by the clock of their place', async () => {
  const { send, booking, times, post } = await start()
  await send(
    [
      actual(booking, { description: 'Gate in', date: '2026-03-02 08:00', unlocode: 'CNNGB' }),
      actual(booking, { description: 'Loaded', date: '2026-03-03T08:00:30', place: 'Ningbo, China' }),
      actual(booking, { description: 'Vessel arrived', date: '2026-03-30', unlocode: 'DEHAM' }),
      actual(booking, { description: 'Gate out', date: '2026-03-31T08:00:00Z', unlocode: 'DEHAM' }),
      actual(booking, { description: 'Delivered', date: '2026-04-02 09:00' }),
    ],
    'events',
  )
  expect(await times()).toEqual({
    'Gate in': 'looked_up minute 2026-03-02T08:00:00+08:00',
    Loaded: 'looked_up minute 2026-03-03T08:00:30+08:00',
    'Vessel arrived': 'looked_up day 2026-03-30T00:00:00+02:00',
    'Gate out': 'given minute 2026-03-31T08:00:00Z',
    Delivered: 'assumed minute 2026-04-02T09:00:00Z',
  })
  const wrong = await post(JSON.stringify([actual(booking, { description: 'Loaded', date: '31/02/2026' })]), 'events')
  expect(wrong.body).toMatchObject({ outcome: 'unreadable', reason: expect.stringContaining('date is "31/02/2026"') })
})
