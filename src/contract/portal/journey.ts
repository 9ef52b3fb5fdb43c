import { type Static, Type } from 'typebox'
import { closed, named, oneOf } from '../schema.js'
import { DateWithTime, trackingDateStatuses } from '../shared-types.js'

/** Where a shipment goes, for a map and for clocks on the way: what /v1 has no place for. */

const Point = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 2,
  description:
    'Longitude and latitude. Longitudes go on beyond 180 degrees, either way, where the journey does, so that no line goes round the world.',
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
    tracked: Type.Boolean({ description: 'Whether there is tracking to be asked for.' }),
    places: Type.Array(JourneyPlace),
    past: Type.Array(Line, { description: 'What lies behind it: as it was tracked, or else as it must have gone.' }),
    future: Type.Array(Line, { description: 'What lies ahead. No line crosses land at sea.' }),
    arrival_history: Type.Array(
      closed({ recorded_at: DateWithTime, date: DateWithTime, status: oneOf(trackingDateStatuses) }),
      {
        description: 'How the date of arrival moved, the oldest first.',
      },
    ),
  },
  { position: Point },
)
export type Journey = Static<typeof Journey>

/** Where a location of the account lies, for a map and for its clock: in the middle of its city. */
export const LocationPlace = named('LocationPlace', {
  id: Type.Integer({ description: 'Of the location.' }),
  point: Point,
  time_zone: Type.String({ description: 'A name of the IANA time zone database.' }),
})
export type LocationPlace = Static<typeof LocationPlace>
