import { Big } from 'big.js'
import type { ChargeUnit, TemplateCharge } from '../../contract/billing.js'
import type { InvoiceRecordLine } from '../../contract/public/invoice.js'
import type { ContainerType, ShipmentRecord } from '../../contract/public/shipment.js'
import { chargeableRange } from '../shipments/chargeable-weight.js'
import { inKilograms } from '../shipments/shipment-cargo.js'

/** What charges are counted by: containers, weights and volumes of a shipment. */

export type ShipmentQuantities = {
  containers: number
  teus: number
  kilograms: number | undefined
  cubicMetres: number | undefined
  /** Of air freight. `most` is more where nothing is booked: airlines count volumes differently. */
  chargeableKilograms: { least: number; most: number } | undefined
  /** Tonnes or cubic metres, whichever is more, at least 1. */
  weightOrMeasure: number | undefined
}

export function quantitiesOf(
  shipment: Pick<ShipmentRecord, 'cargo' | 'booking_information'> | undefined = {},
): ShipmentQuantities {
  const { containers = [], total_weight, total_volume, total_teus } = shipment.cargo ?? {}
  const kilograms = total_weight && Number(inKilograms(total_weight).round(3))
  const cubicMetres = total_volume?.value
  const chargeable = chargeableRange(shipment)
  const isMeasured = kilograms !== undefined && cubicMetres !== undefined
  return {
    containers: containers.length,
    teus: total_teus ?? containers.reduce((sum, { container_type }) => sum + teusOf(container_type), 0),
    kilograms,
    cubicMetres,
    chargeableKilograms: chargeable && { least: Number(chargeable.least), most: Number(chargeable.most) },
    weightOrMeasure: isMeasured ? Math.max(1, Number(new Big(kilograms).div(1000)), cubicMetres) : undefined,
  }
}

function teusOf(type: ContainerType | undefined): number {
  return type?.startsWith('twenty') ? 1 : 2
}

const units: Record<Exclude<ChargeUnit, 'flat'>, string> = {
  container: 'container',
  teu: 'TEU',
  chargeable_kg: 'kg chargeable',
  wm: 'W/M',
  kg: 'kg',
  cbm: 'cbm',
}

/** A line for a charge of a template; undefined if the shipment does not have what it is counted by. */
export function chargeLine(charge: TemplateCharge, quantities: ShipmentQuantities): InvoiceRecordLine | undefined {
  const { per = 'flat', description, category, unit_rate, tax_category, vatRate, disbursement } = charge
  const value = quantityOf(per, quantities)
  if (value === undefined || value === 0) return undefined
  return {
    ...(category !== undefined && { category }),
    description,
    quantity: { value, unit: per === 'flat' ? 'flat' : units[per] },
    unit_rate,
    ...(vatRate !== undefined && { vatRate }),
    ...(tax_category !== undefined && { tax_category }),
    ...(disbursement !== undefined && { disbursement }),
  }
}

function quantityOf(per: ChargeUnit, quantities: ShipmentQuantities): number | undefined {
  switch (per) {
    case 'flat':
      return 1
    case 'container':
      return quantities.containers
    case 'teu':
      return quantities.teus
    case 'chargeable_kg':
      return quantities.chargeableKilograms?.least
    case 'wm':
      return quantities.weightOrMeasure
    case 'kg':
      return quantities.kilograms
    case 'cbm':
      return quantities.cubicMetres
  }
}
