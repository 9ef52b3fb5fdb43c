import { readDecimal } from '../../../../src/domain/records/liberal-values.js'

/** Values of a record as people write them into one field: "1,200 kg", "12.5 cbm", "40000 EUR". */

export type FieldKind = 'mode' | 'load' | 'incoterm' | 'transport' | 'location' | 'flag' | 'weight' | 'volume' | 'price'

/** A checked box, as text. */
export const checked = 'yes'

type Quantity = { value?: number; amount?: number; unit?: string; currency?: string }

export function writtenValue(value: unknown, kind: FieldKind | undefined): string {
  if (kind === 'flag') return value === true ? checked : ''
  if (kind === 'weight' || kind === 'volume' || kind === 'price') {
    const { value: number, amount = number, unit, currency = unit } = (value ?? {}) as Quantity
    return amount === undefined ? '' : `${amount} ${currency ?? ''}`.trim()
  }
  return typeof value === 'string' ? value : ''
}

/** What is stored. Text that is no quantity is sent as it is, and refused with the reason. */
export function readValue(text: string, kind: FieldKind | undefined): unknown {
  if (kind === 'flag') return text === checked
  if (kind !== 'weight' && kind !== 'volume' && kind !== 'price') return text
  const [, digits = '', unit = ''] = /^([-\d.,'\s]+)\s*([a-zA-Z³]*)\.?$/.exec(text) ?? []
  const number = readDecimal(digits.trim())
  if (number === undefined) return text
  if (kind === 'price') return { amount: number, currency: unit.toUpperCase() || 'EUR' }
  return { value: number, unit: kind === 'volume' ? 'cbm' : /^lbs?$/i.test(unit) ? 'lbs' : 'kg' }
}
