import { type Static, Type } from 'typebox'
import { DateWithTime, trackingDateStatuses } from '../public/shared-types.js'
import { closed, named, oneOf } from '../schema.js'

/** The route of a shipment for a map, with time zones: data that /v1 does not have. */

const Point = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 2,
  description:
    'Longitude and latitude. Longitudes continue beyond ±180 degrees where the journey crosses the antimeridian, so that lines stay connected.',
})
const Line = Type.Array(Point)

export const JourneyPlace = closed(
  {
    name: Type.String(),
    role: oneOf(['pickup', 'origin', 'transshipment', 'inland', 'destination', 'delivery']),
  },
  {
    unlocode: Type.String(),
    country: Type.String(),
    point: Point,
    time_zone: Type.String({ description: 'A name of the IANA time zone database.' }),
  },
)

export const Journey = named(
  'Journey',
  {
    tracked: Type.Boolean({ description: 'Whether the shipment has tracking.' }),
    places: Type.Array(JourneyPlace),
    past: Type.Array(Line, {
      description: 'The completed part of the route: tracked positions, otherwise the likely route.',
    }),
    future: Type.Array(Line, { description: 'The remaining part of the route. Sea routes do not cross land.' }),
    arrival_history: Type.Array(
      closed({ recorded_at: DateWithTime, date: DateWithTime, status: oneOf(trackingDateStatuses) }),
      {
        description: 'Changes of the arrival date, oldest first.',
      },
    ),
  },
  { position: Point },
)
export type Journey = Static<typeof Journey>

/** Coordinates and time zone of a location of the account: those of its city. */
export const LocationPlace = named('LocationPlace', {
  id: Type.Integer({ description: 'Identifier of the location.' }),
  point: Point,
  time_zone: Type.String({ description: 'A name of the IANA time zone database.' }),
})
export type LocationPlace = Static<typeof LocationPlace>
