import type { BookingInformation } from '../contract/public/booking-information.js'
import { utcDate } from '../domain/dates/local-time.js'
import { airwayBillCheckDigit } from '../domain/shipments/airway-bill-number.js'
import type { Packed } from './cargo.js'
import { leasedOwners, railCarriers, truckCarriers } from './carriers.js'
import type { Lane } from './lane.js'
import type { Random } from './random.js'
import type { Sailing } from './sailings.js'

/** The carrier and the booking numbers. */

export type Carriage = { booking: BookingInformation; owners: readonly string[] }

type BookingSpec = { lane: Lane; number: number; departs: number; sailing: Sailing | undefined }

export function bookCarriage({ lane, number, departs, sailing }: BookingSpec, random: Random): Carriage {
  const house_bill = `WBL${lane.origin.code.slice(3)}${utcDate(departs).slice(2, 7).replace('-', '')}${serial(number)}`
  switch (lane.mode) {
    case 'ocean': {
      const { carrier, vessel, voyage } = sailing!
      const booking_number = `${carrier.scac.slice(0, 3)}${random.digits(8)}`
      return {
        owners: carrier.owners,
        booking: {
          carrier: carrier.name,
          master_bill: `${carrier.scac}${random.digits(9)}`,
          house_bill,
          ocean_booking: { booking_number, voyage, vessel },
        },
      }
    }
    case 'air': {
      const { name, code, prefix } = lane.airline!
      const waybill = random.digits(7)
      return {
        owners: leasedOwners,
        booking: {
          carrier: name,
          master_bill: `${prefix}-${waybill}${airwayBillCheckDigit(waybill)}`,
          house_bill,
          air_booking: { flight_number: `${code}${random.integer(100, 8999)}` },
        },
      }
    }
    case 'rail': {
      const { continent } = lane.supplier.city
      const carrier = random.pick(railCarriers[continent === 'elsewhere' ? 'asia' : continent])
      return { owners: leasedOwners, booking: { carrier, master_bill: `CIM${random.digits(10)}`, house_bill } }
    }
    case 'truck': {
      const american = lane.supplier.city.continent === 'north_america'
      const carrier = random.pick(american ? truckCarriers.north_america : truckCarriers.europe)
      const master_bill = american ? `PRO${random.digits(9)}` : `CMR${random.digits(8)}`
      return { owners: leasedOwners, booking: { carrier, master_bill, house_bill } }
    }
  }
}

/** IATA: the greater of the weight and 166.67 kg per cubic metre, in steps of half a kilogram. */
export function chargeableKg({ kg, volume }: Packed): number {
  return Math.ceil(Math.max(kg, (volume * 1000) / 6) * 2) / 2
}

function serial(number: number): string {
  return String(number).padStart(5, '0')
}
