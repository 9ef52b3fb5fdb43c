import type { OperatorBody } from '../../src/contract/operator/operations.js'
import type { TrackingDateStatus } from '../../src/contract/public/shared-types.js'
import type { Line } from './account.js'
import { containerNumber } from './containers.js'
import { startForwarding } from './forwarder.js'
import type { RunningService } from './service.js'

export const containers = [containerNumber(101), containerNumber(102)] as const

/** A door-to-door plan by sea, with an identifier for each step. */
export const doorToDoor: OperatorBody<'planTracking'> = {
  steps: [
    { id: 'pickup', type: 'pickup', location_id: 1 },
    { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB', city: 'Ningbo', country: 'CN' } },
    { id: 'hub', type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
    { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
    { id: 'delivery', type: 'delivery', location_id: 2 },
  ],
}

/** A shipment with two containers and no tracking yet. */
export async function startTracking(service: RunningService) {
  const forwarding = await startForwarding(service, 'operations')
  const { work, shipment, seen, call } = forwarding
  await work('createLocation', { body: { id: 1, name: 'Factory' } })
  await work('createLocation', { body: { id: 2, name: 'Shop' } })
  const svc_shipment_id = await shipment({
    status: 'booked',
    cargo: { containers: containers.map((container_number) => ({ container_number })) },
  })
  const params = { svc_shipment_id }

  const plan = (body = doorToDoor) => work('planTracking', { params, body })
  /** Adds an event at a step, on a day of March 2026. */
  const say = (
    step: string,
    description: string,
    status: TrackingDateStatus,
    day: number,
    more: { container_number?: string; event_id?: string; source?: string } = {},
  ) => work('addEvent', { params, body: { step, description, status, date: on(day), ...more } })
  const tracked = async () => (await call('getTracking', { params })).body
  const dates = async () => (await seen(svc_shipment_id)).main_tracking_dates
  const status = async () => (await tracked()).status
  const state = async () => (await work('getTracking', { params })).body
  return { ...forwarding, params, svc_shipment_id, plan, say, tracked, dates, status, state }
}

export function on(day: number): string {
  return `2026-03-${String(day).padStart(2, '0')}T08:00:00+08:00`
}

/** Imported tracking with its events. */
export const imported = (svc_shipment_id: string): Line => ({
  kind: 'tracking',
  data: {
    svc_shipment_id,
    status: 'in_transit',
    tracking_steps: [
      { type: 'origin_port', events: [{ description: 'Departed', date: on(1), status: 'actual' }] },
      {
        type: 'destination_port',
        events: [
          { description: 'Vessel arrival', date: on(20), status: 'planned' },
          { description: 'Vessel arrival', date: on(21), status: 'estimated', container_number: 'CONT-1' },
        ],
      },
    ],
    ocean_coordinates: [{ latitude: '1', longitude: '2' }],
  },
})
