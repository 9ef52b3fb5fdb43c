import type { ShipmentVersion } from '../../../../src/contract/operator/shipments.js'
import type { OfficeMessages } from '../../i18n/messages.js'

/** The fields of a shipment that the form edits, each by its path in the record. */

export type EditedField = { path: readonly string[]; text: keyof OfficeMessages['file']; type?: 'date' }

const fields = [
  { path: ['name'], text: 'name' },
  { path: ['cargo_ready_date'], text: 'ready', type: 'date' },
  { path: ['desired_delivery_date'], text: 'desired', type: 'date' },
  { path: ['route', 'origin_port_unlocode'], text: 'origin' },
  { path: ['route', 'destination_port_unlocode'], text: 'destination' },
  { path: ['booking_information', 'carrier'], text: 'carrier' },
  { path: ['booking_information', 'master_bill'], text: 'masterBill' },
  { path: ['booking_information', 'house_bill'], text: 'houseBill' },
  { path: ['booking_information', 'ocean_booking', 'booking_number'], text: 'booking' },
  { path: ['booking_information', 'ocean_booking', 'vessel'], text: 'vessel' },
  { path: ['booking_information', 'ocean_booking', 'voyage'], text: 'voyage' },
  { path: ['specific_instructions'], text: 'instructions' },
] as const satisfies EditedField[]

export type FieldName = (typeof fields)[number]['text']
export type Values = Record<FieldName, string>
type Stored = ShipmentVersion['record']

export function fieldsOf({ freight_mode }: Stored): (EditedField & { text: FieldName })[] {
  const isOcean = freight_mode === undefined || freight_mode === 'ocean'
  return fields.filter(({ path }) => isOcean || !(path as readonly string[]).includes('ocean_booking'))
}

export function valuesOf(record: Stored): Values {
  return Object.fromEntries(fields.map(({ path, text }) => [text, valueAt(record, path)])) as Values
}

function valueAt(record: unknown, path: readonly string[]): string {
  const value = path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], record)
  return typeof value === 'string' ? value : ''
}

/** The fields that have a column of their own, in the order of the columns. */
export const columnFields: (EditedField & { text: FieldName })[] = fields.filter(({ text }) => text !== 'instructions')

/** A merge patch with the values that differ. Empty ones are removed. */
export function patchOf(before: Values, after: Values): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const { path, text } of fields) {
    const value = after[text].trim()
    if (value === before[text]) continue
    let inner = patch
    for (const name of path.slice(0, -1)) inner = (inner[name] ??= {}) as Record<string, unknown>
    inner[path.at(-1) as string] = value === '' ? null : value
  }
  return patch
}

export type Difference = { text: FieldName; mine: string; theirs: string; isMine: boolean }

/** Where this person's values and those that were stored meanwhile differ. What only one of them changed is kept. */
export function differencesOf(base: Values, mine: Values, theirs: Values): Difference[] {
  return fields
    .map(({ text }) => ({
      text,
      mine: mine[text].trim(),
      theirs: theirs[text],
      isMine: mine[text].trim() !== base[text] && theirs[text] === base[text],
    }))
    .filter((each) => each.mine !== each.theirs)
}
