import { Big } from 'big.js'
import type { ChargeUnit, TemplateCharge } from '../../contract/billing.js'
import type { InvoiceRecordLine } from '../../contract/public/invoice.js'
import type { Cargo, ContainerType } from '../../contract/public/shipment.js'

/** What charges are counted by: containers, weights and volumes of a shipment. */

// A cubic metre of air freight counts as at least 167 kg (1:6000 cm³ per kg).
const kilogramsPerCubicMetre = 167
const kilogramsPerPound = '0.45359237'

export type ShipmentQuantities = {
  containers: number
  teus: number
  kilograms: number | undefined
  cubicMetres: number | undefined
  chargeableKilograms: number | undefined
  /** Tonnes or cubic metres, whichever is more, at least 1. */
  weightOrMeasure: number | undefined
}

export function quantitiesOf({
  containers = [],
  total_weight,
  total_volume,
  total_teus,
}: Cargo = {}): ShipmentQuantities {
  const kilograms = total_weight && toKilograms(total_weight.value, total_weight.unit)
  const cubicMetres = total_volume?.value
  const weights = [kilograms, cubicMetres === undefined ? undefined : times(cubicMetres, kilogramsPerCubicMetre)]
  const measures = [kilograms === undefined ? undefined : times(kilograms, 0.001), cubicMetres]
  const isKnown = kilograms !== undefined
  return {
    containers: containers.length,
    teus: total_teus ?? containers.reduce((sum, { container_type }) => sum + teusOf(container_type), 0),
    kilograms,
    cubicMetres,
    chargeableKilograms: isKnown ? Math.ceil(largest(weights)) : undefined,
    weightOrMeasure: isKnown && cubicMetres !== undefined ? Math.max(1, largest(measures)) : undefined,
  }
}

function toKilograms(value: number, unit: string): number {
  return unit === 'lbs' ? Number(new Big(value).times(kilogramsPerPound).round(3)) : value
}

function teusOf(type: ContainerType | undefined): number {
  return type?.startsWith('twenty') ? 1 : 2
}

function times(one: number, other: number): number {
  return Number(new Big(one).times(other))
}

function largest(values: (number | undefined)[]): number {
  return Math.max(...values.filter((value) => value !== undefined))
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
      return quantities.chargeableKilograms
    case 'wm':
      return quantities.weightOrMeasure
    case 'kg':
      return quantities.kilograms
    case 'cbm':
      return quantities.cubicMetres
  }
}
