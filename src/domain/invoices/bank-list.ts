import { Big } from 'big.js'
import { type Currency, currencies } from '../../contract/public/shared-types.js'
import { plainNumber } from './payment-reference.js'

/** Rows as they are copied from a bank statement: date, amount and text in any order, in the formats of several countries. */

export type BankRow = {
  row: number
  text: string
  paid_on: string | undefined
  /** Undefined if there is none, or more than one. */
  amount: number | undefined
  currency: Currency
}

export function readBankList(text: string, currency: Currency): BankRow[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim()
    // A heading has no digits.
    if (!/\d/.test(trimmed)) return []
    return [{ row: index + 1, text: trimmed.slice(0, 500), ...readRow(trimmed, currency) }]
  })
}

const known = new Set<string>(currencies)

function readRow(line: string, usual: Currency): Omit<BankRow, 'row' | 'text'> {
  const cells = cellsOf(line)
  const dates = cells.flatMap((cell) => readDate(cell) ?? [])
  const amounts = cells.filter((cell) => readDate(cell) === undefined).flatMap((cell) => readAmount(cell) ?? [])
  const named = /\b([A-Z]{3})\b/g
  const currency = [...line.matchAll(named)].map(([, code]) => code ?? '').find((code) => known.has(code))
  return {
    paid_on: dates[0],
    // The first is the amount; another one is the balance after it.
    amount: amounts.find((amount) => amount > 0),
    currency: (currency as Currency | undefined) ?? (line.includes('€') ? 'EUR' : usual),
  }
}

// Spreadsheets copy tabs, banks export semicolons; otherwise columns are separated by two spaces, or words by one.
function cellsOf(line: string): string[] {
  const separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : /\s{2,}/.test(line) ? /\s{2,}/ : / /
  return line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
}

function readDate(cell: string): string | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(cell)
  const local = /^(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})$/.exec(cell)
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]]
    : local
      ? [local[3]?.padStart(4, '20'), local[2]?.padStart(2, '0'), local[1]?.padStart(2, '0')]
      : []
  const date = `${year}-${month}-${day}`
  const parsed = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(parsed) || new Date(parsed).toISOString().slice(0, 10) !== date ? undefined : date
}

/** `1.234,56`, `1,234.56`, `1 234,56`, `1234.5`, each with a sign or a currency. Whole numbers need one of these. */
function readAmount(cell: string): number | undefined {
  const bare = cell.replace(/^[A-Z]{3}\s*|\s*[A-Z]{3}$|[€$£]/g, '').trim()
  const isMarked = bare !== cell.trim()
  const match = /^([+-]?)(\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})*|\d+)(?:([.,])(\d{1,3}))?$/.exec(bare)
  if (!match) return undefined
  const [, sign = '', whole = '', mark, fraction = ''] = match
  if (mark === undefined && !isMarked && sign === '') return undefined
  const digits = whole.replaceAll(/\D/g, '')
  if (digits.length > 12) return undefined
  return Number(new Big(`${digits}.${fraction || '0'}`).times(sign === '-' ? -1 : 1))
}

const longestNumber = 5

/** What may be the number of an invoice: words, and words that follow each other, without punctuation. */
export function numbersIn(text: string): string[] {
  const words = text
    .toUpperCase()
    .split(/[\s;,:|]+/)
    .map(plainNumber)
    .filter(Boolean)
  const joined = words.flatMap((_, start) =>
    Array.from({ length: longestNumber }, (__, length) => words.slice(start, start + length + 1).join('')),
  )
  const unprefixed = joined.flatMap((each) => /^RF\d\d(.+)$/.exec(each)?.[1] ?? [])
  return [...new Set([...joined, ...unprefixed])].filter((each) => each.length >= 4 && each.length <= 60)
}
