import type { ShipmentVersion } from '../../../../src/contract/operator/shipments.js'
import type { OfficeMessages } from '../../i18n/messages.js'
import { type FieldKind, readValue, writtenValue } from './field-values.js'

/** The fields of a shipment that the form edits, each by its path in the record. */

export type FieldGroup = 'shipment' | 'parties' | 'booking' | 'cargo'

export type EditedField = {
  path: readonly string[]
  text: keyof OfficeMessages['file']
  group: FieldGroup
  type?: 'date'
  kind?: FieldKind
  /** Has a column in the grid. */
  isColumn?: true
}

const fields = [
  { group: 'shipment', path: ['name'], text: 'name', isColumn: true },
  { group: 'shipment', path: ['freight_mode'], text: 'mode', kind: 'mode' },
  { group: 'shipment', path: ['load_type'], text: 'load', kind: 'load' },
  { group: 'shipment', path: ['incoterm'], text: 'incoterm', kind: 'incoterm' },
  { group: 'shipment', path: ['cargo_ready_date'], text: 'ready', type: 'date', isColumn: true },
  { group: 'shipment', path: ['desired_delivery_date'], text: 'desired', type: 'date', isColumn: true },
  { group: 'parties', path: ['freight_type'], text: 'transport', kind: 'transport' },
  { group: 'parties', path: ['route', 'pickup_location_id'], text: 'shipper', kind: 'location' },
  { group: 'parties', path: ['route', 'origin_port_unlocode'], text: 'origin', isColumn: true },
  { group: 'parties', path: ['route', 'destination_port_unlocode'], text: 'destination', isColumn: true },
  { group: 'parties', path: ['route', 'delivery_location_id'], text: 'consignee', kind: 'location' },
  { group: 'booking', path: ['booking_information', 'carrier'], text: 'carrier', isColumn: true },
  { group: 'booking', path: ['booking_information', 'master_bill'], text: 'masterBill', isColumn: true },
  { group: 'booking', path: ['booking_information', 'house_bill'], text: 'houseBill', isColumn: true },
  {
    group: 'booking',
    path: ['booking_information', 'ocean_booking', 'booking_number'],
    text: 'booking',
    isColumn: true,
  },
  { group: 'booking', path: ['booking_information', 'ocean_booking', 'vessel'], text: 'vessel', isColumn: true },
  { group: 'booking', path: ['booking_information', 'ocean_booking', 'voyage'], text: 'voyage', isColumn: true },
  { group: 'booking', path: ['booking_information', 'air_booking', 'flight_number'], text: 'flight' },
  {
    group: 'booking',
    path: ['booking_information', 'air_booking', 'chargeable_weight'],
    text: 'chargeable',
    kind: 'weight',
  },
  { group: 'cargo', path: ['transported_goods', 'goods_description'], text: 'goods' },
  { group: 'cargo', path: ['cargo', 'total_weight'], text: 'weight', kind: 'weight' },
  { group: 'cargo', path: ['cargo', 'total_volume'], text: 'volume', kind: 'volume' },
  { group: 'cargo', path: ['commercial_value'], text: 'value', kind: 'price' },
  { group: 'cargo', path: ['transported_goods', 'is_hazardous'], text: 'hazardous', kind: 'flag' },
  { group: 'cargo', path: ['transported_goods', 'hazardous_description'], text: 'hazardClass' },
  { group: 'cargo', path: ['transported_goods', 'needs_controlled_temperature'], text: 'cooled', kind: 'flag' },
  { group: 'cargo', path: ['transported_goods', 'temperature_range_description'], text: 'temperatures' },
  { group: 'cargo', path: ['specific_instructions'], text: 'instructions' },
] as const satisfies EditedField[]

export type FieldName = (typeof fields)[number]['text']
export type Values = Record<FieldName, string>
export type ShipmentField = EditedField & { text: FieldName }
type Stored = ShipmentVersion['record']

const all: readonly ShipmentField[] = fields

export const fieldNames: readonly FieldName[] = all.map(({ text }) => text)

/** Those that concern a shipment of this mode. */
export function fieldsOf({ freight_mode }: Pick<Stored, 'freight_mode'>): ShipmentField[] {
  const left = freight_mode === 'air' ? ['ocean_booking'] : freight_mode === 'ocean' ? ['air_booking'] : []
  const isOnLand = freight_mode === 'rail' || freight_mode === 'truck'
  const leftOut = new Set(isOnLand ? ['ocean_booking', 'air_booking'] : left)
  return all.filter(({ path }) => !path.some((name) => leftOut.has(name)))
}

export function valuesOf(record: Stored): Values {
  return Object.fromEntries(
    all.map(({ path, text, kind }) => [text, writtenValue(valueAt(record, path), kind)]),
  ) as Values
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], record)
}

/** The fields that have a column of their own, in the order of the columns. */
export const columnFields: ShipmentField[] = all.filter(({ isColumn }) => isColumn)

/** A merge patch with the values that differ. Empty ones are removed. */
export function patchOf(before: Values, after: Values): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const { path, text, kind } of all) {
    const value = after[text].trim()
    if (value === before[text]) continue
    let inner = patch
    for (const name of path.slice(0, -1)) inner = (inner[name] ??= {}) as Record<string, unknown>
    inner[path.at(-1) as string] = value === '' ? null : readValue(value, kind)
  }
  return patch
}

/** The field of a fault, which may lie within its value. */
export function faultOf({ path }: EditedField, faults: Record<string, string>): string | undefined {
  const pointer = `/${path.join('/')}`
  return Object.entries(faults).find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1]
}
