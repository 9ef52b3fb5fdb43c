import { expect, test } from 'vitest'
import {
  arrive,
  C1,
  C2,
  depart,
  discharge,
  drop,
  follow,
  gateIn,
  gateOut,
  load,
  pickUp,
} from '../../support/carrier-history.js'

/** What is shown after what a carrier reported: histories that are known to mislead. */

type Shown = ReturnType<ReturnType<typeof follow>['shown']>
type Options = Parameters<typeof follow>[2]
type History = [title: string, reports: object[], expected: Partial<Shown>, options?: Options]

const two = { containers: [C1, C2] }
const toPort = { doors: false }
const [V1, V2, V3] = [{ vessel: 'V1' }, { vessel: 'V2' }, { vessel: 'V3' }]
const of2 = { of: C2 }
const unnamed = { of: '' }
// The carrier does not say by what.
const byUnknown = { mode: undefined }

function check(from: string, to: string) {
  return (_title: string, reports: object[], expected: Partial<Shown>, options?: Options) => {
    const shipment = follow(from, to, options)
    shipment.report(...reports)
    expect(shipment.shown()).toMatchObject(expected)
    // In whatever order they come.
    const reversed = follow(from, to, options)
    reversed.report(...reports.toReversed())
    expect(reversed.shown()).toEqual(shipment.shown())
  }
}

const onTwoVessels = [
  load('CNSHA', '03-01', V1),
  depart('CNSHA', '03-02', V1),
  load('CNSHA', '03-08', { ...V2, ...of2 }),
  depart('CNSHA', '03-09', V2),
  arrive('USLAX', '03-20', V1),
]
const toHub = [
  load('CNSHA', '03-01', V1),
  depart('CNSHA', '03-02', V1),
  arrive('KRPUS', '03-05', V1),
  discharge('KRPUS', '03-06', V1),
]

test.each<History>([
  ['another container is still at sea', onTwoVessels, { departure: 'actual 03-09', arrival: 'estimated 03-20' }, two],
  [
    'then its vessel arrives',
    [...onTwoVessels, arrive('USLAX', '03-27', V2)],
    { arrival: 'actual 03-27', status: 'arrived' },
    two,
  ],
  [
    'the vessel that a container has left arrives',
    [...toHub, arrive('USLAX', '03-20', V1)],
    { departure: 'actual 03-02', arrival: '-', status: 'at_transshipment' },
  ],
  [
    'the vessel on which it was not loaded at the hub arrives',
    [
      ...toHub,
      depart('KRPUS', '03-09', V2),
      arrive('USLAX', '03-20', V2),
      load('KRPUS', '03-16', V3),
      depart('KRPUS', '03-17', V3),
    ],
    { arrival: '-', status: 'in_transit' },
  ],
  [
    'and then the one on which it was',
    [
      ...toHub,
      depart('KRPUS', '03-09', V2),
      arrive('USLAX', '03-20', V2),
      load('KRPUS', '03-16', V3),
      depart('KRPUS', '03-17', V3),
      arrive('USLAX', '03-28', V3),
    ],
    { arrival: 'actual 03-28' },
  ],
  [
    'its loading at the hub is not reported: its discharge shows it',
    [...toHub, arrive('USLAX', '03-20', V2), discharge('USLAX', '03-21', V2)],
    { arrival: 'actual 03-20' },
  ],
  [
    'the estimate of another vessel is newer',
    [
      load('CNSHA', '03-08', V2),
      arrive('USLAX', '03-27', { ...V2, status: 'EST', issued: '03-08' }),
      arrive('USLAX', '03-20', { ...V1, status: 'EST', issued: '03-10' }),
    ],
    { arrival: 'estimated 03-27' },
  ],
  [
    'the estimate of the vessel that it will take at the hub',
    [load('CNSHA', '03-01', V1), arrive('USLAX', '03-27', { ...V2, status: 'EST', issued: '02-20' })],
    { arrival: 'estimated 03-27' },
  ],
  [
    'others are loaded on the vessel that departs, and it is not known to be',
    [gateIn('CNSHA', '02-27'), gateIn('CNSHA', '02-27', of2), load('CNSHA', '03-01', V1), depart('CNSHA', '03-02', V1)],
    { departure: 'estimated 03-02', status: 'at_origin' },
    two,
  ],
  [
    'an empty container at a depot of the origin',
    [gateIn('CNSHA', '03-02', { empty: true })],
    { delivery: '-', status: 'pending' },
  ],
  [
    'it is returned empty at the origin, and taken again',
    [
      gateIn('CNSHA', '02-20'),
      gateOut('CNSHA', '02-22'),
      gateIn('CNSHA', '02-23', { empty: true }),
      gateOut('CNSHA', '02-25', { empty: true }),
      gateIn('CNSHA', '02-27'),
      load('CNSHA', '03-01'),
      depart('CNSHA', '03-02'),
      arrive('USLAX', '03-20'),
    ],
    { departure: 'actual 03-02', arrival: 'actual 03-20', status: 'arrived' },
  ],
  [
    'it is dropped off inland in the country of the origin',
    [pickUp('CNSZV', '02-20'), drop('CNNKG', '02-22')],
    { delivery: '-', status: 'at_origin' },
  ],
  [
    'the vessel leaves the port at which it was discharged, and the journey ends there',
    [load('CNSHA', '03-01'), depart('CNSHA', '03-02'), arrive('USLAX', '03-20'), depart('USLAX', '03-22')],
    { arrival: 'actual 03-20', delivery: '-', status: 'arrived' },
    toPort,
  ],
  [
    'the vessel leaves the port at which it was discharged, and the journey goes on',
    [load('CNSHA', '03-01'), depart('CNSHA', '03-02'), arrive('USLAX', '03-20'), depart('USLAX', '03-22')],
    { arrival: 'actual 03-20', status: 'arrived' },
  ],
  [
    'the vessel leaves the destination on its voyage before',
    [depart('CNSHA', '03-20', { status: 'EST', issued: '03-01' }), depart('USLAX', '03-05')],
    { departure: 'estimated 03-20', status: 'pending' },
  ],
  [
    'it is loaded, and discharged again at the origin',
    [load('CNSHA', '03-01T10', V1), discharge('CNSHA', '03-01T20', V1), depart('CNSHA', '03-02', V1)],
    { departure: '-', status: 'at_origin' },
  ],
  [
    'the vessel left before it came to the terminal',
    [depart('CNSHA', '03-02'), gateIn('CNSHA', '03-05')],
    { departure: '-', status: 'at_origin' },
  ],
  [
    'the vessel left before it came to the terminal, and it is loaded on another',
    [depart('CNSHA', '03-02'), gateIn('CNSHA', '03-05'), load('CNSHA', '03-06')],
    { departure: 'estimated 03-06' },
  ],
  [
    'it is delivered, and nobody has reported its arrival',
    [load('CNSHA', '03-01'), gateOut('USLAX', '03-22', { mode: 'TRUCK' }), drop('USLAX', '03-23', { mode: 'TRUCK' })],
    { departure: 'estimated 03-01', arrival: 'estimated 03-22', delivery: 'actual 03-23' },
  ],
  [
    'it comes to the origin by a feeder',
    [
      load('CNNKG', '02-25'),
      depart('CNNKG', '02-26', { of: C1 }),
      arrive('CNSHA', '02-28', { of: C1 }),
      depart('CNSHA', '03-02', { status: 'EST', issued: '02-20' }),
    ],
    { departure: 'estimated 03-02', status: 'at_origin' },
  ],
  [
    'it is planned for another vessel after its own has left without a word about it',
    [
      gateIn('CNSHA', '02-28'),
      depart('CNSHA', '03-02', V1),
      depart('CNSHA', '03-09', { ...V2, status: 'EST', issued: '03-03' }),
    ],
    { departure: 'problem 03-09', status: 'at_origin' },
  ],
  [
    'it was loaded, whatever is planned for another vessel',
    [
      load('CNSHA', '03-01', V1),
      depart('CNSHA', '03-02', V1),
      depart('CNSHA', '03-09', { ...V2, status: 'EST', issued: '03-03' }),
    ],
    { departure: 'actual 03-02' },
  ],
  [
    'its loading at the hub is dated before its discharge from the vessel before',
    [...toHub, load('KRPUS', '03-05', V2), depart('KRPUS', '03-09', V2), arrive('USLAX', '03-20', V2)],
    { arrival: 'actual 03-20', status: 'arrived' },
  ],
  [
    'it is discharged at the hub, and its next vessel is not reported yet',
    [...toHub, depart('KRPUS', '03-09', V2), arrive('USLAX', '03-20', { ...V2, status: 'EST', issued: '03-09' })],
    { departure: 'actual 03-02', arrival: 'estimated 03-20', status: 'at_transshipment' },
  ],
  [
    'the carrier reports no vessels',
    [load('CNSHA', '03-01'), discharge('KRPUS', '03-06'), load('KRPUS', '03-08'), discharge('USLAX', '03-21')],
    { departure: 'estimated 03-01', arrival: 'actual 03-21', status: 'arrived' },
  ],
  [
    'the carrier reports no vessels, and has given an estimate of the departure',
    [depart('CNSHA', '03-03', { status: 'EST', issued: '02-20' }), load('CNSHA', '03-01'), discharge('USLAX', '03-21')],
    { departure: 'estimated 03-03', arrival: 'actual 03-21', status: 'arrived' },
  ],
  [
    'one container has departed, and the other is discharged',
    [load('CNSHA', '03-01'), depart('CNSHA', '03-02', { of: C1 }), discharge('USLAX', '03-21', of2)],
    { departure: 'estimated 03-02' },
    two,
  ],
  [
    'a truck departs with it, and it is loaded afterwards',
    [depart('CNSHA', '03-01', { ...byUnknown, of: C1 }), load('CNSHA', '03-02', V1)],
    { departure: 'estimated 03-02', status: 'at_origin' },
  ],
  [
    'and then its vessel departs',
    [depart('CNSHA', '03-01', { ...byUnknown, of: C1 }), load('CNSHA', '03-02', V1), depart('CNSHA', '03-03', V1)],
    { departure: 'actual 03-03', status: 'in_transit' },
  ],
  [
    'a truck departs with it, and it arrives at the terminal',
    [depart('CNSHA', '03-01T04', { ...byUnknown, of: C1 }), gateIn('CNSHA', '03-01T06')],
    { departure: '-', status: 'at_origin' },
  ],
  [
    'a vessel departs with it, and its loading is reported late',
    [depart('CNSHA', '03-01', { ...V1, of: C1 }), load('CNSHA', '03-02', V1)],
    { departure: 'actual 03-01', status: 'in_transit' },
  ],
  [
    'it is loaded, departs, and is loaded again at another port',
    [load('CNSHA', '03-01'), depart('CNSHA', '03-02', { of: C1 }), discharge('KRPUS', '03-05'), load('KRPUS', '03-08')],
    { departure: 'actual 03-02', status: 'at_transshipment' },
  ],
  [
    'it was loaded after the arrival that was expected',
    [arrive('USLAX', '02-27', { status: 'EST', issued: '02-01' }), load('CNSHA', '03-01')],
    { departure: 'estimated 03-01', arrival: 'estimated 03-01' },
  ],
  [
    'nothing was expected of the container that is discharged, and the other is expected before',
    [discharge('USLAX', '03-21', of2), arrive('USLAX', '03-19', { of: C1, status: 'EST', issued: '03-01' })],
    { departure: 'estimated 03-21', arrival: 'estimated 03-19' },
    two,
  ],
  [
    'one of two containers is delivered, and the carrier does not say which',
    [load('CNSHA', '03-01'), discharge('USLAX', '03-20', unnamed), drop('USLAX', '03-22', unnamed)],
    { departure: 'estimated 03-01', arrival: '-', delivery: '-' },
    two,
  ],
  [
    'the only container is delivered, and the carrier does not name it',
    [load('CNSHA', '03-01'), discharge('USLAX', '03-20', unnamed), drop('USLAX', '03-22', unnamed)],
    { arrival: 'actual 03-20', delivery: 'actual 03-22' },
  ],
  [
    'the carrier reports nothing but vessels',
    [
      gateIn('CNSHA', '02-28'),
      depart('CNSHA', '03-02', V1),
      arrive('KRPUS', '03-05', V1),
      arrive('USLAX', '03-20', V2),
    ],
    { departure: 'actual 03-02', arrival: 'actual 03-20', status: 'arrived' },
  ],
  [
    'no events of the second container',
    [load('CNSHA', '03-01', V1), depart('CNSHA', '03-02', V1), arrive('USLAX', '03-20', V1)],
    { departure: 'actual 03-02', arrival: 'actual 03-20' },
    two,
  ],
  [
    'the second container is seen at the destination, its loading never was',
    [
      gateIn('CNSHA', '02-27', of2),
      load('CNSHA', '03-01', V1),
      depart('CNSHA', '03-02', V1),
      arrive('USLAX', '03-20', V1),
      discharge('USLAX', '03-21', of2),
    ],
    { departure: 'actual 03-02', arrival: 'actual 03-20' },
    two,
  ],
  [
    'it was rolled to another vessel after its loading was reported in error',
    [
      load('CNSHA', '03-01', V1),
      depart('CNSHA', '03-02', V1),
      load('CNSHA', '03-08', { ...V2, issued: '03-08' }),
      arrive('USLAX', '03-20', V1),
    ],
    { departure: 'estimated 03-08', arrival: '-', status: 'at_origin' },
  ],
  [
    'it departed on a vessel without a name, hours before its loading is reported',
    [depart('CNSHA', '03-01T10', { of: C1 }), load('CNSHA', '03-01T12')],
    { departure: 'actual 03-01', status: 'in_transit' },
  ],
  [
    'the vessel goes on to another port after its discharge',
    [
      load('CNSHA', '03-01', V1),
      depart('CNSHA', '03-02', V1),
      arrive('USLAX', '03-20', V1),
      arrive('USOAK', '03-24', V1),
    ],
    { arrival: 'actual 03-20', status: 'arrived' },
  ],
  [
    'the vessel calls at another port of the country after its departure',
    [
      load('CNSHA', '03-01', V1),
      depart('CNSHA', '03-02', V1),
      arrive('CNNGB', '03-03', V1),
      depart('CNNGB', '03-04', V1),
    ],
    { departure: 'actual 03-02', arrival: '-', status: 'in_transit' },
  ],
  [
    'it is returned empty, and nobody has reported its way',
    [depart('CNSHA', '03-02', V1), arrive('USLAX', '03-20', V1), gateIn('USLAX', '04-01', { empty: true })],
    { departure: 'actual 03-02', arrival: 'actual 03-20', delivery: 'estimated 04-01', status: 'delivered' },
  ],
  [
    'it was returned empty at the destination before anything is known of its way',
    [gateIn('USLAX', '02-01', { empty: true }), gateOut('CNSHA', '02-25', { empty: true })],
    { departure: '-', arrival: '-', delivery: '-', status: 'pending' },
  ],
  [
    'it is delivered inland after the port',
    [
      load('CNSHA', '03-01'),
      depart('CNSHA', '03-02'),
      arrive('USLAX', '03-20'),
      gateOut('USLAX', '03-23', { mode: 'RAIL' }),
      drop('USCHI', '03-28', { mode: 'TRUCK', phase: 'IMPORT' }),
    ],
    { arrival: 'actual 03-20', delivery: 'actual 03-28', status: 'delivered' },
  ],
])('from Shanghai to Los Angeles: %s', check('CNSHA', 'USLAX'))

test('calls that the plan does not have are in the order of the journey, whichever is known first', () => {
  const reports = [
    load('CNSHA', '03-01', V1),
    discharge('SGSIN', '03-08', V1),
    load('SGSIN', '03-10', V2),
    discharge('LKCMB', '03-15', V2),
    load('LKCMB', '03-17', V3),
    discharge('KRPUS', '03-25', V3),
  ]
  for (const received of [reports, reports.toReversed()]) {
    const shipment = follow('CNSHA', 'USLAX')
    shipment.report(...received)
    const calls = (shipment.whole().tracking_steps ?? []).flatMap(({ id, type }) =>
      type === 'transshipment_port' ? id : [],
    )
    expect(calls).toEqual(['call-SGSIN', 'call-LKCMB', 'call-KRPUS'])
  }
})

/** A trip of a container that is used again. */
const trip = (from: string, to: string, [out, left, arrived, back]: [string, string, string, string]) => [
  gateOut(from, out, { empty: true, facility: 'DEPO' }),
  gateIn(from, `${out}T12`),
  load(from, left),
  depart(from, `${left}T12`, { of: C1 }),
  arrive(to, arrived, { of: C1 }),
  discharge(to, `${arrived}T12`),
  gateOut(to, `${arrived}T20`),
  gateIn(to, back, { empty: true, facility: 'DEPO' }),
]
const first: [string, string, string, string] = ['01-01', '01-06', '02-06', '02-15']
const second: [string, string, string, string] = ['02-25', '03-02', '04-06', '04-15']
const ours: Partial<Shown> = { departure: 'actual 03-02', arrival: 'actual 04-06', status: 'delivered' }

test.each<History>([
  ['the way back was before', [...trip('CNSHA', 'DEHAM', first), ...trip('DEHAM', 'CNSHA', second)], ours],
  [
    'another trip from its destination was before',
    [...trip('CNSHA', 'USNYC', first), ...trip('DEHAM', 'CNSHA', second)],
    ours,
  ],
  [
    'another trip to its origin was before',
    [...trip('USNYC', 'DEHAM', first), ...trip('DEHAM', 'CNSHA', second)],
    ours,
  ],
  [
    'another trip from its origin was before',
    [...trip('DEHAM', 'USNYC', first), ...trip('DEHAM', 'CNSHA', second)],
    ours,
  ],
  [
    'the same trip was before the goods were ready',
    [...trip('DEHAM', 'CNSHA', first), ...trip('DEHAM', 'CNSHA', second)],
    ours,
    { cargo_ready_date: '2021-02-20' },
  ],
  [
    'the same trip was after',
    [...trip('DEHAM', 'CNSHA', first), ...trip('DEHAM', 'CNSHA', second)],
    { departure: 'actual 01-06', arrival: 'actual 02-06' },
  ],
  [
    'the way back follows',
    [...trip('DEHAM', 'CNSHA', first), ...trip('CNSHA', 'DEHAM', second)],
    { departure: 'actual 01-06', arrival: 'actual 02-06', status: 'delivered' },
  ],
  [
    'nobody reports that it was returned',
    [...trip('CNSHA', 'DEHAM', first).slice(0, -1), ...trip('DEHAM', 'CNSHA', second)],
    ours,
  ],
  [
    'it was elsewhere long before the shipment was opened',
    [
      depart('DEHAM', '01-06', { of: C1 }),
      arrive('CNSHA', '02-06', { of: C1 }),
      load('DEHAM', '04-02'),
      depart('DEHAM', '04-03', { of: C1 }),
    ],
    { departure: 'actual 04-03', arrival: '-', quarantined: ['ARRIVED 02-06', 'DEPARTED 01-06'] },
    { created_at: '2021-03-20T00:00:00Z' },
  ],
  [
    'the shipment is entered when it is under way',
    [load('DEHAM', '01-05'), depart('DEHAM', '01-06', { of: C1 }), arrive('CNSHA', '03-06', { of: C1 })],
    { departure: 'actual 01-06', arrival: 'actual 03-06', quarantined: [] },
    { created_at: '2021-02-20T00:00:00Z' },
  ],
  [
    'another trip to its origin was before, and nobody reports that it was returned',
    [...trip('USNYC', 'DEHAM', first).slice(0, -1), ...trip('DEHAM', 'CNSHA', second)],
    ours,
  ],
  [
    'another trip from its origin was before, and nobody reports that it was returned',
    [...trip('DEHAM', 'USNYC', first).slice(0, -1), ...trip('DEHAM', 'CNSHA', second)],
    ours,
  ],
  [
    'the same way follows, and nobody reports that it was returned',
    [...trip('DEHAM', 'CNSHA', first).slice(0, -1), ...trip('DEHAM', 'CNSHA', second)],
    { departure: 'actual 01-06', arrival: 'actual 02-06' },
  ],
  [
    'at its destination it is emptied, taken to a depot, and returned',
    [
      ...trip('DEHAM', 'CNSHA', first).slice(0, -1),
      gateOut('CNSHA', '02-13', { empty: true, facility: 'DEPO' }),
      gateIn('CNSHA', '02-15', { empty: true, facility: 'DEPO' }),
    ],
    { departure: 'actual 01-06', arrival: 'actual 02-06', status: 'delivered', quarantined: [] },
  ],
])('from Hamburg to Shanghai: %s', check('DEHAM', 'CNSHA'))

test.each<History>([
  [
    'it is loaded at a hub of the same country',
    [
      gateIn('CNHUA', '03-03'),
      discharge('CNNSA', '03-06'),
      load('CNNSA', '03-09'),
      depart('CNNSA', '03-10', { of: C1 }),
    ],
    { departure: 'estimated 03-06', status: 'in_transit' },
  ],
  [
    'a vessel calls at a port of the same country before',
    [gateIn('CNHUA', '03-03'), arrive('CNNSA', '03-04', V1), depart('CNNSA', '03-05', V1)],
    { departure: '-', status: 'at_origin' },
  ],
  [
    'a feeder brings it there, after a trip from there to another port',
    [
      ...trip('CNHUA', 'USNYC', first),
      gateIn('CNNSA', '02-25'),
      load('CNNSA', '02-26'),
      depart('CNNSA', '02-26T12', { of: C1 }),
      arrive('CNHUA', '02-27', { of: C1 }),
      load('CNHUA', '03-02'),
      depart('CNHUA', '03-02T12', { of: C1 }),
      arrive('DEHAM', '04-06', { of: C1 }),
    ],
    { departure: 'actual 03-02', arrival: 'actual 04-06', status: 'arrived' },
  ],
])('from Huangpu to Hamburg: %s', check('CNHUA', 'DEHAM'))

test('an earlier trip of its container does not move a port that the plan does not have behind the first one', () => {
  const shipment = follow('CNHUA', 'DEHAM')
  shipment.report(
    ...trip('CNHUA', 'USNYC', first),
    load('CNNSA', '02-26'),
    arrive('CNHUA', '02-27', { of: C1 }),
    load('CNHUA', '03-02'),
    depart('CNHUA', '03-02T12', { of: C1 }),
  )
  const calls = (shipment.whole().tracking_steps ?? []).flatMap(({ id, type }) => (type === 'pickup' ? [] : id))
  expect(calls.indexOf('call-CNNSA')).toBeLessThan(calls.indexOf('2'))
})

const nothing = { departure: '-', arrival: '-', delivery: '-' }
test.each([
  ['CNSHA', 'DEHAM'],
  ['CNSHA', 'USNYC'],
  ['USNYC', 'DEHAM'],
])('from Hamburg to Shanghai, nothing is shown of a trip from %s to %s at any moment', (from, to) => {
  const shipment = follow('DEHAM', 'CNSHA')
  for (const report of trip(from, to, first)) {
    shipment.report(report)
    const { departure, arrival, delivery, status } = shipment.shown()
    if (from !== 'USNYC') expect({ departure, arrival, delivery }, JSON.stringify(report)).toEqual(nothing)
    expect([departure, arrival, delivery].join(' ')).not.toContain('actual')
    expect(['pending', 'at_origin', 'in_transit', 'at_transshipment']).toContain(status)
  }
  expect(shipment.shown()).toMatchObject(nothing)
})

// 3.0 need not say the means of transport: its object shows it.
test.each([
  ['truckTransport', 'DEPARTED', 'CNSHA'],
  ['railTransport', 'ARRIVED', 'USLAX'],
])('by %s, %s is no move by sea', (means, transportEventType, UNLocationCode) => {
  const shipment = follow('CNSHA', 'USLAX')
  shipment.report({
    eventID: '1',
    eventUpdatedDateTime: '2021-03-01T00:00:00Z',
    eventDateTime: '2021-03-01T00:00:00Z',
    eventClassification: { eventType: 'TRANSPORT', eventClassifier: 'ACTUAL', transportEventType },
    eventLocation: { UNLocationCode },
    transportDetails: { transportCall: { transportCallReference: 'x', [means]: {} } },
    shipmentDetails: { documentReference: { type: 'BOOKING', reference: 'B' } },
  })
  const { departure, arrival } = shipment.shown()
  expect([departure, arrival].join(' ')).not.toContain('actual')
})

test.each([
  ['DEDUI', 'NLRTM', 'BARGE'],
  ['USCHI', 'USLAX', 'RAIL'],
] as const)('the destination %s is reached from %s by %s', (to, hub, mode) => {
  const shipment = follow('CNSHA', to)
  shipment.report(
    load('CNSHA', '03-01'),
    depart('CNSHA', '03-02'),
    arrive(hub, '04-02'),
    discharge(hub, '04-03'),
    arrive(to, '04-06', { mode, of: C1 }),
    discharge(to, '04-07', { mode }),
  )
  expect(shipment.shown()).toMatchObject({ departure: 'actual 03-02', arrival: 'actual 04-06', status: 'arrived' })
})

const toPortOf = (area: string) => [
  load('CNYTN', '03-01'),
  depart('CNYTN', '03-02'),
  arrive(area, '03-20'),
  discharge(area, '03-21'),
]

test.each<History>([
  ['a port of the planned area is reached', toPortOf('USLGB'), { departure: 'actual 03-02', arrival: 'actual 03-20' }],
])('%s', check('CNSZX', 'USLAX'))

test('of two ports in one area that the plan does not have alike, one is not taken for the other', () => {
  const shipment = follow('CNSHK', 'USLAX', toPort)
  shipment.report(load('CNYTN', '03-01'), depart('CNYTN', '03-02'))
  expect(shipment.shown().departure).not.toBe('actual 03-02')
})
