import { expect, test } from 'vitest'
import type { Journey } from '../../../src/contract/portal/journey.js'
import type { ShipmentRecord } from '../../../src/contract/public/shipment.js'
import type { TrackingRecord } from '../../../src/contract/public/tracking.js'
import { finish } from '../../../src/domain/records/in-parts.js'
import { greatCircleKm, measured, type Point, positionAlong } from '../../../src/geography/point.js'
import { seaRoute } from '../../../src/geography/sea-route.js'
import { commitWithin } from '../../../src/ledger/commit.js'
import { generateLines } from '../../../src/sandbox/generate.js'
import { journeyMap } from '../../../src/usecases/shipments/journey-map.js'
import { type Line, newAccount } from '../../support/account.js'
import { inlandPoints } from '../../support/land-mask.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'
import { doorToDoor, on, startTracking } from '../../support/tracking.js'

const service = await startService()

type Given = { shipment?: Partial<ShipmentRecord>; tracking?: Partial<TrackingRecord>; others?: Line[] }

/** The journey of an imported shipment. */
async function journeyOf({ shipment, tracking, others = [] }: Given): Promise<Journey> {
  const account = await newAccount(service)
  const { portal } = await newPerson(service, account, 'viewer')
  const svc_shipment_id = 'S-1'
  const params = { svc_shipment_id }
  await account.forwarder.imports(
    ...others,
    { kind: 'shipment', data: { svc_shipment_id, status: 'in_progress', freight_mode: 'ocean', ...shipment } },
    ...(tracking ? [{ kind: 'tracking' as const, data: { svc_shipment_id, ...tracking } }] : []),
  )
  return (await portal('getJourney', { params })).body
}

const day = 24 * 60 * 60 * 1000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()
const port = (unlocode: string) => ({ unlocode })
const event = (description: string, days: number, status: 'actual' | 'estimated' | 'planned') => ({
  description,
  date: ago(days),
  status,
})

const route = { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'NL/RTM' }
const factory: Line = { kind: 'location', data: { id: 1, name: 'Factory', city: 'Hangzhou', country: 'CN' } }
const warehouse: Line = { kind: 'location', data: { id: 2, name: 'Warehouse', city: 'München', country: 'de' } }
const doors = { ...route, pickup_location_id: '1', delivery_location_id: '2' }

const sailing = (left: number, arrives: number): Partial<TrackingRecord> => ({
  tracking_steps: [
    { type: 'origin_port', port: port('CN/SHA'), events: [event('Vessel departed', left, 'actual')] },
    {
      type: 'destination_port',
      port: port('NL/RTM'),
      events: [event('Vessel arrived', arrives, 'estimated'), event('Discharged', arrives - 1, 'estimated')],
    },
  ],
})

const line = (points: number[][] | undefined) => (points ?? []) as unknown as Point[]
const km = (lines: number[][][]) => lines.reduce((sum, each) => sum + measured(line(each)).lengthKm, 0)

/** Each line starts where the previous one ended, without a jump around the world. */
function expectOneWay({ past, future, position }: Journey): void {
  const all = [...past, ...future].map(line)
  for (const each of all) {
    expect(each.length).toBeGreaterThan(1)
    each.forEach(([longitude], index) => {
      if (index > 0) expect(Math.abs(longitude - each[index - 1]![0])).toBeLessThan(90)
    })
  }
  all.forEach((each, index) => {
    if (index > 0) expect(greatCircleKm(each[0]!, all[index - 1]!.at(-1)!)).toBeLessThan(1)
  })
  if (position && future[0]) expect(future[0][0]).toEqual(position)
  if (position) expect(past.at(-1)?.at(-1)).toEqual(position)
}

test('without tracking, the journey is the planned route with the time zones of its places', async () => {
  const journey = await journeyOf({ shipment: { status: 'booked', route: doors }, others: [factory, warehouse] })
  expect(journey.places.map(({ role, name, country, time_zone }) => [role, name, country, time_zone])).toEqual([
    ['pickup', 'Hangzhou', 'CN', 'Asia/Shanghai'],
    ['origin', 'Shanghai', 'CN', 'Asia/Shanghai'],
    ['destination', 'Rotterdam', 'NL', 'Europe/Amsterdam'],
    ['delivery', 'München', 'de', 'Europe/Berlin'],
  ])
  expect(journey.past).toEqual([])
  expect(journey.position).toBeUndefined()
  expect(journey.future).toHaveLength(3)
  expect(km([journey.future[1]!])).toBeCloseTo(seaRoute('CN/SHA', 'NL/RTM').lengthKm, -1)
  expectOneWay(journey)
  expect(journey.arrival_history).toEqual([])
})

test('a ship without a known position is placed by its dates', async () => {
  const journey = await journeyOf({ shipment: { route }, tracking: sailing(10, -30) })
  const whole = seaRoute('CN/SHA', 'NL/RTM').lengthKm
  expect(km(journey.past) / whole).toBeCloseTo(0.25, 1)
  expect(km(journey.past) + km(journey.future)).toBeCloseTo(whole, -2)
  expectOneWay(journey)
  expect(inlandPoints(line(journey.past[0]).slice(2), 25)).toEqual([])
  expect(inlandPoints(line(journey.future[0]).slice(0, -2), 25)).toEqual([])
})

test('an overdue ship has not arrived, and one without dates is half way', async () => {
  const overdue = await journeyOf({ shipment: { route }, tracking: sailing(40, 3) })
  expect(km(overdue.future)).toBeGreaterThan(100)
  const undated = await journeyOf({
    shipment: { route },
    tracking: { status: 'in_transit', tracking_steps: [{ type: 'origin_port' }, { type: 'destination_port' }] },
  })
  expect(km(undated.past) / km(undated.future)).toBeCloseTo(1, 1)
  expectOneWay(undated)
})

test('the track of a ship is drawn around land between two reports', async () => {
  const sailed = seaRoute('CN/SHA', 'NL/RTM')
  const reports = Array.from({ length: 12 }, (_, index) => positionAlong(sailed, (index / 11) * 0.6))
  const ocean_coordinates = reports.map(([longitude, latitude]) => ({
    latitude: latitude.toFixed(4),
    longitude: longitude.toFixed(4),
  }))
  const journey = await journeyOf({
    shipment: { route: doors },
    tracking: { ...sailing(20, -14), ocean_coordinates },
    others: [factory, warehouse],
  })
  const [truck, ship] = journey.past
  expect(truck).toHaveLength(2)
  for (const [longitude, latitude] of reports) {
    const nearest = Math.min(...line(ship).map((point) => greatCircleKm(point, [longitude, latitude])))
    expect(nearest).toBeLessThan(1)
  }
  expect(inlandPoints(line(ship).slice(3), 25)).toEqual([])
  const [longitude, latitude] = reports.at(-1)!
  expect(greatCircleKm(line([journey.position!])[0]!, [longitude, latitude])).toBeLessThan(1)
  expect((km([ship!]) + km([journey.future[0]!])) / sailed.lengthKm).toBeCloseTo(1, 1)
  expect(journey.future).toHaveLength(2)
  expectOneWay(journey)
})

test('a route across the Pacific continues beyond 180 degrees, with its places next to it', async () => {
  const sailed = seaRoute('US/LAX', 'JP/YOK')
  const ocean_coordinates = [0.1, 0.3, 0.5, 0.7].map((part) => {
    const [longitude, latitude] = positionAlong(sailed, part)
    return { latitude: String(latitude), longitude: String(longitude) }
  })
  const tracking: Partial<TrackingRecord> = {
    tracking_steps: [
      { type: 'origin_port', port: port('USLAX'), events: [event('Sailed', 5, 'actual')] },
      { type: 'destination_port', port: port('JPYOK'), events: [event('Arrival', -3, 'planned')] },
    ],
  }
  for (const known of [tracking, { ...tracking, ocean_coordinates }]) {
    const journey = await journeyOf({ tracking: known })
    expectOneWay(journey)
    const [origin, destination] = journey.places
    expect(origin?.point?.[0]).toBeGreaterThan(-119)
    expect(destination?.point?.[0]).toBeCloseTo(139.65 - 360, 0)
    expect(km(journey.past) + km(journey.future)).toBeCloseTo(sailed.lengthKm, -3)
  }
})

test('at a transshipment, after arrival and after completion the ship is in the port', async () => {
  const steps = (...happened: number[]): Partial<TrackingRecord> => ({
    tracking_steps: [
      { type: 'origin_port' as const, port: port('CN/SHA'), events: [event('Vessel departed', 20, 'actual')] },
      { type: 'transshipment_port' as const, port: port('SG/SIN'), events: [event('Vessel arrived', 12, 'actual')] },
      { type: 'destination_port' as const, port: port('NL/RTM'), events: [event('Vessel arrived', 2, 'actual')] },
    ].map((step, index) => (happened.includes(index) ? step : { ...step, events: [] })),
  })
  const hub = await journeyOf({ tracking: steps(0, 1) })
  expect(hub.position).toEqual(hub.places[1]?.point)
  expect([hub.past.length, hub.future.length]).toEqual([1, 1])
  const arrived = await journeyOf({ tracking: steps(0, 1, 2), shipment: { route: doors }, others: [warehouse] })
  expect(arrived.position).toEqual(arrived.places[2]?.point)
  expect([arrived.past.length, arrived.future.length]).toEqual([2, 1])
  const over = await journeyOf({
    tracking: steps(0, 1, 2),
    shipment: { route: doors, status: 'finished' },
    others: [warehouse],
  })
  expect(over.future).toEqual([])
  expect(over.position).toEqual(over.places.at(-1)?.point)
  const cancelled = await journeyOf({ tracking: steps(0), shipment: { status: 'cancelled' } })
  expect([cancelled.future, cancelled.position]).toEqual([[], undefined])
})

test('air routes are great circles, rail and road routes are straight', async () => {
  const between = (from: string, to: string) => ({ origin_port_unlocode: from, destination_port_unlocode: to })
  const flight = await journeyOf({ shipment: { freight_mode: 'air', route: between('CN/PVG', 'US/ORD') } })
  const [from, to] = line(flight.places.flatMap(({ point }) => (point ? [point] : [])))
  expect(km(flight.future)).toBeCloseTo(greatCircleKm(from!, to!), -1)
  expect(Math.max(...line(flight.future[0]).map(([, latitude]) => latitude))).toBeGreaterThan(60)
  expectOneWay(flight)
  for (const freight_mode of ['rail', 'truck'] as const) {
    const overland = await journeyOf({ shipment: { freight_mode, route: between('DE/HAM', 'ES/MAD') } })
    expect(overland.future).toHaveLength(1)
    expect(overland.future[0]).toHaveLength(2)
  }
})

test('unknown places are named, and not drawn', async () => {
  const journey = await journeyOf({
    shipment: {
      route: { origin_port_unlocode: 'XX/XXX', destination_port_unlocode: 'NL/RTM', pickup_location_id: '7' },
    },
    tracking: {
      ...sailing(3, -4),
      tracking_steps: [
        { type: 'pickup', location: { id: 7, company_name: 'Somewhere Ltd', city: 'Nowhere', country: 'CN' } },
        { type: 'origin_port', events: [event('Sailed', 3, 'actual')] },
        { type: 'destination_port', port: { city: 'Rotterdam', country: 'NL' } },
      ],
      ocean_coordinates: [{ latitude: 'north', longitude: '' }],
    },
  })
  expect(journey.places.map(({ name, point }) => [name, point !== undefined])).toEqual([
    ['Nowhere', false],
    ['XX/XXX', false],
    ['Rotterdam', true],
  ])
  expect([journey.past, journey.future, journey.position]).toEqual([[], [], undefined])
  expect(await journeyOf({})).toEqual({ tracked: false, places: [], past: [], future: [], arrival_history: [] })
})

test('the history of the arrival date includes every version, from plans and events', async () => {
  const { plan, say, work, params, id } = await startTracking(service)
  const { portal } = await newPerson(service, { id })
  const history = async () => (await portal('getJourney', { params })).body.arrival_history
  await plan()
  expect(await history()).toEqual([])
  await say('destination', 'Arrival', 'planned', 20)
  await say('origin', 'Departure', 'planned', 2)
  await say('destination', 'Arrival', 'estimated', 22, { event_id: 'estimate' })
  await say('destination', 'Arrival', 'estimated', 25)
  // The planned date again, then a correction.
  await work('retractEvent', { params: { ...params, event_id: 'estimate' }, query: { reason: 'wrong vessel' } })
  await plan({ steps: doorToDoor.steps })
  await say('destination', 'Arrival', 'problem', 26)
  const moves = await history()
  expect(moves.map(({ date, status }) => [date, status])).toEqual([
    [on(20), 'planned'],
    [on(22), 'estimated'],
    [on(25), 'estimated'],
    [on(25), 'problem'],
  ])
  const times = moves.map(({ recorded_at }) => recorded_at)
  expect(times).toEqual(times.toSorted())
  expect(new Set(times).size).toBe(4)
})

test('a long history returns the last two hundred statements', async () => {
  const { plan, svc_shipment_id, params, id } = await startTracking(service)
  const { portal } = await newPerson(service, { id })
  const dateOf = (number: number) => new Date(Date.UTC(2026, 2, 1, number)).toISOString()
  await plan()
  await service.db.begin(async (sql) => {
    for (let sequence = 1; sequence <= 215; sequence++) {
      const stated = {
        step: 'destination',
        description: 'Arrival',
        status: 'estimated' as const,
        date: dateOf(sequence),
      }
      const record = { svc_shipment_id, event_id: `e-${sequence}`, sequence, ...stated }
      await commitWithin(sql, id, 'test', async (tx) => {
        tx.put('tracking_event', [{ record, before: undefined }])
      })
    }
  })
  const { arrival_history } = (await portal('getJourney', { params })).body
  expect(arrival_history.map(({ date }) => date)).toEqual(Array.from({ length: 200 }, (_, index) => dateOf(index + 16)))
})

test('an imported plan that was changed before has its initial date', async () => {
  const { arrival_history } = await journeyOf({
    tracking: { ...sailing(10, -5), initial_dates: { eta: ago(-3) } },
  })
  expect(arrival_history.map(({ status }) => status)).toEqual(['planned', 'estimated'])
})

test('no ship of the sandbox is drawn over land, at any point of its route', () => {
  const now = Date.parse('2026-01-15T12:00:00Z')
  const shipments: ShipmentRecord[] = []
  const tracked = new Map<string, TrackingRecord>()
  const options = { accounts: 2, shipments: 40, seed: 'ships', today: '2026-01-15' }
  for (const { account, kind, data } of generateLines(options)) {
    if (kind === 'shipment' && data.freight_mode === 'ocean') shipments.push({ ...data, name: account })
    if (kind === 'tracking') tracked.set(`${account} ${data.svc_shipment_id}`, data)
  }
  expect(shipments.length).toBeGreaterThan(30)
  for (const shipment of shipments) {
    const tracking = tracked.get(`${shipment.name} ${shipment.svc_shipment_id}`)
    const { past, future } = finish(journeyMap({ shipment, tracking, locations: {}, now }))
    const atSea = [...past, ...future].filter((each) => each.length > 2).map(line)
    for (const each of atSea) expect(inlandPoints(each, 30), shipment.svc_shipment_id).toEqual([])
  }
})

test('a shipment of another account has no journey', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1' } })
  const stranger = await newPerson(service, await newAccount(service))
  expect(await stranger.portal('getJourney', { params: { svc_shipment_id: 'S-1' } })).toBeRefused('shipment_not_found')
})

test('a journey states whether the shipment has tracking', async () => {
  expect((await journeyOf({ shipment: { route }, tracking: sailing(3, -9) })).tracked).toBe(true)
  expect((await journeyOf({ shipment: { route } })).tracked).toBe(false)
})
