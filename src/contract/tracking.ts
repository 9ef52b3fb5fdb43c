import { type Static, type TSchema, Type } from 'typebox'
import { Location, LocationRecord } from './location.js'
import { closed, Identifier, named, oneOf } from './schema.js'
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

export const TrackingEvent = named(
  'TrackingEvent',
  {},
  {
    description: Type.String(),
    container_number: Type.String(),
    date: DateWithTime,
    status: oneOf(trackingDateStatuses),
  },
)
export type TrackingEvent = Static<typeof TrackingEvent>

export const Port = named('Port', {}, { unlocode: Type.String(), city: Type.String(), country: Type.String() })
export type Port = Static<typeof Port>

function trackingWith<Place extends TSchema>(location: Place) {
  return closed(
    { svc_shipment_id: Identifier },
    {
      status: oneOf(trackingStatuses),
      tracking_steps: Type.Array(
        closed(
          {},
          {
            type: oneOf(stepTypes),
            location,
            port: Port,
            events: Type.Array(TrackingEvent),
          },
        ),
      ),
      initial_dates: closed({}, { eta: DateWithTime, etd: DateWithTime, delivery: DateWithTime, pickup: DateWithTime }),
      // Interface 2.6: coordinates are strings.
      ocean_coordinates: Type.Array(closed({ latitude: Type.String(), longitude: Type.String() })),
    },
  )
}

export const Tracking = Object.assign(trackingWith(Location), { title: 'Tracking' })
export type Tracking = Static<typeof Tracking>

export const TrackingRecord = trackingWith(LocationRecord)
export type TrackingRecord = Static<typeof TrackingRecord>
