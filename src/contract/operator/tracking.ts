import { type Static, Type } from 'typebox'
import { LocationRecord } from '../public/location.js'
import { DateWithTime, PortCode, trackingDateStatuses } from '../public/shared-types.js'
import {
  eventFields,
  Port,
  statedFields,
  stepTypes,
  storedFields,
  Tracking,
  TrackingRecord,
} from '../public/tracking.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { changeTypes, HistoryId, origin, Reason, Warning } from './version.js'

/** Tracking for operators: a plan of steps, and events at them. All versions are kept. */

const PlannedStep = named(
  'PlannedStep',
  { type: oneOf(stepTypes) },
  {
    id: Identifier,
    location_id: Type.Integer({ description: 'A location of the account, for pick-up and delivery.' }),
    port: closed({ unlocode: PortCode }, { city: Type.String(), country: Type.String() }),
  },
)
export type PlannedStep = Static<typeof PlannedStep>

export const TrackingPlan = named('TrackingPlan', { steps: Type.Array(PlannedStep, { minItems: 1, maxItems: 100 }) })

const eventRequired = {
  step: Identifier,
  description: Type.String({ minLength: 1 }),
  date: DateWithTime,
  status: oneOf(trackingDateStatuses),
}
const eventOptional = { container_number: eventFields.container_number, ...statedFields }

export const EventCreate = named('EventCreate', eventRequired, { ...eventOptional, event_id: Identifier })
export const EventCorrection = named('EventCorrection', { ...eventRequired, reason: Reason }, eventOptional)

export const EventRelease = named('EventRelease', { reason: Reason })
export const PinCreate = named('PinCreate', { date: DateWithTime, reason: Reason })

const degrees = (limit: number) => Type.Number({ minimum: -limit, maximum: limit })

export const PositionCreate = named(
  'PositionCreate',
  { latitude: degrees(90), longitude: degrees(180) },
  { at: DateWithTime, source: statedFields.source },
)

/**
 * One event with its origin. For an event that is part of the whole tracking the origin is found in the history, which
 * responses to writes do not read.
 */
const StatedEvent = named('TrackingStatement', { event_id: Identifier }, { ...origin, ...eventFields, ...storedFields })

export const TrackingState = named(
  'TrackingState',
  {
    svc_shipment_id: Identifier,
    ...origin,
    steps: Type.Array(
      closed(
        { id: Identifier, events: Type.Array(StatedEvent) },
        { type: oneOf(stepTypes), location: LocationRecord, port: Port },
      ),
    ),
    shown: Tracking,
  },
  {
    pins: TrackingRecord.properties.pins,
    warnings: Type.Array(Warning, { description: 'What is odd about the request that was carried out.' }),
  },
)
export type TrackingState = Static<typeof TrackingState>

export const TrackingHistoryEntry = named(
  'TrackingHistoryEntry',
  {
    kind: oneOf(['tracking', 'tracking_event', 'tracking_position']),
    id: HistoryId,
    ...origin,
    what: oneOf(changeTypes),
  },
  { reason: Type.String(), record: Type.Unknown() },
)
