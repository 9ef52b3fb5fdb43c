import { type Static, type TSchema, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { eventCodes } from './event-codes.js'
import { Location, LocationRecord } from './location.js'
import { DateWithTime, trackingDateStatuses } from './shared-types.js'

/** Interface 2.6. */

export const trackingStatuses = [
  'pending',
  'at_origin',
  'in_transit',
  'at_transshipment',
  'arrived',
  'out_for_delivery',
  'delivered',
  'cancelled',
] as const
export type TrackingStatus = (typeof trackingStatuses)[number]

export const stepTypes = [
  'pickup',
  'origin_port',
  'transshipment_port',
  'inland_terminal',
  'destination_port',
  'delivery',
] as const
export type StepType = (typeof stepTypes)[number]

export const eventFields = {
  description: Type.String(),
  container_number: Type.String(),
  date: DateWithTime,
  status: oneOf(trackingDateStatuses),
}

export const TrackingEvent = named('TrackingEvent', {}, eventFields)
export type TrackingEvent = Static<typeof TrackingEvent>

export const Port = named('Port', {}, { unlocode: Type.String(), city: Type.String(), country: Type.String() })
export type Port = Static<typeof Port>

function trackingOf<Step extends TSchema>(step: Step) {
  return {
    status: oneOf(trackingStatuses),
    tracking_steps: Type.Array(step),
    initial_dates: closed({}, { eta: DateWithTime, etd: DateWithTime, delivery: DateWithTime, pickup: DateWithTime }),
    // Interface 2.6: coordinates are strings.
    ocean_coordinates: Type.Array(closed({ latitude: Type.String(), longitude: Type.String() })),
  }
}

function stepOf<Place extends TSchema, Event extends TSchema>(location: Place, event: Event) {
  return { type: oneOf(stepTypes), location, port: Port, events: Type.Array(event) }
}

export const Tracking = named(
  'Tracking',
  { svc_shipment_id: Identifier },
  trackingOf(closed({}, stepOf(Location, TrackingEvent))),
)
export type Tracking = Static<typeof Tracking>

/** What is stored about an event besides what `/v1` shows. */
export const statedFields = {
  code: oneOf(eventCodes, { description: 'What happened. Without it, it is recognised from the description.' }),
  issued_at: Type.String({ format: 'date-time', description: 'When the source said so; what was issued last counts.' }),
  source: Type.String({ description: 'Source of the information, such as a carrier.' }),
}
export const storedFields = {
  ...statedFields,
  quarantine: Type.String({ description: 'Why the event is not shown and does not count.' }),
  source_event_id: Type.String({ description: "The source's own identifier of the event." }),
  source_code: Type.String({ description: "The source's own code of what happened." }),
  message_id: Type.Integer({ minimum: 1, description: 'The message that it came with.' }),
}
const StoredEvent = closed({}, { id: Identifier, ...eventFields, ...storedFields })

/** The tracking as it is stored: its steps and events may have identifiers. */
export const TrackingRecord = named(
  'TrackingRecord',
  { svc_shipment_id: Identifier },
  trackingOf(closed({}, { id: Identifier, ...stepOf(LocationRecord, StoredEvent) })),
)
export type TrackingRecord = Static<typeof TrackingRecord>
export type TrackingStepRecord = NonNullable<TrackingRecord['tracking_steps']>[number]

const sequence = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Position among the events or positions of the shipment.',
})

/** An event that was recorded separately, not as part of the whole tracking. */
export const TrackingEventRecord = named(
  'TrackingEventRecord',
  { svc_shipment_id: Identifier, event_id: Identifier, sequence, step: Identifier },
  { ...eventFields, ...storedFields },
)
export type TrackingEventRecord = Static<typeof TrackingEventRecord>

export const TrackingPositionRecord = named(
  'TrackingPositionRecord',
  {
    svc_shipment_id: Identifier,
    position_id: Identifier,
    sequence,
    latitude: Type.String(),
    longitude: Type.String(),
  },
  { at: DateWithTime, source: statedFields.source },
)
export type TrackingPositionRecord = Static<typeof TrackingPositionRecord>
