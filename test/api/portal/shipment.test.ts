import { expect, test } from 'vitest'
import type { Journey } from '../../../src/contract/portal/journey.js'
import type { Tracking } from '../../../src/contract/public/tracking.js'
import { readShipmentsSearch } from '../../../src/domain/shipments/shipment-view.js'
import { clipRing, unwrapRing } from '../../../web/portal/map/geometry.js'
import { placeLabels } from '../../../web/portal/map/labels.js'
import { routeOf } from '../../../web/portal/map/route.js'
import { arrivalDates, stepChart } from '../../../web/portal/pages/shipment/arrival-history.js'
import { timelineOf } from '../../../web/portal/pages/shipment/timeline.js'

/** The computations behind the shipment pages. */

const journey = (given: Partial<Journey>): Journey => ({
  tracked: true,
  places: [],
  past: [],
  future: [],
  arrival_history: [],
  ...given,
})

test('a route across the Pacific is continuous, with its ports next to it', () => {
  const route = routeOf(
    journey({
      places: [
        { name: 'Shanghai', role: 'origin', point: [121.5, 31.2] },
        { name: 'Los Angeles', role: 'destination', point: [-118.2, 33.7] },
      ],
      past: [
        [
          [121.5, 31.2],
          [179, 40],
          [-170, 42],
        ],
      ],
      position: [-170, 42],
      future: [
        [
          [-170, 42],
          [-118.2, 33.7],
        ],
      ],
    }),
  )
  expect(route?.past[0]?.map(([longitude]) => longitude)).toEqual([121.5, 179, 190])
  expect(route?.future[0]?.map(([longitude]) => longitude)).toEqual([190, 241.8])
  expect(route?.position).toEqual([190, 42])
  expect(route?.places.map(({ point }) => point[0])).toEqual([121.5, 241.8])
  expect(route?.bounds).toEqual([121.5, 31.2, 241.8, 42])
})

test('a journey without a known place has no route', () => {
  expect(routeOf(journey({ places: [{ name: 'Nowhere', role: 'origin' }] }))).toBeUndefined()
})

test('land that crosses 180 degrees keeps its shape, and Antarctica is closed over the pole', () => {
  const chukotka = unwrapRing([
    [150, 60],
    [180, 60],
    [-170, 65],
    [175, 70],
    [150, 60],
  ])
  expect(chukotka.map(([longitude]) => longitude)).toEqual([150, 180, 190, 175, 150])
  const fromTheOtherSide = unwrapRing([
    [-170, 60],
    [100, 60],
    [20, 50],
    [100, 70],
    [-170, 60],
  ])
  expect(fromTheOtherSide.map(([longitude]) => longitude)).toEqual([190, 100, 20, 100, 190])
  const antarctica = unwrapRing([
    [-180, -80],
    [-60, -75],
    [60, -70],
    [180, -80],
  ])
  expect(antarctica.slice(-3)).toEqual([
    [180, -90],
    [-180, -90],
    [-180, -80],
  ])
})

test('a ring is clipped at the edges of a picture', () => {
  expect(
    clipRing(
      [
        [-1, -1],
        [3, -1],
        [3, 3],
        [-1, 3],
      ],
      [0, 0, 2, 2],
    ).map(String),
  ).toEqual(expect.arrayContaining(['0,0', '0,2', '2,0', '2,2']))
  expect(
    clipRing(
      [
        [5, 5],
        [6, 5],
        [6, 6],
      ],
      [0, 0, 2, 2],
    ),
  ).toEqual([])
})

test('labels on the map are next to their marks and do not overlap', () => {
  const view = { width: 400, height: 200 }
  const label = { width: 80, height: 18 }
  const sides = placeLabels(
    [
      { x: 200, y: 100, ...label, rank: 1 },
      { x: 215, y: 104, ...label, rank: 0 },
      { x: 350, y: 100, ...label, rank: 2 },
      { x: 900, y: 100, ...label, rank: 3 },
    ],
    view,
  )
  expect(sides).toEqual(['left', 'right', 'above', undefined])
})

const tracking: Tracking = {
  svc_shipment_id: 'SHP-1',
  status: 'in_transit',
  tracking_steps: [
    {
      type: 'origin_port',
      port: { unlocode: 'CN/SHA', city: 'Shanghai', country: 'CN' },
      events: [
        { description: 'Gate in', date: '2026-03-01T08:00:00+08:00', status: 'planned' },
        { description: 'Gate in', date: '2026-03-02T09:00:00+08:00', status: 'actual', container_number: 'A' },
        { description: 'Gate in', date: '2026-03-02T07:00:00+08:00', status: 'actual', container_number: 'B' },
        { description: 'Vessel departed', date: '2026-03-04T08:00:00+08:00', status: 'actual' },
      ],
    },
    {
      type: 'destination_port',
      port: { unlocode: 'FR/LEH', city: 'Le Havre', country: 'FR' },
      events: [{ description: 'Vessel arrived', date: '2026-04-09T08:00:00+02:00', status: 'estimated' }],
    },
  ],
}

test('the timeline lists each step once, with the time of the last container in its local time zone', () => {
  const places: Journey['places'] = [
    { name: 'Shanghai', role: 'origin', unlocode: 'CN/SHA', time_zone: 'Asia/Shanghai' },
  ]
  const [origin, destination] = timelineOf(tracking, journey({ places }))
  expect(origin).toMatchObject({ place: 'Shanghai', zone: 'Asia/Shanghai', state: 'done' })
  expect(origin?.lines).toEqual([
    {
      what: 'Gate in',
      planned: '2026-03-01T08:00:00+08:00',
      actual: '2026-03-02T09:00:00+08:00',
      reached: { count: 2, of: 2 },
    },
    { what: 'Vessel departed', actual: '2026-03-04T08:00:00+08:00' },
  ])
  expect(destination).toMatchObject({ zone: undefined, state: 'ahead' })
})

test('the timeline of one container shows its own times and those of the whole shipment', () => {
  const [origin] = timelineOf(tracking, undefined, 'B')
  expect(origin?.lines).toEqual([
    { what: 'Gate in', planned: '2026-03-01T08:00:00+08:00', actual: '2026-03-02T07:00:00+08:00' },
    { what: 'Vessel departed', actual: '2026-03-04T08:00:00+08:00' },
  ])
})

const moves: Journey['arrival_history'] = [
  { recorded_at: '2026-03-01T00:00:00Z', date: '2026-04-07T08:00:00+02:00', status: 'planned' },
  { recorded_at: '2026-03-10T00:00:00Z', date: '2026-04-12T08:00:00+02:00', status: 'estimated' },
  { recorded_at: '2026-03-20T00:00:00Z', date: '2026-04-09T08:00:00+02:00', status: 'estimated' },
]

test('changes of the arrival are shown in days from the first plan, and drawn as steps', () => {
  const words = arrivalDates(moves, '2026-04-07T08:00:00+02:00')
  expect(words.map(({ days }) => days)).toEqual([0, 5, 2])
  const chart = stepChart(words, '2026-03-30T00:00:00Z', { width: 100, height: 50, margin: 0 })
  expect(chart?.path).toBe('M0 50H31V0H65.5V30H100')
  expect(chart?.baseline).toBe(50)
})

test('an imported initial plan comes first, and an unchanged arrival has no chart', () => {
  const words = arrivalDates(moves.slice(1, 2), '2026-04-07T08:00:00+02:00')
  expect(words.map(({ recordedAt, days }) => [recordedAt, days])).toEqual([
    [undefined, 0],
    ['2026-03-10T00:00:00Z', 5],
  ])
  expect(
    stepChart(arrivalDates(moves.slice(0, 1), undefined), '2026-03-30T00:00:00Z', { width: 1, height: 1, margin: 0 }),
  ).toBeUndefined()
})

test('the date of a problem is not shown as an arrival', () => {
  const held: Journey['arrival_history'] = [
    ...moves.slice(0, 1),
    { recorded_at: '2026-03-20T00:00:00Z', date: '2026-03-19T08:00:00+02:00', status: 'problem' },
  ]
  const words = arrivalDates(held, '2026-04-07T08:00:00+02:00', '2026-04-11T08:00:00+02:00')
  expect(words.map(({ date, days, status }) => [date.slice(0, 10), days, status])).toEqual([
    ['2026-04-07', 0, 'planned'],
    ['2026-04-11', 4, 'estimated'],
  ])
})

test('invalid parameters of a URL are ignored', () => {
  const requested = {
    q: ' MSKU ',
    status: 'finished,nonsense,booked',
    freight_mode: 'ship',
    origin: 'CN/SHA',
    destination: 'Le Havre',
    departs_from: '2026-02-30',
    arrives_to: '2026-02-28',
    late: 'false',
    sort: 'arrival',
    order: 'sideways',
    utm_source: 'mail',
  }
  expect(readShipmentsSearch(requested)).toEqual({
    q: 'MSKU',
    status: 'booked,finished',
    origin: 'CN/SHA',
    arrives_to: '2026-02-28',
    sort: 'arrival',
  })
})
