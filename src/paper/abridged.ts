import { Big } from 'big.js'
import type { InvoiceLine } from '../contract/invoice.js'
import type { Price } from '../contract/shared-types.js'
import { jsonAmount } from '../domain/money.js'

/**
 * What is printed of an invoice that is longer than anybody reads: pages are laid out letter by letter, and each row
 * and letter takes its time. Nothing that operators write is so long that its lines are left out.
 */

const mostLines = 1000
const mostSums = 200
const longest = { description: 1000, category: 100, unit: 100 }
// Of all lines together, about a hundred pages. Where there is more, all long ones are cut shorter.
const mostLetters = 200_000

export function abridgeLines(given: InvoiceLine[]): { lines: InvoiceLine[]; leftOut: number } {
  let share = 1
  let lines = given.slice(0, mostLines).map((line) => cutLine(line, share))
  while (lettersOf(lines) > mostLetters) {
    share /= 2
    lines = lines.map((line) => cutLine(line, share))
  }
  return { lines, leftOut: given.length - lines.length }
}

function cutLine(line: InvoiceLine, share: number): InvoiceLine {
  const { category, description, quantity } = line
  return {
    ...line,
    category: cut(category, longest.category * share),
    description: cut(description, longest.description * share),
    quantity: quantity && { ...quantity, unit: cut(quantity.unit, longest.unit * share) },
  }
}

// No half of a character is left over.
function cut(text: string | undefined, length: number): string | undefined {
  if (text === undefined || text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function lettersOf(lines: InvoiceLine[]): number {
  return lines.reduce(
    (sum, { category = '', description = '', quantity }) =>
      sum + category.length + description.length + (quantity?.unit ?? '').length,
    0,
  )
}

export type Sum = { label: string; price: Price; strong?: boolean }

/** Those of one currency; the last ones as one, where there are very many. */
export function abridgeSums(sums: Sum[], labelOf: (count: number) => string): Sum[] {
  const rest = sums.slice(mostSums)
  const [one] = rest
  if (!one) return sums
  const amount = rest.reduce((sum, { price }) => sum.plus(price.amount), new Big(0))
  const price = { amount: jsonAmount(amount), currency: one.price.currency }
  return [...sums.slice(0, mostSums), { label: labelOf(rest.length), price }]
}
