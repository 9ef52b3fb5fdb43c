import { type Static, type TSchema, Type } from 'typebox'
import { closed, described, explained, Identifier, named } from '../schema.js'
import { EventCode } from './event-code.js'
import { FreeTimeFact } from './free-time.js'
import { Location, LocationRecord } from './location.js'
import { ContainerNumber, DateStatus, DateWithTime, ShipmentId, timeOf } from './shared-types.js'

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
export const StepType = explained(stepTypes, 'What the place is for the shipment.', {
  pickup: 'Where the goods are collected.',
  origin_port: 'The port, airport or station at which the main carriage begins.',
  transshipment_port: 'A port on the way, at which they change the vessel, aircraft or train.',
  inland_terminal: 'A terminal between the port and the door.',
  destination_port: 'The port, airport or station at which the main carriage ends.',
  delivery: 'Where the goods are delivered.',
})

const TrackingStatus = explained(trackingStatuses, 'Where the goods are on their way, derived from the events.', {
  pending: 'Nothing has happened yet.',
  at_origin: 'Collected or at the port of origin, and not departed.',
  in_transit: 'Departed, and not yet at the destination.',
  at_transshipment: 'At a port on the way.',
  arrived: 'At the port of destination, and not on the way to the consignee.',
  out_for_delivery: 'On the way to the consignee.',
  delivered: 'With the consignee.',
  cancelled: 'The shipment does not take place.',
})

export const eventFields = {
  description: Type.String({ description: 'What happened, in words, as the source wrote it.' }),
  container_number: described(
    ContainerNumber,
    'The container that it happened to (ISO 6346). Absent if it concerns the whole shipment.',
  ),
  date: timeOf('When it happened or is expected, in the local time of the place.'),
  status: DateStatus,
}

export const TrackingEvent = named('TrackingEvent', {}, eventFields)
export type TrackingEvent = Static<typeof TrackingEvent>

export const Port = named(
  'Port',
  {},
  {
    unlocode: Type.String({ description: 'UN/LOCODE: country code, slash, place code, such as `CN/SHA`.' }),
    city: Type.String({ description: 'The name of the place.' }),
    country: Type.String({ description: 'Two-letter country code (ISO 3166-1).' }),
  },
)
export type Port = Static<typeof Port>

function trackingOf<Step extends TSchema>(step: Step) {
  return {
    status: TrackingStatus,
    tracking_steps: Type.Array(step, { description: 'The places of the way in order, with what happens at each.' }),
    initial_dates: described(
      closed(
        {},
        {
          eta: timeOf('Arrival at the port of destination.'),
          etd: timeOf('Departure from the port of origin.'),
          delivery: timeOf('Delivery to the consignee.'),
          pickup: timeOf('Collection from the shipper.'),
        },
      ),
      'The dates of the first plan. They do not change when the plan does: compare them with the newest ones.',
    ),
    // Interface 2.6: coordinates are strings.
    ocean_coordinates: Type.Array(
      closed({
        latitude: Type.String({ description: 'Decimal degrees, as a string; negative in the south.' }),
        longitude: Type.String({ description: 'Decimal degrees, as a string; negative in the west.' }),
      }),
      { description: 'Positions of the vessel, oldest first. Absent if none are known.' },
    ),
  }
}

function stepOf<Place extends TSchema, Event extends TSchema>(location: Place, event: Event) {
  return {
    type: StepType,
    location: described(location, 'The place, if it is a location. Absent for ports.'),
    port: described(Port, 'The place, if it is a port, airport or terminal. Absent for locations.'),
    events: Type.Array(event, { description: 'What has happened and is expected there, in the order given.' }),
  }
}

export const Tracking = named(
  'Tracking',
  { svc_shipment_id: ShipmentId },
  trackingOf(closed({}, stepOf(Location, TrackingEvent))),
)
export type Tracking = Static<typeof Tracking>

/** What kind of party reported it: it decides whose events take precedence. */
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
    voyage: Type.String({ maxLength: 255, description: "The carrier's number of the voyage." }),
  },
)

/** The means of transport that an event concerns. */
export function eventMode(description: string) {
  return explained(['vessel', 'flight', 'rail', 'truck', 'barge'], description, {
    vessel: 'By sea.',
    flight: 'By air.',
    rail: 'By rail.',
    truck: 'By road.',
    barge: 'By inland water.',
  })
}

/** How far the date of an event can be relied on. */
export const timeFields = {
  zone: explained(
    ['given', 'looked_up', 'assumed'],
    'Where the UTC offset of the date comes from. Absent if that was not recorded.',
    {
      given: 'The source gave it.',
      looked_up: 'The source gave the clock of the place, whose time zone is known.',
      assumed: 'Neither is known: UTC is assumed, and the time may be off by up to 14 hours.',
    },
  ),
  precision: explained(['minute', 'day'], 'How precise the date is. Absent if that was not recorded.', {
    minute: 'With a time.',
    day: 'A day without a time: it is written as the beginning of that day.',
  }),
}

/** What is stored about an event besides what `/v1` shows. */
export const statedFields = {
  ...timeFields,
  code: described(EventCode, 'What happened. Without it, it is recognised from the description.'),
  issued_at: Type.String({
    format: 'date-time',
    description: 'When the source issued it; what was issued last counts.',
  }),
  source: Type.String({ description: 'Source of the information, such as a carrier.' }),
  party: explained(
    parties,
    'What kind of party reported it. Of several, terminals and position data take precedence for arrivals and departures, carriers for loading and discharge, customs for holds, truckers and consignees for deliveries.',
    {
      carrier: 'The line, airline or railway.',
      terminal: 'The terminal or airport.',
      position: 'Position data of the vessel, such as AIS.',
      customs: 'Customs, or a broker who relays what customs decide.',
      trucker: 'The haulier.',
      consignee: 'Who receives the goods.',
      operator: "The forwarder's own people.",
      other: 'Anybody else.',
    },
  ),
  vessel: described(EventVessel, 'On which it happened or is expected.'),
}
export const storedFields = {
  ...statedFields,
  quarantine: Type.String({ description: 'Why the event is not shown and does not count.' }),
  released: Type.Boolean({ description: 'An operator has decided that it counts although it seems impossible.' }),
  laden: explained(['laden', 'empty'], 'Whether the container had goods in it.', {
    laden: 'With goods.',
    empty: 'Without.',
  }),
  mode: eventMode('The means of transport that it concerns, if the source states it.'),
  facility: Type.String({ description: 'Code of the terminal or depot, such as one of SMDG or BIC.' }),
  delay_reason: Type.String({ description: 'Code of the reason of a delay, as given.' }),
  remark: Type.String({ description: 'Anything else that the source reported, in words.' }),
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

/** More steps than any journey has: what is derived goes through all of them. */
export const mostSteps = 200

const StoredStep = closed({}, { id: Identifier, ...stepOf(LocationRecord, StoredEvent) })

/** The tracking as it is stored: its steps and events may have identifiers. */
export const TrackingRecord = named(
  'TrackingRecord',
  { svc_shipment_id: Identifier },
  {
    ...trackingOf(StoredStep),
    tracking_steps: Type.Array(StoredStep, { maxItems: mostSteps }),
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
