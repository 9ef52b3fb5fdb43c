import type { MainTrackingDates, ShipmentRecord } from '../../src/contract/public/shipment.js'
import type { TrackingRecord } from '../../src/contract/public/tracking.js'
import { withCallsOf } from '../../src/domain/messages/call-order.js'
import { readDcsaEvent } from '../../src/domain/messages/dcsa.js'
import { stepsOfRoute } from '../../src/domain/messages/event-step.js'
import { finish } from '../../src/domain/records/in-parts.js'
import { numbersOf } from '../../src/domain/shipments/shipment-cargo.js'
import { isQuarantined } from '../../src/domain/tracking/coded-events.js'
import { firstDatesInParts, mainTrackingDates } from '../../src/domain/tracking/tracking-dates.js'
import { trackingStatus } from '../../src/domain/tracking/tracking-status.js'
import { findPlace } from '../../src/geography/places.js'
import { wholeTracking } from '../../src/ledger/whole-tracking.js'
import { type AppliedState, applyChange, containersByReference } from '../../src/usecases/messages/apply-events.js'
import { KnownEvents } from '../../src/usecases/messages/known-events.js'
import { containerNumber } from './containers.js'

/** What a carrier reports about a shipment, and what follows from it by the rules alone, without a database. */

export const [C1, C2, C3] = [containerNumber(501), containerNumber(502), containerNumber(503)] as const

type Options = Partial<Pick<ShipmentRecord, 'cargo_ready_date' | 'created_at' | 'freight_mode'>> & {
  containers?: string[]
  /** Whether the journey has a pick-up and a delivery. */
  doors?: boolean
  /** The ports of the plan between the first and the last one. */
  hubs?: string[]
}

/** Shows what is known after the messages of a carrier. */
export function follow(
  from: string,
  to: string,
  { containers = [C1], doors = true, hubs = [], ...more }: Options = {},
) {
  const shipment: ShipmentRecord = {
    svc_shipment_id: 'S',
    freight_mode: 'ocean',
    cargo: { containers: containers.map((container_number) => ({ container_number })) },
    route: {
      origin_port_unlocode: withSlash(from),
      destination_port_unlocode: withSlash(to),
      ...(doors && { pickup_location_id: '1', delivery_location_id: '2' }),
    },
    ...more,
  }
  const planned: TrackingRecord['tracking_steps'] = stepsOfRoute(shipment)
  const calls = hubs.map((hub) => ({
    id: hub,
    type: 'transshipment_port' as const,
    port: { unlocode: withSlash(hub) },
  }))
  planned.splice(
    planned.findIndex(({ type }) => type === 'destination_port'),
    0,
    ...calls,
  )
  const record = { svc_shipment_id: 'S', tracking_steps: planned }
  const state: AppliedState = {
    shipment,
    record,
    numbers: containersByReference(shipment, record),
    events: new KnownEvents([]),
    restated: new Set(),
  }

  function report(...reports: object[]): void {
    for (const item of reports) {
      const each = readDcsaEvent(item, (unlocode) => findPlace(unlocode, 'sea')?.timeZone)
      if ('fault' in each) throw new Error(each.fault)
      const { event } = each
      const { sourceCode, status, date, containers: units, place, details } = event
      const event_id = `evt_${event.sourceId ?? JSON.stringify([sourceCode, status, date, units, place.unlocode, details?.vessel?.name])}`
      const message = {
        message_id: 1,
        sender: 'CARRIER',
        received_at: '2030-01-01T00:00:00Z',
        party: 'carrier',
      } as const
      const issued_at = event.issuedAt as string
      applyChange(state, { event_id, event: event.isRetracted ? undefined : event, issued_at }, message)
    }
  }

  function whole(): TrackingRecord {
    const events = [...state.events.all.values()]
    const used = withCallsOf(state.record, events)
    return wholeTracking(used, { events, positions: [] }, shipment)
  }

  function shown() {
    const known = whole()
    const numbers = numbersOf(shipment)
    const dates = mainTrackingDates({ ...known, initial_dates: finish(firstDatesInParts(known, numbers)) }, numbers)
    const { pickup_date, departure_date, arrival_date, delivery_date } = dates
    const kept = (known.tracking_steps ?? []).flatMap(({ events = [] }) => events.filter(isQuarantined))
    return {
      status: trackingStatus(known, numbers),
      pickup: inShort(pickup_date),
      departure: inShort(departure_date),
      arrival: inShort(arrival_date),
      delivery: inShort(delivery_date),
      quarantined: kept.map(({ code, date = '' }) => `${code} ${date.slice(5, 10)}`).toSorted(),
    }
  }

  return { report, shown, whole }
}

function withSlash(unlocode: string): string {
  return `${unlocode.slice(0, 2)}/${unlocode.slice(2)}`
}

/** `actual 03-02`, of the year that all examples are of; `-` if there is none. */
function inShort(date: MainTrackingDates[keyof MainTrackingDates]): string {
  return date?.date === undefined ? '-' : `${date.status} ${date.date.slice(5, 10)}`
}

type More = {
  of?: string
  vessel?: string
  status?: 'PLN' | 'EST' | 'ACT'
  /** When it was issued, if that was not at its date. */
  issued?: string
  /** By a vessel; undefined if unknown. */
  mode?: 'VESSEL' | 'RAIL' | 'TRUCK' | 'BARGE' | undefined
  empty?: boolean
  facility?: string
  phase?: string
  id?: string
}

/** A date of 2021, such as `03-02` or `03-02T14`. */
function instant(date: string): string {
  return `2021-${date.length === 5 ? `${date}T00` : date}:00:00Z`
}

function common(at: string, on: string, more: More) {
  const { vessel, status = 'ACT', issued = on, mode, id } = { mode: 'VESSEL', ...more }
  return {
    ...(id !== undefined && { eventID: id }),
    eventCreatedDateTime: instant(issued),
    eventDateTime: instant(on),
    eventClassifierCode: status,
    transportCall: {
      transportCallID: at,
      modeOfTransport: mode,
      UNLocationCode: at,
      ...(vessel !== undefined && { vessel: { vesselName: vessel } }),
    },
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: 'B' }],
  }
}

type Report = [at: string, on: string, more?: More]

const equipment =
  (code: string) =>
  (...[at, on, more = {}]: Report) => ({
    ...common(at, on, more),
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: code,
    equipmentReference: more.of ?? C1,
    emptyIndicatorCode: more.empty ? 'EMPTY' : 'LADEN',
    ...(more.facility !== undefined && { eventLocation: { UNLocationCode: at, facilityTypeCode: more.facility } }),
    ...(more.phase !== undefined && { transportPhase: more.phase }),
  })

/** About the vessel; with `of`, of a container on board. */
const transport =
  (code: string) =>
  (...[at, on, more = {}]: Report) => ({
    ...common(at, on, more),
    eventType: 'TRANSPORT',
    transportEventTypeCode: code,
    ...(more.of !== undefined && { references: [{ referenceType: 'EQ', referenceValue: more.of }] }),
  })

export const load = equipment('LOAD')
export const discharge = equipment('DISC')
export const gateIn = equipment('GTIN')
export const gateOut = equipment('GTOT')
export const pickUp = equipment('PICK')
export const drop = equipment('DROP')
export const depart = transport('DEPA')
export const arrive = transport('ARRI')
