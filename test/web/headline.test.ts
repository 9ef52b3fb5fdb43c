import { expect, test } from 'vitest'
import type { MainTrackingDates, Shipment } from '../../src/contract/public/shipment.js'
import type { Tracking, TrackingEvent } from '../../src/contract/public/tracking.js'
import { en } from '../../web/portal/i18n/en.js'
import { fr } from '../../web/portal/i18n/fr.js'
import { headline } from '../../web/portal/pages/shipment/headline.js'
import { sentenceDay } from '../../web/portal/pages/shipment/sentence-day.js'

/** The first sentence of the page of a shipment. */

const today = '2026-03-28'

function says(shipment: Partial<Shipment>, tracking?: Partial<Tracking>, language: 'en' | 'fr' = 'en'): string {
  const svc_shipment_id = 'SHP-1'
  const texts = { en, fr }[language].shipment.headline
  return headline({ svc_shipment_id, ...shipment }, tracking && { svc_shipment_id, ...tracking }, {
    texts,
    day: sentenceDay(language, today),
    today,
  })
}

const inFrench = (shipment: Partial<Shipment>, tracking?: Partial<Tracking>) => says(shipment, tracking, 'fr')

const event = (description: string, date: string, status: TrackingEvent['status'] = 'actual'): TrackingEvent => ({
  description,
  date,
  status,
})

type Events = Partial<Record<'pickup' | 'origin' | 'transit' | 'destination' | 'inland' | 'delivery', TrackingEvent[]>>

/** Steps in Suzhou, Shanghai, Singapore, Le Havre and Lyon; those without given events have none. */
function journey(events: Events, { inland = false } = {}): Tracking['tracking_steps'] {
  const port = (city: string, country: string, unlocode: string) => ({ city, country, unlocode })
  const door = (id: number, city: string) => ({ id, city })
  return [
    { type: 'pickup', location: door(1, 'Suzhou'), events: events.pickup ?? [] },
    { type: 'origin_port', port: port('Shanghai', 'CN', 'CN/SHA'), events: events.origin ?? [] },
    { type: 'transshipment_port', port: port('Singapore', 'SG', 'SG/SIN'), events: events.transit ?? [] },
    { type: 'destination_port', port: port('Le Havre', 'FR', 'FR/LEH'), events: events.destination ?? [] },
    ...(inland
      ? [
          {
            type: 'inland_terminal' as const,
            port: port('Vénissieux', 'FR', 'FR/VEN'),
            events: events.inland ?? [],
          },
        ]
      : []),
    { type: 'delivery', location: door(2, 'Lyon'), events: events.delivery ?? [] },
  ]
}

const left = [event('Vessel departed', '2026-03-08T10:00:00+08:00')]
const changed = [
  event('Vessel arrived', '2026-03-15T06:00:00+08:00'),
  event('Vessel departed', '2026-03-18T06:00:00+08:00'),
]
const dates = (given: MainTrackingDates): Partial<Shipment> => ({ freight_mode: 'ocean', main_tracking_dates: given })
const estimated = (date: string) => ({ date, status: 'estimated' as const })
const actual = (date: string) => ({ date, status: 'actual' as const })

test('the sentence of a shipment at sea names both ports, the arrival, and how far it has moved', () => {
  const shipment = dates({ arrival_date: estimated('2026-04-09T08:00:00+02:00') })
  const tracking: Partial<Tracking> = {
    status: 'in_transit',
    tracking_steps: journey({ origin: left, transit: changed }),
    initial_dates: { eta: '2026-04-07T08:00:00+02:00' },
  }
  expect(says(shipment, tracking)).toBe(
    'On the water between Singapore and Le Havre, arrives Thu 9 Apr, 2 days later than first planned.',
  )
  expect(inFrench(shipment, tracking)).toBe(
    'En mer entre Singapore et Le Havre, arrivée jeudi 9 avril, 2 jours plus tard que prévu initialement.',
  )
})

test('the sentence before a transshipment names the next port', () => {
  const shipment = dates({ arrival_date: estimated('2026-04-09T08:00:00+02:00') })
  const tracking: Partial<Tracking> = { status: 'in_transit', tracking_steps: journey({ origin: left }) }
  expect(says(shipment, tracking)).toBe('On the water between Shanghai and Singapore, arrives in Le Havre Thu 9 Apr.')
  expect(inFrench(shipment, tracking)).toBe('En mer entre Shanghai et Singapore, arrivée au Havre jeudi 9 avril.')
})

test('the sentence of a shipment under way has its own wording for each mode', () => {
  const tracking: Partial<Tracking> = {
    status: 'in_transit',
    tracking_steps: journey({ origin: left, transit: changed }),
  }
  const between = 'between Singapore and Le Havre.'
  expect(says({ freight_mode: 'air' }, tracking)).toBe(`In the air ${between}`)
  expect(says({ freight_mode: 'rail' }, tracking)).toBe(`On rail ${between}`)
  expect(says({ freight_mode: 'truck' }, tracking)).toBe(`On the road ${between}`)
  expect(says({}, tracking)).toBe('In transit from Singapore to Le Havre.')
  expect(inFrench({ freight_mode: 'air' }, tracking)).toBe('En vol entre Singapore et Le Havre.')
})

test('the sentence follows the last container of a shipment', () => {
  const containers = [{ container_number: 'MSKU0000001' }, { container_number: 'MSKU0000002' }]
  const gone = { ...event('Loaded on vessel', '2026-03-07T10:00:00+08:00'), container_number: 'MSKU0000001' }
  const tracking: Partial<Tracking> = {
    status: 'at_origin',
    tracking_steps: journey({ pickup: [event('Picked up', '2026-03-05T10:00:00+08:00')], origin: [gone] }),
  }
  expect(says({ cargo: { containers } }, tracking)).toBe('Picked up in Suzhou.')
})

test('the sentence of a shipment at its origin names departure and arrival', () => {
  const shipment = dates({
    departure_date: { date: '2026-04-01T10:00:00+08:00', status: 'planned' },
    arrival_date: { date: '2026-04-28T10:00:00+02:00', status: 'planned' },
  })
  const tracking: Partial<Tracking> = {
    status: 'at_origin',
    tracking_steps: journey({ origin: [event('Gate in', '2026-03-27T10:00:00+08:00')] }),
    initial_dates: { eta: '2026-04-28T23:00:00+02:00' },
  }
  expect(says(shipment, tracking)).toBe('At Shanghai, departs Wed 1 Apr, arrives Tue 28 Apr, as first planned.')
  expect(inFrench(shipment, tracking)).toBe(
    'À Shanghai, départ mercredi 1er avril, arrivée mardi 28 avril, comme prévu initialement.',
  )
})

test('the sentence names the port of a transshipment, and the port of arrival', () => {
  const between: Partial<Tracking> = {
    status: 'at_transshipment',
    tracking_steps: journey({ origin: left, transit: changed.slice(0, 1) }),
  }
  const shipment = dates({ arrival_date: estimated('2026-04-09T08:00:00+02:00') })
  expect(says(shipment, between)).toBe('In transshipment at Singapore, arrives in Le Havre Thu 9 Apr.')

  const there: Partial<Tracking> = {
    status: 'arrived',
    tracking_steps: journey({ origin: left, destination: [event('Vessel arrived', '2026-03-26T08:00:00+01:00')] }),
    initial_dates: { eta: '2026-03-27T08:00:00+01:00' },
  }
  const arrived = dates({
    arrival_date: actual('2026-03-26T08:00:00+01:00'),
    delivery_date: estimated('2026-04-02T08:00:00+02:00'),
  })
  expect(says(arrived, there)).toBe(
    'Arrived in Le Havre on Thu 26 Mar, 1 day earlier than first planned, delivery Thu 2 Apr.',
  )
  expect(inFrench(arrived, there)).toBe(
    'Arrivée au Havre le jeudi 26 mars, 1 jour plus tôt que prévu initialement, livraison jeudi 2 avril.',
  )
})

test('after the last port the sentence names the delivery', () => {
  const onRails: Partial<Tracking> = {
    status: 'in_transit',
    tracking_steps: journey(
      { origin: left, destination: [event('Gate out', '2026-03-26T08:00:00+01:00')] },
      { inland: true },
    ),
    initial_dates: { delivery: '2026-03-30T08:00:00+02:00' },
  }
  const shipment = dates({ delivery_date: estimated('2026-04-02T08:00:00+02:00') })
  expect(says(shipment, onRails)).toBe(
    'In transit from Le Havre to Vénissieux, delivery Thu 2 Apr, 3 days later than first planned.',
  )
  expect(inFrench(shipment, onRails)).toBe(
    'En transit du Havre à Vénissieux, livraison jeudi 2 avril, 3 jours plus tard que prévu initialement.',
  )

  const atTerminal = { ...onRails, status: 'arrived' as const }
  const steps = journey({ origin: left, inland: [event('Arrived', '2026-03-27T08:00:00+01:00')] }, { inland: true })
  expect(says(shipment, { ...atTerminal, tracking_steps: steps })).toContain(
    'Arrived in Vénissieux, delivery Thu 2 Apr',
  )

  const outside: Partial<Tracking> = { status: 'out_for_delivery', tracking_steps: journey({ origin: left }) }
  expect(says(dates({ delivery_date: estimated('2026-03-28T16:00:00+01:00') }), outside)).toBe(
    'Out for delivery to Lyon, delivery Sat 28 Mar.',
  )
})

test('the sentence of a delivered shipment has the day, and the year if it is not the current one', () => {
  const tracking: Partial<Tracking> = {
    status: 'delivered',
    tracking_steps: journey({ delivery: [event('Delivered', '2025-12-01T10:00:00+01:00')] }),
    initial_dates: { delivery: '2025-12-01T08:00:00+01:00' },
  }
  const shipment = dates({ delivery_date: actual('2025-12-01T10:00:00+01:00') })
  expect(says(shipment, tracking)).toBe('Delivered in Lyon on Mon 1 Dec 2025, as first planned.')
  expect(inFrench(shipment, tracking)).toBe('Livrée à Lyon le lundi 1er décembre 2025, comme prévu initialement.')
})

test('the sentence of a shipment handed over at a port has the day of its arrival', () => {
  const steps = journey({ destination: [event('Delivered to consignee at port', '2026-03-26T08:00:00+01:00')] })?.slice(
    1,
    4,
  )
  const tracking: Partial<Tracking> = {
    status: 'delivered',
    ...(steps && { tracking_steps: steps }),
    initial_dates: { eta: '2026-03-25T08:00:00+01:00' },
  }
  expect(says(dates({ arrival_date: actual('2026-03-26T08:00:00+01:00') }), tracking)).toBe(
    'Delivered in Le Havre on Thu 26 Mar, 1 day later than first planned.',
  )
})

test('a problem is named with the expected date, not with the date it began', () => {
  const shipment = dates({ arrival_date: { date: '2026-03-25T08:00:00+01:00', status: 'problem' } })
  const tracking: Partial<Tracking> = {
    status: 'in_transit',
    tracking_steps: journey({
      origin: left,
      transit: changed,
      destination: [
        event('Vessel arrived', '2026-03-25T08:00:00+01:00', 'planned'),
        event('Vessel arrived: port congestion, waiting for a berth', '2026-03-25T08:00:00+01:00', 'problem'),
        event('Vessel arrived', '2026-03-31T08:00:00+02:00', 'estimated'),
      ],
    }),
    initial_dates: { eta: '2026-03-25T08:00:00+01:00' },
  }
  expect(says(shipment, tracking)).toBe(
    'On the water between Singapore and Le Havre, arrives Tue 31 Mar, 6 days later than first planned, delayed (port congestion, waiting for a berth).',
  )
  expect(inFrench(shipment, tracking)).toContain('retardée (port congestion, waiting for a berth).')
})

test('a problem before the hand-over at the port is named with the day that is expected', () => {
  const shipment = dates({
    arrival_date: { date: '2026-03-25T08:00:00+01:00', status: 'actual' },
    delivery_date: { date: '2026-03-26T08:00:00+01:00', status: 'problem' },
  })
  const tracking: Partial<Tracking> = {
    status: 'arrived',
    tracking_steps: journey({
      origin: left,
      destination: [
        event('Vessel arrived', '2026-03-25T08:00:00+01:00'),
        event('Held by carrier: freight charges unpaid', '2026-03-26T08:00:00+01:00', 'problem'),
        event('Delivered to consignee at port', '2026-03-30T08:00:00+02:00', 'estimated'),
      ],
    })!.slice(0, -1),
  }
  expect(says(shipment, tracking)).toBe(
    'Arrived in Le Havre on Wed 25 Mar, delivery Mon 30 Mar, delayed (freight charges unpaid).',
  )
})

test('a hold at the port is named as what delays the delivery', () => {
  const shipment = dates({
    arrival_date: { date: '2026-03-25T08:00:00+01:00', status: 'actual' },
    delivery_date: { date: '2026-03-30T08:00:00+02:00', status: 'problem' },
  })
  const tracking: Partial<Tracking> = {
    status: 'arrived',
    tracking_steps: journey({
      origin: left,
      destination: [
        event('Vessel arrived', '2026-03-25T08:00:00+01:00'),
        event('Customs inspection', '2026-03-26T08:00:00+01:00', 'problem'),
      ],
      delivery: [event('Delivered', '2026-03-30T08:00:00+02:00', 'estimated')],
    }),
  }
  expect(says(shipment, tracking)).toBe(
    'Arrived in Le Havre on Wed 25 Mar, delivery Mon 30 Mar, delayed (Customs inspection).',
  )
})

test('an expected day in the past is not stated as upcoming', () => {
  const shipment = dates({ arrival_date: { date: '2026-03-20T08:00:00+01:00', status: 'planned' } })
  const tracking: Partial<Tracking> = {
    status: 'in_transit',
    tracking_steps: journey({ origin: left, transit: changed }),
  }
  expect(says(shipment, tracking)).toBe('On the water between Singapore and Le Havre, was due to arrive Fri 20 Mar.')
  expect(inFrench(shipment, tracking)).toBe('En mer entre Singapore et Le Havre, devait arriver vendredi 20 mars.')
})

test('before departure the sentence follows the status, with or without tracking', () => {
  const route = { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'FR/LEH' }
  expect(says({ status: 'draft', route })).toBe('Draft from CN/SHA to FR/LEH, not booked yet.')
  expect(says({ status: 'booking_request' })).toBe('Booking requested.')
  expect(says({ status: 'awaiting_booking' }, { status: 'pending', tracking_steps: journey({}) })).toBe(
    'Awaiting booking from Shanghai to Le Havre.',
  )
  expect(says({ status: 'booked' }, { status: 'pending', tracking_steps: journey({}) })).toBe(
    'Booked from Shanghai to Le Havre.',
  )
  expect(inFrench({ status: 'booked' }, { status: 'pending', tracking_steps: journey({}) })).toBe(
    'Réservée de Shanghai au Havre.',
  )
  expect(says({ status: 'finished', route })).toBe('Completed from CN/SHA to FR/LEH.')
})

test('the sentence of a cancelled shipment has no route', () => {
  const tracking: Partial<Tracking> = { status: 'cancelled', tracking_steps: journey({ origin: left }) }
  const shipment = { ...dates({ arrival_date: estimated('2026-04-09T08:00:00+02:00') }), status: 'cancelled' as const }
  expect(says(shipment, tracking)).toBe('Cancelled, was planned from Shanghai to Le Havre.')
  expect(inFrench(shipment, tracking)).toBe('Annulée, était prévue de Shanghai au Havre.')
})

test('a shipment without any data has a sentence', () => {
  expect(says({})).toBe('No tracking yet.')
  expect(inFrench({}, {})).toBe('Pas encore de suivi.')
  expect(says({ freight_mode: 'ocean' }, { status: 'in_transit' })).toBe('In transit.')
  expect(inFrench({ freight_mode: 'ocean' }, { status: 'arrived' })).toBe('Arrivée.')
})

test('without its tracking, a shipment that is expected to depart is not in transit', () => {
  const departs = { date: '2026-03-29T10:00:00+08:00', status: 'estimated' as const }
  const pickedUp = { date: '2026-03-27T10:00:00+08:00', status: 'actual' as const }
  const of = (given: MainTrackingDates) => says({ ...dates(given), status: 'in_progress' })
  expect(of({ departure_date: departs })).toMatch(/^At origin, departs /)
  expect(of({ pickup_date: pickedUp, departure_date: departs })).toMatch(/^Picked up, departs /)
  expect(of({ departure_date: { ...departs, status: 'actual' } })).toMatch(/^In transit/)
  expect(of({})).toMatch(/^In transit/)
})
