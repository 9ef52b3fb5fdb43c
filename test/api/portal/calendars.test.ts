import ical from 'ical.js'
import { expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../src/contract/public/shipment.js'
import { icalendarLines } from '../../../src/domain/calendars/icalendar.js'
import { dateAfter } from '../../../src/domain/dates/local-days.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService()
const today = new Date().toISOString().slice(0, 10)
const [departure, arrival] = [dateAfter(today, -5), dateAfter(today, 20)]

type Imports = Awaited<ReturnType<typeof newAccount>>['forwarder']['imports']

function shipment(
  svc_shipment_id: string,
  dates: { arrival?: string; status?: ShipmentStatus; how?: 'planned' | 'estimated' | 'problem' } = {},
): Parameters<Imports> {
  const { arrival: day = arrival, status = 'in_progress', how = 'estimated' } = dates
  const event = (description: string, date: string, kind: 'actual' | typeof how) => ({
    description,
    date: `${date}T10:00:00Z`,
    status: kind,
  })
  return [
    {
      kind: 'shipment',
      data: {
        svc_shipment_id,
        name: 'Lamps, red; “blue”\nand green',
        status,
        freight_mode: 'ocean',
        route: { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'FR/LEH' },
        cargo: { containers: [{ container_number: 'MSKU0000011' }] },
      },
    },
    {
      kind: 'tracking',
      data: {
        svc_shipment_id,
        tracking_steps: [
          {
            type: 'origin_port',
            port: { unlocode: 'CN/SHA', city: 'Shanghai', country: 'CN' },
            events: [event('Vessel departed', departure, 'actual')],
          },
          {
            type: 'destination_port',
            port: { unlocode: 'FR/LEH', city: 'Le Havre', country: 'FR' },
            events: [event('Vessel arrived', day, how)],
          },
        ],
      },
    },
  ]
}

async function read(url: string) {
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) return { status: response.status, text, events: [] }
  const events = new ical.Component(ical.parse(text)).getAllSubcomponents('vevent').map((component) => ({
    uid: component.getFirstPropertyValue('uid') as string,
    day: String(component.getFirstPropertyValue('dtstart')),
    summary: component.getFirstPropertyValue('summary') as string,
    description: component.getFirstPropertyValue('description') as string,
    sequence: Number(component.getFirstPropertyValue('sequence')),
    status: component.getFirstPropertyValue('status') as string,
    url: component.getFirstPropertyValue('url') as string,
  }))
  return { status: response.status, text, events }
}

test('a calendar has the dates of the shipments, raises the sequence of what changes, and cancels what is gone', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(...shipment('S-1'))
  const person = await newPerson(service, account)
  const { url } = (await person.portal('createCalendar', { body: {} })).body

  const first = await read(url)
  expect(first.events.map(({ day, summary, sequence, status }) => [day, summary, sequence, status])).toEqual([
    [departure, 'Departed from Shanghai: Lamps, red; “blue”\nand green', 0, 'CONFIRMED'],
    [arrival, 'Arrives at Le Havre: Lamps, red; “blue”\nand green', 0, 'CONFIRMED'],
  ])
  expect(first.events[0]?.url).toBe(`${service.baseUrl}/shipments/S-1`)
  expect((await read(url)).text).toBe(first.text)

  const later = dateAfter(arrival, 3)
  await account.forwarder.imports(...shipment('S-1', { arrival: later }))
  const moved = await read(url)
  expect(moved.events.map(({ uid, day, sequence }) => [uid, day, sequence])).toEqual([
    [first.events[0]?.uid, departure, 0],
    [first.events[1]?.uid, later, 1],
  ])

  const operator = await newOperator(service)
  const lastDay = dateAfter(later, 6)
  const given = { direction: 'import', clock: 'demurrage', source: 'carrier', reason: 'Arrival notice' } as const
  await operator.ops('giveFreeTime', account.slug, {
    params: { svc_shipment_id: 'S-1', fact_id: 'lfd' },
    body: { ...given, last_free_day: lastDay },
  })
  const containers = (await read(url)).events.filter(({ day }) => day === lastDay).map(({ summary }) => summary)
  expect(containers).toEqual([expect.stringMatching(/^Last free day \(demurrage\), MSKU0000011: Lamps/)])

  await account.forwarder.imports(...shipment('S-1', { arrival: later, status: 'cancelled' }))
  expect((await read(url)).events.map(({ day, sequence, status }) => [day, sequence, status])).toEqual([
    // What is in the past has happened.
    [departure, 0, 'CONFIRMED'],
    [later, 2, 'CANCELLED'],
    [lastDay, 1, 'CANCELLED'],
  ])

  const [listed] = (await person.portal('listCalendars')).body
  expect(listed).toMatchObject({ name: 'Shipments', last_read_at: expect.any(String) })
})

test('an entry says whether its date is planned, estimated or held up', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const { url } = (await person.portal('createCalendar', { body: {} })).body
  for (const [how, text] of [
    ['planned', 'Planned.'],
    ['estimated', 'Estimated.'],
    ['problem', 'Estimated, while something holds the shipment up.'],
  ] as const) {
    await account.forwarder.imports(...shipment('S-1', { how }))
    expect((await read(url)).events.map(({ description }) => description)).toEqual([
      'Shipment S-1\nActual.',
      `Shipment S-1\n${text}`,
    ])
  }
})

test('a calendar of a saved view has its shipments only', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(...shipment('S-1'), ...shipment('S-2', { status: 'booked' }))
  const person = await newPerson(service, account)
  const view = { page: 'shipments' as const, name: 'Booked', query: 'tab=all&status=booked' }
  const { view_id } = (await person.portal('createView', { body: view })).body
  const { url, calendar } = (await person.portal('createCalendar', { body: { view_id } })).body
  expect(calendar).toMatchObject({ name: 'Booked', view_id })
  const { events } = await read(url)
  expect(new Set(events.map((event) => event.url))).toEqual(new Set([`${service.baseUrl}/shipments/S-2`]))

  const stranger = await newPerson(service, account)
  const refused = await stranger.portal('createCalendar', { body: { view_id } })
  expect(refused.status).toBe(404)
})

test('the address stops working with the calendar, and with its user', async () => {
  const account = await newAccount(service)
  const admin = await newPerson(service, account, 'admin')
  const person = await newPerson(service, account)
  const one = (await person.portal('createCalendar', { body: {} })).body
  const other = (await person.portal('createCalendar', { body: {} })).body
  const own = (await admin.portal('createCalendar', { body: {} })).body
  const params = { calendar_id: one.calendar.calendar_id }
  expect((await admin.portal('removeCalendar', { params })).status).toBe(404)
  expect((await person.portal('removeCalendar', { params })).status).toBe(200)
  expect((await read(one.url)).status).toBe(404)
  expect((await read(other.url)).status).toBe(200)
  await admin.portal('updateRole', { params: { person_id: person.person_id }, body: { disabled: true } })
  expect((await read(other.url)).status).toBe(404)
  expect((await read(own.url)).status).toBe(200)
  expect((await read(`${own.url}x`)).status).toBe(404)
})

test('lines of a calendar have at most 75 bytes, and any text survives', () => {
  const summary = `${'é€😀,;\\'.repeat(40)}\nend`
  const event = {
    uid: 'u',
    day: '2026-01-02',
    summary,
    description: '\u0007tab\tend',
    url: 'https://example.com/shipments/a%20b',
    sequence: 3,
    changedAt: new Date('2026-01-01T00:00:00.123Z'),
    isCancelled: false,
  }
  const text = [...icalendarLines('Name', [event])].join('')
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const parsed = new ical.Event(new ical.Component(ical.parse(text)).getFirstSubcomponent('vevent') ?? undefined)
  expect(parsed.summary).toBe(summary)
  expect(parsed.startDate.toString()).toBe('2026-01-02')
})
