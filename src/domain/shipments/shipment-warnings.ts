import type { Warning } from '../../contract/operator/version.js'
import type { ShippedLine } from '../../contract/public/purchase-order.js'
import type { ContainerType, ShipmentRecord } from '../../contract/public/shipment.js'
import { expectedCheckDigit } from './airway-bill-number.js'
import { volumetricRange, type WeightRange } from './chargeable-weight.js'
import { checkDigitDetail } from './container-number.js'
import { cargoWarnings, inKilograms } from './shipment-cargo.js'

/** What looks wrong about a shipment that was accepted. A warning never refuses. */
export function shipmentWarnings(record: Partial<ShipmentRecord>, isKnownPlace: (code: string) => boolean): Warning[] {
  return [
    ...cargoWarnings(record),
    ...placeWarnings(record, isKnownPlace),
    ...airWarnings(record),
    ...payloadWarnings(record),
  ]
}

function placeWarnings({ route = {} }: Partial<ShipmentRecord>, isKnown: (code: string) => boolean): Warning[] {
  return (['origin_port_unlocode', 'destination_port_unlocode'] as const).flatMap((name) => {
    const code = route[name]
    if (code === undefined || isKnown(code)) return []
    return [
      {
        pointer: `/route/${name}`,
        detail: `${code} is not a known UN/LOCODE: it has no name, and no place on the map`,
      },
    ]
  })
}

function airWarnings({ freight_mode, booking_information, cargo }: Partial<ShipmentRecord>): Warning[] {
  if (freight_mode !== 'air') return []
  const { master_bill = '', air_booking } = booking_information ?? {}
  const digit = expectedCheckDigit(master_bill)
  const warnings: Warning[] =
    digit === undefined
      ? []
      : [
          {
            pointer: '/booking_information/master_bill',
            detail: `does not have the check digit ${digit} of an air waybill`,
          },
        ]
  const fitting = acceptedRange(cargo)
  if (!air_booking?.chargeable_weight || !fitting) return warnings
  const chargeable = inKilograms(air_booking.chargeable_weight)
  if (chargeable.lt(fitting.least) || chargeable.gt(fitting.most)) {
    const pointer = '/booking_information/air_booking/chargeable_weight'
    const { least, most } = fitting
    const expected = `weight and volume of the cargo give ${least.round(0).toFixed()} to ${most.round(0).toFixed()} kg`
    warnings.push({ pointer, detail: `is ${chargeable.round(1).toFixed()} kg, but ${expected}` })
  }
  return warnings
}

const tolerance = '0.02'

function acceptedRange(cargo: ShipmentRecord['cargo']): WeightRange | undefined {
  const range = volumetricRange(cargo)
  if (!cargo?.total_weight || !range) return undefined
  const spare = inKilograms(cargo.total_weight).abs().times(tolerance).plus(1)
  return { least: range.least.minus(spare), most: range.most.plus(spare) }
}

// The largest payload in kilograms that containers of the type have: most lines allow less.
const payloads: Record<ContainerType, number> = {
  twenty_foot_standard: 28_400,
  twenty_foot_reefer: 27_700,
  twenty_foot_flat_rack: 31_200,
  twenty_foot_open_top: 28_300,
  forty_foot_standard: 28_900,
  forty_foot_reefer: 29_600,
  forty_foot_flat_rack: 48_000,
  forty_foot_open_top: 28_900,
  forty_foot_highcube_standard: 28_900,
  forty_foot_highcube_reefer: 30_000,
  forty_foot_highcube_flat_rack: 48_000,
  forty_foot_highcube_open_top: 28_900,
  forty_five_foot_highcube_standard: 29_600,
}

function payloadWarnings({ cargo = {} }: Partial<ShipmentRecord>): Warning[] {
  const types = (cargo.containers ?? []).map(({ container_type }) => container_type)
  if (!cargo.total_weight || types.length === 0) return []
  let most = 0
  for (const type of types) {
    if (type === undefined) return []
    most += payloads[type]
  }
  const weight = inKilograms(cargo.total_weight)
  if (weight.lte(most)) return []
  const detail = `is ${weight.round(0).toFixed()} kg, but the containers carry ${most} kg at most`
  return [{ pointer: '/cargo/total_weight', detail }]
}

/** What looks wrong about packed lines of an order. */
export function packingWarnings(lines: ShippedLine[]): Warning[] {
  return lines.flatMap(({ net_weight, gross_weight, number_of_packages, container_number = '' }, index) => {
    const pointer = `/shipped_order_lines/${index}`
    const warnings: Warning[] = []
    if (net_weight !== undefined && gross_weight !== undefined && net_weight > gross_weight) {
      warnings.push({
        pointer: `${pointer}/net_weight`,
        detail: `is ${net_weight}, above the gross weight ${gross_weight}`,
      })
    }
    for (const [name, value] of Object.entries({ number_of_packages, net_weight, gross_weight })) {
      if (value !== undefined && value < 0) warnings.push({ pointer: `${pointer}/${name}`, detail: 'is below 0' })
    }
    const detail = checkDigitDetail(container_number)
    if (detail !== undefined) warnings.push({ pointer: `${pointer}/container_number`, detail })
    return warnings
  })
}
