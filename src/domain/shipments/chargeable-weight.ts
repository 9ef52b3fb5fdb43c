import { Big } from 'big.js'
import type { Cargo, ShipmentRecord } from '../../contract/public/shipment.js'
import { inKilograms } from './shipment-cargo.js'

/** The weight that airlines charge: that of the cargo, or its volume at 1:6000 to 1:5000 (kg for cm³), whichever is more. */

const centimetresPerKilogram = { least: 6000, most: 5000 }

export type WeightRange = { least: Big; most: Big }

/** By weight and volume; undefined without a weight. */
export function volumetricRange({ total_weight, total_volume }: Cargo = {}): WeightRange | undefined {
  if (!total_weight) return undefined
  const weight = inKilograms(total_weight)
  const volume = new Big(total_volume?.unit === 'cbm' ? total_volume.value : 0).times(1_000_000)
  const at = (divisor: number) => larger(weight, volume.div(divisor))
  return { least: at(centimetresPerKilogram.least), most: at(centimetresPerKilogram.most) }
}

/** What may be charged, in kilograms: what was booked, or else what weight and volume give. Half kilograms are rounded up. */
export function chargeableRange({
  cargo,
  booking_information,
}: Pick<ShipmentRecord, 'cargo' | 'booking_information'>): WeightRange | undefined {
  const booked = booking_information?.air_booking?.chargeable_weight
  const weight = booked && inKilograms(booked)
  const range = weight ? { least: weight, most: weight } : volumetricRange(cargo)
  return range && { least: upToHalf(range.least), most: upToHalf(range.most) }
}

function upToHalf(weight: Big): Big {
  return weight.times(2).round(0, Big.roundUp).div(2)
}

function larger(one: Big, other: Big): Big {
  return one.gt(other) ? one : other
}
