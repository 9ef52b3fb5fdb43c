import { expect, test } from 'vitest'
import type { ExceptionKind } from '../../../src/contract/public/exception.js'
import type { Raised } from '../../../src/domain/exceptions/condition.js'
import { actual, type Event, expected, found, type Given } from '../../support/exception-facts.js'

/** Containers and shipments that a vessel has left behind, event after event. */

const A = 'TGHU7599330'
const B = 'MSKU1234565'
const of = (container_number: string) => ({ container_number })
const boxed = { cargo: { containers: [of(A)] } }
const twoBoxes = { cargo: { containers: [of(A), of(B)] } }

type Place = keyof NonNullable<Given['events']>
type Step = { at: string; place?: Place; event?: Event; shows: string[] }

/** What is raised after each event: what was raised before it takes more to be cleared. */
function inSequence(kind: ExceptionKind, given: Given, steps: Step[]) {
  let raised: Raised[] = []
  const events = { ...given.events }
  return steps.map(({ at, place, event }) => {
    if (place && event) events[place] = [...(events[place] ?? []), event]
    const conditions = found(kind, at, { ...given, events, raised })
    raised = conditions
    return conditions.map(({ container_number, reason_key, severity }) =>
      [container_number, reason_key, severity].filter((each) => each !== undefined).join(' '),
    )
  })
}

type Sequence = [name: string, kind: ExceptionKind, given: Given, steps: Step[]]

const places: Place[] = ['origin', 'hub', 'destination']
const feeder = { name: 'Feeder One', imo: '9321483' }
const mother = { name: 'Mother Two', imo: '9321495' }
const next = { name: 'Mother Three', imo: '9321500' }
const atSea = {
  origin: [
    actual('LOADED', '2026-03-02T00:00:00Z', { ...of(A), vessel: feeder }),
    actual('DEPARTED', '2026-03-02T12:00:00Z', { vessel: feeder }),
  ],
}
const left = { origin: [actual('DEPARTED', '2026-03-02T12:00:00Z')] }
const comes = (date: string, more: Partial<Event> = {}) => expected('ARRIVED', date, more)
const plan = (date: string, vessel: Event['vessel'], issued_at: string, more: Partial<Event> = {}) =>
  expected('DEPARTED', date, { ...more, issued_at, ...(vessel && { vessel }) })

const sequences: Sequence[] = [
  [
    'a connection that has left while the container is at sea is missed until it is loaded on another vessel',
    'missed_connection',
    { shipment: boxed, places, events: { ...atSea, hub: [comes('2026-03-22T00:00:00Z', { vessel: feeder })] } },
    [
      {
        at: '2026-03-19T12:00:00Z',
        place: 'hub',
        event: plan('2026-03-21T00:00:00Z', mother, '2026-03-02T00:00:00Z'),
        shows: [`${A} connection_short critical`],
      },
      {
        at: '2026-03-21T01:00:00Z',
        place: 'hub',
        event: actual('DEPARTED', '2026-03-21T00:00:00Z', { vessel: mother }),
        shows: [`${A} connection_departed critical`],
      },
      {
        at: '2026-03-22T01:00:00Z',
        place: 'hub',
        event: actual('ARRIVED', '2026-03-22T00:00:00Z', { vessel: feeder }),
        shows: [`${A} connection_departed critical`],
      },
      {
        at: '2026-03-22T12:00:00Z',
        place: 'hub',
        event: actual('DISCHARGED', '2026-03-22T10:00:00Z', { ...of(A), vessel: feeder }),
        shows: [`${A} connection_departed critical`],
      },
      {
        at: '2026-03-23T00:00:00Z',
        place: 'hub',
        event: plan('2026-03-28T00:00:00Z', next, '2026-03-23T00:00:00Z'),
        shows: [`${A} connection_departed critical`],
      },
      {
        at: '2026-03-27T20:00:00Z',
        place: 'hub',
        event: actual('LOADED', '2026-03-27T18:00:00Z', { ...of(A), vessel: next }),
        shows: [],
      },
    ],
  ],
  ...(['ocean', 'air'] as const).map(
    (freight_mode): Sequence => [
      `a shipment without containers misses its connection, and leaves with the next one (${freight_mode})`,
      'missed_connection',
      { shipment: { freight_mode }, places, events: { ...left, hub: [comes('2026-03-22T00:00:00Z')] } },
      [
        {
          at: '2026-03-21T01:00:00Z',
          place: 'hub',
          event: actual('DEPARTED', '2026-03-21T00:00:00Z'),
          shows: ['connection_departed critical'],
        },
        {
          at: '2026-03-22T01:00:00Z',
          place: 'hub',
          event: actual('ARRIVED', '2026-03-22T00:00:00Z'),
          shows: ['connection_departed critical'],
        },
        { at: '2026-03-24T01:00:00Z', place: 'hub', event: actual('DEPARTED', '2026-03-24T00:00:00Z'), shows: [] },
      ],
    ],
  ),
  [
    'a short connection that leaves is not cleared before the container is loaded',
    'missed_connection',
    {
      shipment: boxed,
      places,
      events: { ...left, hub: [actual('DISCHARGED', '2026-03-20T12:00:00Z', of(A))] },
    },
    [
      {
        at: '2026-03-20T13:00:00Z',
        place: 'hub',
        event: plan('2026-03-21T00:00:00Z', undefined, '2026-03-02T00:00:00Z'),
        shows: [`${A} connection_short warning`],
      },
      {
        at: '2026-03-21T01:00:00Z',
        place: 'hub',
        event: actual('DEPARTED', '2026-03-21T00:00:00Z'),
        shows: [`${A} connection_short warning`],
      },
      { at: '2026-03-21T12:00:00Z', shows: [`${A} connection_departed critical`] },
      {
        at: '2026-03-21T13:00:00Z',
        place: 'hub',
        event: actual('LOADED', '2026-03-20T22:00:00Z', of(A)),
        shows: [],
      },
    ],
  ],
  [
    'neither the vessel on which it comes nor a vessel for which it is not planned is a connection that it misses',
    'missed_connection',
    {
      shipment: boxed,
      places,
      events: {
        ...atSea,
        hub: [
          comes('2026-03-22T00:00:00Z', { vessel: feeder }),
          plan('2026-03-25T00:00:00Z', mother, '2026-03-02T00:00:00Z', of(A)),
        ],
      },
    },
    [
      {
        at: '2026-03-21T01:00:00Z',
        place: 'hub',
        event: actual('DEPARTED', '2026-03-21T00:00:00Z', { vessel: next }),
        shows: [],
      },
      {
        at: '2026-03-21T03:00:00Z',
        place: 'hub',
        event: actual('DEPARTED', '2026-03-21T02:00:00Z', { vessel: feeder }),
        shows: [],
      },
    ],
  ],
  [
    'the second of two connections is too short',
    'missed_connection',
    {
      places: ['origin', 'hub', 'second_hub', 'destination'],
      events: {
        ...left,
        hub: [comes('2026-03-20T00:00:00Z'), expected('DEPARTED', '2026-03-25T12:00:00Z')],
        second_hub: [comes('2026-04-01T00:00:00Z'), expected('DEPARTED', '2026-04-01T12:00:00Z')],
      },
    },
    [{ at: '2026-03-10T00:00:00Z', shows: ['connection_short warning'] }],
  ],
  [
    'a container is left behind by the vessel of which only the events of the others tell',
    'rolled',
    {
      shipment: twoBoxes,
      events: {
        origin: [
          actual('GATE_IN', '2026-03-01T00:00:00Z', of(A)),
          actual('GATE_IN', '2026-03-01T00:00:00Z', of(B)),
          actual('LOADED', '2026-03-02T00:00:00Z', of(A)),
        ],
      },
    },
    [
      {
        at: '2026-03-02T13:00:00Z',
        place: 'origin',
        event: actual('DEPARTED', '2026-03-02T12:00:00Z', of(A)),
        shows: [],
      },
      { at: '2026-03-05T00:00:00Z', shows: [`${B} not_loaded critical`] },
      {
        at: '2026-03-09T00:00:00Z',
        place: 'origin',
        event: actual('LOADED', '2026-03-08T00:00:00Z', of(B)),
        shows: [],
      },
    ],
  ],
  [
    'a container that is planned for another vessel, or comes later, is not left behind by that of the others',
    'rolled',
    {
      shipment: { cargo: { containers: [of(A), of(B), of('TCNU1234565')] } },
      events: {
        origin: [
          actual('GATE_IN', '2026-03-01T00:00:00Z', of(B)),
          plan('2026-03-09T00:00:00Z', mother, '2026-02-20T00:00:00Z', of(B)),
          actual('GATE_IN', '2026-03-04T00:00:00Z', of('TCNU1234565')),
          actual('LOADED', '2026-03-02T00:00:00Z', { ...of(A), vessel: feeder }),
          actual('DEPARTED', '2026-03-02T12:00:00Z', { ...of(A), vessel: feeder }),
        ],
      },
    },
    [{ at: '2026-03-05T00:00:00Z', shows: [] }],
  ],
  [
    'a container stays at the hub while the other one goes on',
    'missed_connection',
    {
      shipment: twoBoxes,
      places,
      events: {
        ...left,
        hub: [
          actual('DISCHARGED', '2026-03-20T00:00:00Z', of(A)),
          actual('DISCHARGED', '2026-03-20T00:00:00Z', of(B)),
          actual('LOADED', '2026-03-22T00:00:00Z', of(A)),
        ],
      },
    },
    [
      { at: '2026-03-22T01:00:00Z', shows: [] },
      {
        at: '2026-03-25T00:00:00Z',
        place: 'hub',
        event: actual('DEPARTED', '2026-03-23T00:00:00Z', of(A)),
        shows: [`${B} connection_departed critical`],
      },
    ],
  ],
  [
    'a sailing a week later than the first one is later, also if there was one between that left later still',
    'rolled',
    {},
    [
      {
        at: '2026-03-01T00:00:00Z',
        place: 'origin',
        event: plan('2026-03-10T00:00:00Z', { name: 'Elbe' }, '2026-03-01T00:00:00Z'),
        shows: [],
      },
      {
        at: '2026-03-02T00:00:00Z',
        place: 'origin',
        event: plan('2026-03-24T00:00:00Z', { name: 'Weser' }, '2026-03-02T00:00:00Z'),
        shows: ['later_sailing warning'],
      },
      {
        at: '2026-03-04T00:00:00Z',
        place: 'origin',
        event: plan('2026-03-17T00:00:00Z', { name: 'Oder' }, '2026-03-04T00:00:00Z'),
        shows: ['later_sailing warning'],
      },
      {
        at: '2026-03-05T00:00:00Z',
        place: 'origin',
        event: plan('2026-03-10T18:00:00Z', { name: 'Oder' }, '2026-03-05T00:00:00Z'),
        shows: ['later_sailing warning'],
      },
      {
        at: '2026-03-06T00:00:00Z',
        place: 'origin',
        event: plan('2026-03-10T11:00:00Z', { name: 'Oder' }, '2026-03-06T00:00:00Z'),
        shows: [],
      },
    ],
  ],
]

test.each(sequences)('%s', (_name, kind, given, steps) => {
  expect(inSequence(kind, given, steps)).toEqual(steps.map(({ shows }) => shows))
})

const elbe = { name: 'Elbe Express' }

test.each<[string, Event['vessel'], string, Event['vessel'], string, number]>([
  ['a name that another source writes otherwise', elbe, '10T00', { imo: '9321483', name: 'ELBE EXPRESS' }, '17T00', 0],
  ['a substitute that leaves an hour later', elbe, '10T00', { name: 'Weser' }, '10T01', 0],
  ['a substitute that leaves a day later', elbe, '10T00', { name: 'Weser' }, '11T00', 1],
  ['the next voyage of the vessel', { ...elbe, voyage: '010W' }, '01T00', { ...elbe, voyage: '012W' }, '29T00', 1],
  ['a voyage with another number', { ...elbe, voyage: '010W' }, '10T00', { ...elbe, voyage: 'X12' }, '12T00', 0],
  ['a delay of the voyage', { ...elbe, voyage: '010W' }, '10T00', { ...elbe, voyage: '10W' }, '20T00', 0],
])('%s is a later sailing or none', (_name, vessel, date, other, later, count) => {
  const origin = [
    plan(`2026-03-${date}:00:00Z`, vessel, '2026-02-20T00:00:00Z'),
    plan(`2026-03-${later}:00:00Z`, other, '2026-02-21T00:00:00Z'),
  ]
  expect(found('rolled', '2026-02-22T00:00:00Z', { events: { origin } })).toHaveLength(count)
})

test('each connection is an exception of its own', () => {
  const given: Given = {
    places: ['origin', 'hub', 'second_hub', 'destination'],
    events: {
      ...left,
      hub: [comes('2026-03-20T00:00:00Z'), expected('DEPARTED', '2026-03-20T12:00:00Z')],
      second_hub: [comes('2026-04-01T00:00:00Z'), expected('DEPARTED', '2026-04-02T06:00:00Z')],
    },
  }
  const at = '2026-03-10T00:00:00Z'
  expect(found('missed_connection', at, given).map(({ topic }) => topic)).toEqual([undefined])
  const raised = [{ kind: 'missed_connection', topic: '2', severity: 'warning' }] as const
  expect(found('missed_connection', at, { ...given, raised: [...raised] }).map(({ topic }) => topic)).toEqual([
    undefined,
    '2',
  ])
})
