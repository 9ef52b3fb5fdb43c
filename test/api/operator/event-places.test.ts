import { expect, test } from 'vitest'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

/** Where events happened, as senders write it: by names with countries, and by codes that stand for the same place. */

const service = await startService()

async function start() {
  const carrier = await startCarrier(service)
  const id = await carrier.ship()
  const say = (description: string, date: string, where: object) =>
    carrier.send(
      carrier.containers.map((container_number) => ({
        container_number,
        description,
        status: 'actual',
        date,
        ...where,
      })),
      'events',
    )
  const stepsOf = async () =>
    Object.fromEntries(
      (await carrier.work('getTracking', { params: { svc_shipment_id: id } })).body.steps.flatMap(
        ({ id: step, events }) => events.map(({ description }) => [description, step]),
      ),
    )
  return { ...carrier, id, say, stepsOf, dates: () => carrier.dates(id) }
}

test.each([
  'Ningbo, China',
  'NINGBO, ZHEJIANG, CN',
  'Port of Ningbo',
  'Ningbo (CN)',
  'CN NGB',
  'Beilun Container Terminal, Ningbo, Zhejiang, China',
])('a departure from "%s" is one from the port of origin', async (place) => {
  const { say, stepsOf } = await start()
  await say('Vessel departed', '2026-03-07T18:00:00+08:00', { place })
  expect(await stepsOf()).toEqual({ 'Vessel departed': 'origin' })
})

test.each([
  ['a second code of the same place', { unlocode: 'CNNBO' }, 'origin'],
  ['a code that nobody knows, with its name', { unlocode: 'CNXQX', place: 'Ningbo, CN' }, 'origin'],
  ['a place of China by its own country', { place: 'Hong Kong, China' }, 'call-HKHKG'],
  ['a place on the way by its name', { place: 'Colombo, Sri Lanka' }, 'call-LKCMB'],
])('%s is found', async (_title, where, step) => {
  const { say, stepsOf } = await start()
  await say('Vessel departed', '2026-03-07T18:00:00+08:00', where)
  expect(await stepsOf()).toEqual({ 'Vessel departed': step })
})

test.each(['Manzanillo', 'Hamburg, New York, United States', 'Nowhere'])(
  'an event at "%s" is kept back: nobody knows where that is',
  async (place) => {
    const { say, stepsOf } = await start()
    expect(await say('Vessel departed', '2026-03-07T18:00:00+08:00', { place })).toMatchObject({
      outcome: 'quarantined',
    })
    expect(await stepsOf()).toEqual({})
  },
)

test('a train at the town of a port is not at the port, whichever is reported first', async () => {
  const reports = [
    ['Rail arrival', '2026-03-06T08:00:00+08:00', { unlocode: 'CNNGB' }],
    ['Vessel departed', '2026-03-09T08:00:00+08:00', { unlocode: 'CNNGB' }],
    ['Rail departure', '2026-04-12T08:00:00+02:00', { unlocode: 'DEHAM' }],
    ['Vessel arrived', '2026-04-09T08:00:00+02:00', { unlocode: 'DEHAM' }],
    ['Gate out', '2026-04-12T07:00:00+02:00', { unlocode: 'DEHAM' }],
  ] as const
  for (const order of [reports, reports.toReversed()]) {
    const { say, stepsOf, dates } = await start()
    for (const [text, date, where] of order) await say(text, date, where)
    expect(await stepsOf()).toEqual({
      'Rail arrival': 'inland-CNNGB',
      'Vessel departed': 'origin',
      'Rail departure': 'inland-DEHAM',
      'Vessel arrived': 'destination',
      'Gate out': 'destination',
    })
    expect(await dates()).toMatchObject({
      departure_date: { date: '2026-03-09T08:00:00+08:00', status: 'actual' },
      arrival_date: { date: '2026-04-09T08:00:00+02:00', status: 'actual' },
    })
  }
})
