import { describe, expect, test } from 'vitest'
import type { TrackingDateStatus } from '../../src/contract/public/shared-types.js'
import type { StepType, Tracking } from '../../src/contract/public/tracking.js'
import { isAffected } from '../../web/portal/api/changes.js'
import { trackedBy } from '../../web/portal/pages/shipment/tracked.js'
import { columnsThatFit } from '../../web/ui/column-visibility.js'
import { journeyStops } from '../../web/ui/journey-stops.js'

const now = Date.parse('2026-04-05T12:00:00Z')
const at = (day: string, status: TrackingDateStatus) => ({ date: `2026-04-${day}T12:00:00Z`, status })
const route = { origin_port_unlocode: 'SG/SIN', destination_port_unlocode: 'FR/LEH' }

describe('journey strip', () => {
  test('the journey strip has a stop for each door and port of the shipment', () => {
    const steps = (given: Parameters<typeof journeyStops>[0]) => journeyStops(given).stops.map(({ step }) => step)
    expect(steps({ freight_type: 'port_to_port', route })).toEqual(['origin_port', 'destination_port'])
    expect(steps({ freight_type: 'door_to_port', route })).toEqual(['pickup', 'origin_port', 'destination_port'])
    expect(steps({ freight_type: 'port_to_door', route })).toEqual(['origin_port', 'destination_port', 'delivery'])
    expect(steps({ route: { ...route, pickup_location_id: '1' } })).toHaveLength(3)
  })

  test('the journey strip shows no position before the first event, or after a cancellation', () => {
    const planned = { route, main_tracking_dates: { departure_date: at('01', 'planned') } }
    expect(journeyStops(planned, { now }).at).toBe(undefined)
    const cancelled = {
      ...planned,
      status: 'cancelled',
      main_tracking_dates: { departure_date: at('01', 'actual') },
    } as const
    expect(journeyStops(cancelled, { now })).toMatchObject({ at: undefined, isCancelled: true, isOver: false })
  })

  test('the journey strip shows the elapsed share of the time between two ports', () => {
    const sailing = (arrives: string) =>
      journeyStops(
        { route, main_tracking_dates: { departure_date: at('01', 'actual'), arrival_date: at(arrives, 'estimated') } },
        { now },
      ).at
    expect(sailing('09')).toBe(0.5)
    expect(sailing('11')).toBe(0.4)
    // Overdue, but not arrived.
    expect(sailing('04')).toBe(0.85)
  })

  test('the journey strip is at the port of arrival until delivery, then at its end', () => {
    const dates = { departure_date: at('01', 'actual'), arrival_date: at('03', 'actual') }
    const landed = { freight_type: 'port_to_door', route, main_tracking_dates: dates } as const
    expect(journeyStops(landed, { now })).toMatchObject({ at: 1, isOver: false })
    const delivered = { ...landed, main_tracking_dates: { ...dates, delivery_date: at('04', 'actual') } }
    expect(journeyStops(delivered, { now })).toMatchObject({ at: 2, isOver: true })
    expect(journeyStops({ ...landed, status: 'finished' }, { now })).toMatchObject({ at: 2, isOver: true })
  })

  test('the journey strip of a tracked shipment has place names and transshipments', () => {
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
    const { stops, at: here } = journeyStops(
      { route, main_tracking_dates: dates },
      { tracked: trackedBy(tracking, {}), now },
    )
    expect(stops.map(({ place }) => place)).toEqual(['Singapore', 'Colombo', 'Le Havre'])
    expect(stops.map(({ status }) => status)).toEqual(['actual', 'actual', 'problem'])
    expect(here).toBe(1)
  })

  test('the journey strip shows known names of ports', () => {
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

  test('all columns are shown if they fit', () => {
    expect(shown({}, 500)).toEqual(['name', 'status', 'vessel', 'weight'])
  })

  test('columns that do not fit are hidden from the last one on, except chosen ones', () => {
    expect(shown({}, 400)).toEqual(['name', 'status', 'vessel'])
    expect(shown({ weight: true }, 300)).toEqual(['name', 'weight'])
  })

  test('deselected columns are hidden, except the first one', () => {
    expect(shown({ name: false, status: false }, 500)).toEqual(['name', 'vessel', 'weight'])
    expect(shown({}, 10)).toEqual(['name'])
  })
})

describe('live changes', () => {
  test('a change affects the lists of its kind, the changed record, and views derived from it', () => {
    const changes = [{ kind: 'shipment', id: 'S-1' }]
    const keys = [['shipment', 'list', {}], ['shipment', 'one', 'S-1'], ['tracking', 'journey', 'S-1'], ['overview']]
    for (const key of keys) expect(isAffected(key, { changes }), JSON.stringify(key)).toBe(true)
    const others = [['shipment', 'one', 'S-2'], ['tracking', 'one', 'S-2'], ['location', 'list'], ['people']]
    for (const key of others) expect(isAffected(key, { changes }), JSON.stringify(key)).toBe(false)
  })

  test('an incomplete list of changes affects everything', () => {
    expect(isAffected(['location', 'one', '1'], { everything: true })).toBe(true)
    expect(isAffected(['location', 'one', '1'], { changes: [], more: true })).toBe(true)
    expect(isAffected(['location', 'one', '1'], { changes: [] })).toBe(false)
  })
})
