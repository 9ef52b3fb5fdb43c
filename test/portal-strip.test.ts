import { describe, expect, test } from 'vitest'
import type { TrackingDateStatus } from '../src/contract/shared-types.js'
import type { StepType, Tracking } from '../src/contract/tracking.js'
import { isTouched } from '../src/portal/api/changes.js'
import { columnsThatFit } from '../src/portal/parts/chosen-columns.js'
import { journeyStops } from '../src/portal/parts/journey-stops.js'

const now = Date.parse('2026-04-05T12:00:00Z')
const at = (day: string, status: TrackingDateStatus) => ({ date: `2026-04-${day}T12:00:00Z`, status })
const route = { origin_port_unlocode: 'SG/SIN', destination_port_unlocode: 'FR/LEH' }

describe('the journey strip', () => {
  test('has a stop for each door and port that the shipment has', () => {
    const steps = (given: Parameters<typeof journeyStops>[0]) => journeyStops(given).stops.map(({ step }) => step)
    expect(steps({ freight_type: 'port_to_port', route })).toEqual(['origin_port', 'destination_port'])
    expect(steps({ freight_type: 'door_to_port', route })).toEqual(['pickup', 'origin_port', 'destination_port'])
    expect(steps({ freight_type: 'port_to_door', route })).toEqual(['origin_port', 'destination_port', 'delivery'])
    expect(steps({ route: { ...route, pickup_location_id: '1' } })).toHaveLength(3)
  })

  test('says nothing of where it is before anything has happened, nor when it was cancelled', () => {
    const planned = { route, main_tracking_dates: { departure_date: at('01', 'planned') } }
    expect(journeyStops(planned, { now }).at).toBe(undefined)
    const cancelled = {
      ...planned,
      status: 'cancelled',
      main_tracking_dates: { departure_date: at('01', 'actual') },
    } as const
    expect(journeyStops(cancelled, { now })).toMatchObject({ at: undefined, isCancelled: true, isOver: false })
  })

  test('shows between two ports how much of the time lies behind it', () => {
    const sailing = (arrives: string) =>
      journeyStops(
        { route, main_tracking_dates: { departure_date: at('01', 'actual'), arrival_date: at(arrives, 'estimated') } },
        { now },
      ).at
    expect(sailing('09')).toBe(0.5)
    expect(sailing('11')).toBe(0.4)
    // Overdue, it has still not arrived.
    expect(sailing('04')).toBe(0.85)
  })

  test('is at the port that it has arrived in until it is delivered, and at its end when it is', () => {
    const dates = { departure_date: at('01', 'actual'), arrival_date: at('03', 'actual') }
    const landed = { freight_type: 'port_to_door', route, main_tracking_dates: dates } as const
    expect(journeyStops(landed, { now })).toMatchObject({ at: 1, isOver: false })
    const delivered = { ...landed, main_tracking_dates: { ...dates, delivery_date: at('04', 'actual') } }
    expect(journeyStops(delivered, { now })).toMatchObject({ at: 2, isOver: true })
    expect(journeyStops({ ...landed, status: 'finished' }, { now })).toMatchObject({ at: 2, isOver: true })
  })

  test('follows the tracking where there is one: places by name, and transshipments', () => {
    const step = (type: StepType, city: string, events: [string, TrackingDateStatus, string][]) => ({
      type,
      port: { city },
      events: events.map(([day, status, description]) => ({ ...at(day, status), description })),
    })
    const tracking: Tracking = {
      svc_shipment_id: 'S',
      tracking_steps: [
        step('origin_port', 'Singapore', [['01', 'actual', 'Vessel departed']]),
        step('transshipment_port', 'Colombo', [['04', 'actual', 'Vessel arrived']]),
        step('destination_port', 'Le Havre', [['20', 'problem', 'Held by customs']]),
      ],
    }
    const dates = { departure_date: at('01', 'actual'), arrival_date: at('20', 'problem') }
    const { stops, at: here } = journeyStops({ route, main_tracking_dates: dates }, { tracking, now })
    expect(stops.map(({ place }) => place)).toEqual(['Singapore', 'Colombo', 'Le Havre'])
    expect(stops.map(({ status }) => status)).toEqual(['actual', 'actual', 'problem'])
    expect(here).toBe(1)
  })

  test('calls ports by the names that are known', () => {
    const names = (code: string) => (code === 'SG/SIN' ? 'Singapore' : code)
    expect(journeyStops({ route }, { names }).stops.map(({ place }) => place)).toEqual(['Singapore', 'FR/LEH'])
  })
})

describe('columns', () => {
  const columns = [
    { id: 'name', width: 200, always: true },
    { id: 'status', width: 100 },
    { id: 'vessel', width: 100 },
    { id: 'weight', width: 100 },
  ]
  const shown = (choice: Record<string, boolean>, room: number) => [...columnsThatFit(columns, choice, room)]

  test('are all there where there is room', () => {
    expect(shown({}, 500)).toEqual(['name', 'status', 'vessel', 'weight'])
  })

  test('give way from the last one on, but not those that somebody has chosen', () => {
    expect(shown({}, 400)).toEqual(['name', 'status', 'vessel'])
    expect(shown({ weight: true }, 300)).toEqual(['name', 'weight'])
  })

  test('that somebody does not want are left out; the first cannot be', () => {
    expect(shown({ name: false, status: false }, 500)).toEqual(['name', 'vessel', 'weight'])
    expect(shown({}, 10)).toEqual(['name'])
  })
})

describe('a change that is told', () => {
  test('concerns the lists of its kind, the one that it is, and what is made of them', () => {
    const changes = [{ kind: 'shipment', id: 'S-1' }]
    const keys = [['shipment', 'list', {}], ['shipment', 'one', 'S-1'], ['tracking', 'journey', 'S-1'], ['overview']]
    for (const key of keys) expect(isTouched(key, { changes }), JSON.stringify(key)).toBe(true)
    const others = [['shipment', 'one', 'S-2'], ['tracking', 'one', 'S-2'], ['location', 'list'], ['people']]
    for (const key of others) expect(isTouched(key, { changes }), JSON.stringify(key)).toBe(false)
  })

  test('that is too much to name concerns everything', () => {
    expect(isTouched(['location', 'one', '1'], { everything: true })).toBe(true)
    expect(isTouched(['location', 'one', '1'], { changes: [], more: true })).toBe(true)
    expect(isTouched(['location', 'one', '1'], { changes: [] })).toBe(false)
  })
})
