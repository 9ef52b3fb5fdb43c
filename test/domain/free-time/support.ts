import type { FreeTimeTerm } from '../../../src/contract/operator/free-time.js'
import type { FreeTimeClock } from '../../../src/contract/public/free-time.js'
import type { ShipmentRecord } from '../../../src/contract/public/shipment.js'
import type { TrackingRecord } from '../../../src/contract/public/tracking.js'
import { freeTimeOf } from '../../../src/domain/free-time/free-time.js'
import { freeTimeRules } from '../../../src/domain/free-time/free-time-rules.js'
import { findPlace } from '../../../src/geography/places.js'
import type { Example } from './worked-examples.js'

export const number = 'MSKU1234565'

export const shipment: ShipmentRecord = {
  svc_shipment_id: 'S-1',
  freight_mode: 'ocean',
  load_type: 'fcl',
  status: 'in_progress',
  cargo: { containers: [{ container_number: number, container_type: 'forty_foot_standard' }] },
}

export const zoneOf = (port: string) => findPlace(port, 'sea')?.timeZone

export function ruled(term: Partial<FreeTimeTerm>): FreeTimeTerm {
  return {
    id: 'rule',
    direction: 'import',
    clock: 'demurrage',
    free: 7,
    unit: 'calendar_days',
    start_event: 'DISCHARGED',
    start_rule: 'next_day',
    stop_event: 'GATE_OUT',
    after_free: 'calendar',
    ...term,
  }
}

const exportCodes = new Set(['EMPTY_OUT', 'GATE_IN', 'LOADED'])

/** A step of the port with events such as `DISCHARGED 2026-03-02T14:00:00+01:00`. */
export function eventsAt(port: string, events: string[]): NonNullable<TrackingRecord['tracking_steps']> {
  const coded = events.map((event) => {
    const [code, date] = event.split(' ') as ['DISCHARGED', string]
    return { code, date, status: 'actual' as const, container_number: number }
  })
  const type = coded.some(({ code }) => exportCodes.has(code))
    ? ('origin_port' as const)
    : ('destination_port' as const)
  return [{ type, port: { unlocode: port }, events: coded }]
}

export function tracked(port: string, events: string[]): TrackingRecord {
  return { svc_shipment_id: 'S-1', tracking_steps: eventsAt(port, events) }
}

export function clockOfExample({ port, terms, calendars = [], events, given = [], container, now }: Example) {
  const rules = freeTimeRules(terms.map(ruled), calendars, zoneOf)
  const clock = { direction: terms[0]?.direction ?? 'import', clock: terms[0]?.clock ?? 'demurrage' } as const
  const facts = given.map((fact) => ({
    ...clock,
    id: 'f',
    reason: 'Mail',
    recorded_at: now,
    source: 'carrier' as const,
    ...fact,
  }))
  const of = {
    ...shipment,
    cargo: {
      containers: [{ container_number: number, container_type: container ?? ('forty_foot_standard' as const) }],
    },
  }
  const tracking = { ...tracked(port, events), free_time: facts }
  const clocks: FreeTimeClock[] = freeTimeOf({ account: 'acme', shipment: of, tracking }, rules, Date.parse(now))
  return clocks.find((each) => each.direction === clock.direction && each.clock === clock.clock)
}
