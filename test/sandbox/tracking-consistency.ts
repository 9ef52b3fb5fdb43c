import { expect } from 'vitest'
import type { ImportLine } from '../../src/contract/import-line.js'
import type { Shipment, ShipmentStatus } from '../../src/contract/public/shipment.js'
import type { TrackingRecord, TrackingStatus } from '../../src/contract/public/tracking.js'
import { offsetAt } from '../../src/domain/dates/local-time.js'
import { trackingStatus } from '../../src/domain/tracking/tracking-status.js'
import { seaPorts } from '../../src/geography/ports.js'
import { linesOf } from './consistency.js'

/** Tracking and shipment are consistent, as of today. */

const statuses: Record<TrackingStatus, ShipmentStatus[]> = {
  pending: ['booked'],
  at_origin: ['in_progress'],
  in_transit: ['in_progress'],
  at_transshipment: ['in_progress'],
  arrived: ['in_progress'],
  out_for_delivery: ['in_progress'],
  delivered: ['finished'],
  cancelled: ['cancelled'],
}

export function expectSoundTracking(lines: readonly ImportLine[], now: number): void {
  const tracked = new Map<string, TrackingRecord>()
  for (const { account, data } of linesOf(lines, 'tracking')) tracked.set(`${account} ${data.svc_shipment_id}`, data)
  for (const { account, data: shipment } of linesOf(lines, 'shipment')) {
    const tracking = tracked.get(`${account} ${shipment.svc_shipment_id}`)
    const status = shipment.status!
    expect(Date.parse(shipment.created_at!)).toBeLessThan(now)
    const quote = shipment.accepted_quote
    if (quote) expect(Date.parse(quote.accepted_date!)).toBeLessThanOrEqual(now)
    if (status === 'booked' || status === 'in_progress' || status === 'finished') expect(tracking).toBeDefined()
    if (status === 'draft' || status === 'booking_request' || status === 'awaiting_booking') {
      expect(tracking).toBeUndefined()
      expect(Date.parse(shipment.cargo_ready_date!)).toBeGreaterThan(now)
    }
    if (tracking) expectOneStory(shipment, tracking, now)
  }
}

function expectOneStory(shipment: Shipment, tracking: TrackingRecord, now: number): void {
  const id = shipment.svc_shipment_id
  expect(statuses[tracking.status!], id).toContain(shipment.status)
  const events = tracking.tracking_steps!.flatMap((step) =>
    step.events!.map((event) => ({ ...event, step: step.type! })),
  )
  const actual = events.filter(({ status }) => status === 'actual')
  for (const { date } of actual) expect(Date.parse(date!), id).toBeLessThanOrEqual(now)
  const numbers = (shipment.cargo!.containers ?? []).map(({ container_number }) => container_number)
  for (const { container_number } of events) if (container_number) expect(numbers).toContain(container_number)

  // The last container passes a milestone before the next milestone begins.
  const milestones = new Map<string, number>()
  for (const { step, description, date } of actual) milestones.set(`${step} ${description}`, Date.parse(date!))
  const times = [...milestones.values()]
  expect(times, id).toEqual(times.toSorted((a, b) => a - b))
  const derived = trackingStatus(
    tracking,
    numbers.flatMap((number) => number ?? []),
  )
  expect(tracking.status, id).toBe(shipment.status === 'cancelled' ? 'cancelled' : derived)

  const places = tracking.tracking_steps!.filter(({ port }) => port)
  expect(places[0]!.port!.unlocode).toBe(shipment.route!.origin_port_unlocode)
  const destination = places.find(({ type }) => type === 'destination_port')
  expect(destination!.port!.unlocode).toBe(shipment.route!.destination_port_unlocode)
  expect(places.every(({ location }) => !location)).toBe(true)
  for (const { type, location } of tracking.tracking_steps!) {
    expect(location !== undefined).toBe(type === 'pickup' || type === 'delivery')
  }
  if (shipment.freight_mode === 'ocean') expectPortTimes(tracking)
  expectPositions(shipment, tracking)
}

function expectPortTimes(tracking: TrackingRecord): void {
  for (const { port, events } of tracking.tracking_steps!) {
    const place = port && seaPorts.get(port.unlocode!)
    if (!place) continue
    for (const { date } of events!) {
      const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(date!)!
      const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
      expect(offset, `${place.code} ${date}`).toBe(offsetAt(Date.parse(date!), place.timeZone))
    }
  }
}

function expectPositions(shipment: Shipment, { status, ocean_coordinates: positions = [] }: TrackingRecord): void {
  const sailed = shipment.freight_mode === 'ocean' && !['pending', 'at_origin', 'cancelled'].includes(status!)
  expect(positions.length > 0, `${shipment.svc_shipment_id} ${status}`).toBe(sailed)
  expect(positions.length).toBeLessThanOrEqual(20)
  if (!sailed) return
  const near = (position: { latitude: string; longitude: string }, code: string) => {
    const [longitude, latitude] = seaPorts.get(code)!.coordinates
    return Math.hypot(Number(position.longitude) - longitude, Number(position.latitude) - latitude) < 0.01
  }
  expect(near(positions[0]!, shipment.route!.origin_port_unlocode!)).toBe(true)
  const there = status !== 'in_transit' && status !== 'at_transshipment'
  expect(near(positions.at(-1)!, shipment.route!.destination_port_unlocode!), shipment.svc_shipment_id).toBe(there)
}
