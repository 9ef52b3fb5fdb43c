import { type FreeTimeTerm, FreeTimeTermFields, type Tier } from '../../contract/operator/free-time.js'
import type { Fault } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import { termFaults } from './term-faults.js'

/** Rules of free time as a table: a row a rule. Tiers are one cell, such as `1-5: 55; 6+: 90`, with the currency beside it. */

export const termColumns = [
  'id',
  'direction',
  'clock',
  'carrier',
  'terminal',
  'port',
  'equipment',
  'account',
  'contract',
  'svc_shipment_id',
  'free',
  'unit',
  'start_event',
  'start_rule',
  'stop_event',
  'after_free',
  'currency',
  'rates',
  'label',
  'valid_from',
  'valid_to',
  'source',
] as const

export type TermRow = Record<string, string>

export type ReadRow<Value> = { value: Value; faults: [] } | { value: undefined; faults: Fault[] }

const { faultsIn } = validatorOf(FreeTimeTermFields)

/** Faults name the column as a pointer. */
export function termOfRow(row: TermRow): ReadRow<FreeTimeTerm> {
  const { id = '', equipment, free, currency, rates, ...texts } = row
  const faults: Fault[] = []
  if (id === '' || id.length > 255) faults.push({ pointer: '/id', detail: 'must have 1 to 255 characters' })
  const tiers = tiersOf(rates ?? '', currency ?? '')
  if (!tiers) faults.push({ pointer: '/rates', detail: 'must be written as 1-5: 55; 6+: 90' })
  const given = Object.entries(texts).filter(([, text]) => text !== '')
  const term = {
    ...Object.fromEntries(given.map(([name, text]) => [name, canonical(name, text)])),
    free: /^\d+$/.test(free ?? '') ? Number(free) : free,
    ...(equipment && { equipment: wordsOf(equipment).map(equipmentOf) }),
    ...(tiers && tiers.length > 0 && { tiers }),
  }
  const wrong = faultsIn(term)
  const fields = term as FreeTimeTermFields
  faults.push(...(wrong.length > 0 ? wrong : termFaults(fields)).map(inTable))
  return faults.length > 0 ? { value: undefined, faults } : { value: { id, ...fields }, faults: [] }
}

const upper = new Set(['start_event', 'stop_event', 'port'])
const lower = new Set(['direction', 'clock', 'unit', 'start_rule', 'after_free'])

function canonical(name: string, text: string): string {
  if (upper.has(name)) return text.toUpperCase()
  return lower.has(name) ? text.toLowerCase() : text
}

function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
}

// ISO 6346: the letter of the type, such as 22G1 or 45R1.
const isoTypes: Record<string, string> = {
  G: 'dry',
  V: 'dry',
  R: 'reefer',
  H: 'reefer',
  U: 'open_top',
  P: 'flat_rack',
  T: 'tank',
}

/** A class, or an ISO type code. */
function equipmentOf(word: string): string {
  const [, letter = ''] = /^[0-9A-Z]{2}([A-Z])[0-9A-Z]$/i.exec(word) ?? []
  return isoTypes[letter.toUpperCase()] ?? word.toLowerCase()
}

function tiersOf(rates: string, currency: string): object[] | undefined {
  const parts = rates.split(/[;\n]/).filter((part) => part.trim() !== '')
  if (parts.length > 50) return undefined
  const tiers = parts.map((part) => {
    const [, from, to, amount] =
      /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})|\+)?\s*:\s*(\d{1,9}(?:\.\d{1,9})?)\s*$/.exec(part) ?? []
    if (from === undefined) return undefined
    const isOpen = part.includes('+')
    const to_day = to === undefined ? Number(from) : Number(to)
    return {
      from_day: Number(from),
      ...(!isOpen && { to_day }),
      amount: Number(amount),
      currency: currency.toUpperCase(),
    }
  })
  return tiers.includes(undefined) ? undefined : (tiers as object[])
}

/** Parts of tiers are in the columns of rates and currency. */
function inTable({ pointer, detail }: Fault): Fault {
  if (!pointer.startsWith('/tiers')) return { pointer: `/${pointer.split('/')[1] ?? ''}`, detail }
  const [, , index, field] = pointer.split('/')
  return field === 'currency'
    ? { pointer: '/currency', detail }
    : {
        pointer: '/rates',
        detail: index === undefined ? detail : `tier ${Number(index) + 1}, ${field ?? ''}: ${detail}`,
      }
}

export function rowOfTerm(term: FreeTimeTerm): string[] {
  return termColumns.map((name) => {
    switch (name) {
      case 'equipment':
        return term.equipment?.join(' ') ?? ''
      case 'currency':
        return term.tiers?.[0]?.currency ?? ''
      case 'rates':
        return term.tiers?.map(rateText).join('; ') ?? ''
      default:
        return String(term[name] ?? '')
    }
  })
}

function rateText({ from_day, to_day, amount }: Tier): string {
  const days = to_day === undefined ? `${from_day}+` : `${from_day}-${to_day}`
  return `${days}: ${amount}`
}
