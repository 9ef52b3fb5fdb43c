import { type Static, type TSchema, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { eventCodes } from './event-codes.js'
import { FreeTimeFact } from './free-time.js'
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

/** What kind of party said it: who is believed about what. */
export const parties = [
  'carrier',
  'terminal',
  'position',
  'customs',
  'trucker',
  'consignee',
  'operator',
  'other',
] as const
export type Party = (typeof parties)[number]

export const EventVessel = named(
  'EventVessel',
  {},
  {
    name: Type.String({ maxLength: 255, description: 'Of the vessel; the number of a flight, train or truck.' }),
    imo: Type.String({ maxLength: 20, description: 'IMO number of the vessel.' }),
    voyage: Type.String({ maxLength: 255 }),
  },
)

/** What is stored about an event besides what `/v1` shows. */
export const statedFields = {
  code: oneOf(eventCodes, { description: 'What happened. Without it, it is recognised from the description.' }),
  issued_at: Type.String({ format: 'date-time', description: 'When the source said so; what was issued last counts.' }),
  source: Type.String({ description: 'Source of the information, such as a carrier.' }),
  party: oneOf(parties, {
    description:
      'What kind of party said it. Of several, terminals and position data are believed about arrivals and departures, carriers about loading and discharge, customs about holds, truckers and consignees about deliveries.',
  }),
  vessel: EventVessel,
}
export const storedFields = {
  ...statedFields,
  quarantine: Type.String({ description: 'Why the event is not shown and does not count.' }),
  released: Type.Boolean({ description: 'An operator has decided that it counts although it seems impossible.' }),
  laden: oneOf(['laden', 'empty'], { description: 'Whether the container had goods in it.' }),
  facility: Type.String({ description: 'Code of the terminal or depot, such as one of SMDG or BIC.' }),
  delay_reason: Type.String({ description: 'Code of the reason of a delay, as given.' }),
  remark: Type.String(),
  source_event_id: Type.String({ description: "The source's own identifier of the event." }),
  source_code: Type.String({ description: "The source's own code of what happened." }),
  message_id: Type.Integer({ minimum: 1, description: 'The message that it came with.' }),
}
const StoredEvent = closed({}, { id: Identifier, ...eventFields, ...storedFields })

const Pin = named('Pin', {
  date: DateWithTime,
  reason: Type.String({ minLength: 1, maxLength: 1000 }),
  pinned_at: Type.String({ format: 'date-time' }),
})
export type Pin = Static<typeof Pin>
/** Dates that an operator has set until they happen. */
const Pins = closed({}, { pickup_date: Pin, departure_date: Pin, arrival_date: Pin, delivery_date: Pin })

/** A container whose goods were moved to another one: what happened to it before counts for the other. */
export const ReplacedUnit = closed({ container_number: Type.String(), replaced_by: Type.String() })

/** The tracking as it is stored: its steps and events may have identifiers. */
export const TrackingRecord = named(
  'TrackingRecord',
  { svc_shipment_id: Identifier },
  {
    ...trackingOf(closed({}, { id: Identifier, ...stepOf(LocationRecord, StoredEvent) })),
    pins: Pins,
    replaced_units: Type.Array(ReplacedUnit),
    free_time: Type.Array(FreeTimeFact, {
      description: 'Last free days that were given, and days granted in addition.',
    }),
  },
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
