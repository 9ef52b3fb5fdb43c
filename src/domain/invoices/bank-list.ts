import { Big } from 'big.js'
import { type Currency, currencies } from '../../contract/public/shared-types.js'
import { currencyDigits } from './money.js'
import { plainNumber } from './payment-reference.js'

/** Rows as they are copied from a bank statement: date, amount and text in any order, in the formats of several countries. */

export type BankRow = {
  row: number
  text: string
  paid_on: string | undefined
  /** Undefined if the row has none. */
  amount: number | undefined
  currency: Currency
}

// Nobody's row is longer: what is beyond is not read.
const longestRow = 1000

/** A row of money that came in; undefined for headings, and for what went out, which pays no invoice. */
export function readBankRow(line: string, row: number, currency: Currency): BankRow | undefined {
  const trimmed = line.trim().slice(0, longestRow)
  // A heading has no digits.
  if (!/\d/.test(trimmed)) return undefined
  const read = readRow(trimmed, currency)
  if (read.amount !== undefined && read.amount <= 0) return undefined
  return { row, text: trimmed.slice(0, 500), ...read }
}

const known = new Set<string>(currencies)
const isCode = (cell: string | undefined): cell is Currency => cell !== undefined && known.has(cell)

type Amount = { amount: number; currency: Currency; isCertain: boolean }

function readRow(line: string, usual: Currency): Omit<BankRow, 'row' | 'text'> {
  const { cells, isText } = cellsOf(line)
  // In a text, a word may have the letters of a currency: only one beside the amount counts.
  const named = (isText ? undefined : cells.find(isCode)) ?? (line.includes('€') ? 'EUR' : usual)
  const amounts = cells.flatMap((cell, index) => {
    if (readDate(cell) !== undefined) return []
    const beside = [cells[index + 1], cells[index - 1]].find(isCode)
    return readAmount(cell, beside, named) ?? []
  })
  // The first is the amount; another one is the balance after it. A whole number beside a currency may be a reference.
  const first = amounts.find(({ isCertain }) => isCertain) ?? amounts[0]
  return {
    paid_on: cells.flatMap((cell) => readDate(cell) ?? [])[0],
    amount: first?.amount,
    currency: first?.currency ?? named,
  }
}

/** Columns, or the words of a text. */
function cellsOf(line: string): { cells: string[]; isText: boolean } {
  // Spreadsheets copy tabs, banks export semicolons or commas; otherwise columns are separated by two spaces.
  const separator = ['\t', ';'].find((each) => line.includes(each))
  if (separator !== undefined) return { cells: splitAt(separator, line), isText: false }
  const columns = splitAt(',', line)
  if (isCommaSeparated(line, columns)) return { cells: columns, isText: false }
  if (/\s{2,}/.test(line)) return { cells: line.split(/\s{2,}/), isText: false }
  return { cells: joinGroups(line.split(' ').map((word) => word.replace(/[,:]$/, ''))), isText: true }
}

function splitAt(separator: string, line: string): string[] {
  const cells = line.matchAll(new RegExp(`(?:^|${separator})\\s*(?:"((?:[^"]|"")*)"|([^${separator}]*))`, 'g'))
  // A run of blanks becomes one: patterns that end with the cell would look through it from each blank again.
  return [...cells].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim().replaceAll(/\s{2,}/g, ' '),
  )
}

// A comma is also that of decimals: then the amount is quoted, has a decimal point, or is in a currency without decimals.
function isCommaSeparated(line: string, cells: string[]): boolean {
  const isAmount = (cell: string) => /^[+−-]?\d+\.\d+$/.test(cell) || (isCode(cell) && currencyDigits(cell) === 0)
  return cells.some((cell) => readDate(cell) !== undefined) && (line.includes('"') || cells.some(isAmount))
}

/** `1 234,56` is two words. */
function joinGroups(words: string[]): string[] {
  const joined: string[] = []
  let groups: string[] = []
  for (const word of words) {
    if (groups.length > 0 && /^\d{3}[.,]\d{1,3}\D*$/.test(word)) {
      joined.push([...groups, word].join(' '))
      groups = []
    } else if (groups.length > 0 && /^\d{3}$/.test(word)) {
      groups.push(word)
    } else {
      joined.push(...groups)
      groups = /^[+−-]?[1-9]\d{0,2}$/.test(word) ? [word] : []
      if (groups.length === 0) joined.push(word)
    }
  }
  return [...joined, ...groups]
}

/** Day before month, unless only the other order is a date. */
function readDate(cell: string): string | undefined {
  const [, isoYear = '', isoMonth = '', isoDay = ''] = /^(\d{4})[-/.](\d{2})[-/.](\d{2})(?:[T ].*)?$/.exec(cell) ?? []
  if (isoYear !== '') return dateOf(isoYear, isoMonth, isoDay)
  const [, one = '', other = '', year = ''] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})$/.exec(cell) ?? []
  return dateOf(year, other, one) ?? dateOf(year, one, other)
}

function dateOf(year: string, month: string, day: string): string | undefined {
  const date = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const parsed = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(parsed) || new Date(parsed).toISOString().slice(0, 10) !== date ? undefined : date
}

// Money that went out, as banks write it: `-120,00`, `120,00-`, `(120,00)`, `120,00 D` (debit, débit), `120,00 S` (Soll).
const outgoing = /^[-−]|[-−]$|^\(.*\)$|\s(?:DR?|S)$/
const signs = /^[+−-]\s*|\s*[+−-]$|^\(|\)$|\s(?:[DC]R?|[SH])$/g

// The mark of the decimals is not that of the groups.
const threeDecimals = /^(\d[\d '.\u00a0\u202f]*)(,)(\d{3})$|^(\d[\d ',\u00a0\u202f]*)(\.)(\d{3})$/

/**
 * `1.234,56`, `1,234.56`, `1 234,56`, `1234.5`, each with a sign or a currency. Whole numbers need a currency, or a sign before
 * them. Before three digits a single point or comma is that of decimals if the currency has three.
 */
function readAmount(cell: string, beside: Currency | undefined, usual: Currency): Amount | undefined {
  const own = [cell.slice(0, 3), cell.slice(-3)].find(isCode) ?? symbolIn(cell)
  const currency = own ?? beside ?? usual
  const marked = (isCode(own) ? cell.replace(own, '') : cell).replace(/[€$£]/g, '').trim()
  const bare = marked.replace(signs, '')
  const match =
    (currencyDigits(currency) === 3 && threeDecimals.exec(bare)) ||
    /^(\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})*|\d+)(?:([.,])(\d{1,3}))?$/.exec(bare)
  if (!match) return undefined
  const [whole = '', mark, fraction = ''] = match.slice(1).filter((part) => part !== undefined)
  const isCertain = mark !== undefined || marked !== cell || /^[+−-]/.test(marked)
  if (!isCertain && beside === undefined) return undefined
  const digits = whole.replaceAll(/\D/g, '')
  if (digits.length > 12) return undefined
  const amount = new Big(`${digits}.${fraction || '0'}`).times(outgoing.test(marked) ? -1 : 1)
  return { amount: Number(amount), currency, isCertain }
}

function symbolIn(cell: string): Currency | undefined {
  return cell.includes('€') ? 'EUR' : cell.includes('£') ? 'GBP' : undefined
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
