import { type Static, Type } from 'typebox'
import { LocationRecord } from '../location.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { DateWithTime, PortCode, trackingDateStatuses } from '../shared-types.js'
import { eventFields, Port, stepTypes, Tracking } from '../tracking.js'
import { HistoryId, origin, Reason, whatHappened } from './version.js'

/** Tracking as operators keep it: a plan of steps, and statements about them, of which none is overwritten. */

const PlannedStep = named(
  'PlannedStep',
  { type: oneOf(stepTypes) },
  {
    id: Identifier,
    location_id: Type.Integer({ description: 'A location of the account; for pick-up and delivery.' }),
    port: closed({ unlocode: PortCode }, { city: Type.String(), country: Type.String() }),
  },
)
export type PlannedStep = Static<typeof PlannedStep>

export const TrackingPlan = named('TrackingPlan', { steps: Type.Array(PlannedStep, { minItems: 1, maxItems: 100 }) })

const said = {
  step: Identifier,
  description: Type.String({ minLength: 1 }),
  date: DateWithTime,
  status: oneOf(trackingDateStatuses),
}
const saidMaybe = {
  container_number: eventFields.container_number,
  source: Type.String({ description: 'Who said it, such as a carrier.' }),
}

export const EventCreate = named('EventCreate', said, { ...saidMaybe, event_id: Identifier })
export const EventCorrection = named('EventCorrection', { ...said, reason: Reason }, saidMaybe)

const degrees = (limit: number) => Type.Number({ minimum: -limit, maximum: limit })

export const PositionCreate = named(
  'PositionCreate',
  { latitude: degrees(90), longitude: degrees(180) },
  { at: DateWithTime, source: saidMaybe.source },
)

/**
 * One statement, with where it comes from. For an event that came with a whole tracking that is found in the history, which
 * the answer to a write does not go through.
 */
const Statement = named(
  'TrackingStatement',
  { event_id: Identifier },
  { ...origin, ...eventFields, source: saidMaybe.source },
)

export const TrackingState = named('TrackingState', {
  svc_shipment_id: Identifier,
  ...origin,
  steps: Type.Array(
    closed(
      { id: Identifier, events: Type.Array(Statement) },
      { type: oneOf(stepTypes), location: LocationRecord, port: Port },
    ),
  ),
  shown: Tracking,
})
export type TrackingState = Static<typeof TrackingState>

export const TrackingHistoryEntry = named(
  'TrackingHistoryEntry',
  {
    kind: oneOf(['tracking', 'tracking_event', 'tracking_position']),
    id: HistoryId,
    ...origin,
    what: oneOf(whatHappened),
  },
  { reason: Type.String(), record: Type.Unknown() },
)
