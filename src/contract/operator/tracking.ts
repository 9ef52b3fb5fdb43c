import { type Static, Type } from 'typebox'
import { LocationRecord } from '../public/location.js'
import { DateWithTime, PortCode, TrackingDate, trackingDateStatuses } from '../public/shared-types.js'
import {
  EventVessel,
  eventFields,
  Port,
  ReplacedUnit,
  statedFields,
  stepTypes,
  storedFields,
  Tracking,
  TrackingRecord,
} from '../public/tracking.js'
import { closed, described, Identifier, named, oneOf } from '../schema.js'
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
  description: Type.String({ minLength: 1, maxLength: 2000 }),
  date: DateWithTime,
  status: oneOf(trackingDateStatuses),
}
const eventOptional = { container_number: eventFields.container_number, ...statedFields }

export const EventCreate = named('EventCreate', eventRequired, { ...eventOptional, event_id: Identifier })
export const EventCorrection = named('EventCorrection', { ...eventRequired, reason: Reason }, eventOptional)

export const DateShift = named(
  'DateShift',
  {
    hours: Type.Integer({
      minimum: -8784,
      maximum: 8784,
      description: 'By how many; below 0 to bring dates forward. Not 0.',
    }),
    reason: Reason,
  },
  {
    from: described(
      Identifier,
      'An event: every planned or estimated date from its own on is moved, whichever container it is of.',
    ),
    events: Type.Array(
      closed({
        event_id: Identifier,
        date: described(DateWithTime, 'That it has now: if it has another one, nothing is changed.'),
      }),
      {
        minItems: 1,
        maxItems: 1000,
        description: 'Instead of `from`: these planned or estimated dates, and no others.',
      },
    ),
  },
)
export type DateShift = Static<typeof DateShift>

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
        {
          type: oneOf(stepTypes),
          location: LocationRecord,
          port: Port,
          time_zone: Type.String({ description: 'Of the place (IANA), if it is known.' }),
        },
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

const JourneyLeg = named(
  'JourneyLeg',
  {
    from: Identifier,
    to: Identifier,
    state: oneOf(['planned', 'active', 'done', 'superseded'], {
      description: '`superseded`: containers were to travel by it, and do not any more.',
    }),
    containers: Type.Array(Type.String(), { description: 'Which travel by it.' }),
  },
  { vessel: EventVessel, departure: TrackingDate, arrival: TrackingDate },
)

export const TrackingJourney = named('TrackingJourney', {
  svc_shipment_id: Identifier,
  calls: Type.Array(
    closed(
      { id: Identifier, proposed: Type.Boolean({ description: 'Not planned: an event happened there.' }) },
      { type: oneOf(stepTypes), location: LocationRecord, port: Port },
    ),
  ),
  legs: Type.Array(JourneyLeg, { description: 'Between calls, by what events say; of the first 100 containers.' }),
  replaced_units: Type.Array(ReplacedUnit, { description: 'Containers whose goods were moved to another one.' }),
})
export type TrackingJourney = Static<typeof TrackingJourney>

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
