import { type Static, Type } from 'typebox'
import { closed, described, named } from '../schema.js'
import { Weight } from './shared-types.js'

/** Interface 2.2: the carrier of a shipment, its bills and booking. */

export const BookingInformation = named(
  'BookingInformation',
  {},
  {
    carrier: Type.String({ description: 'The name of the line, airline, railway or haulier of the main carriage.' }),
    master_bill: Type.String({ description: "The number of the carrier's bill of lading or air waybill." }),
    house_bill: Type.String({ description: "The number of the forwarder's own bill of lading or air waybill." }),
    ocean_booking: described(
      closed(
        {},
        {
          booking_number: Type.String({ description: "The carrier's number of the booking." }),
          voyage: Type.String({ description: "The carrier's number of the voyage." }),
          vessel: Type.String({ description: 'The name of the vessel.' }),
        },
      ),
      'Of ocean freight only.',
    ),
    air_booking: described(
      closed(
        {},
        {
          flight_number: Type.String({ description: "The airline's code and number of the flight." }),
          chargeable_weight: described(
            Weight,
            'The weight that the airline charges: the actual one, or that computed from the volume, if it is more.',
          ),
        },
      ),
      'Of air freight only.',
    ),
  },
)
export type BookingInformation = Static<typeof BookingInformation>
