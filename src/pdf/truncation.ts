import { Big } from 'big.js'
import type { InvoiceLine } from '../contract/public/invoice.js'
import type { Price } from '../contract/public/shared-types.js'
import { jsonAmount } from '../domain/invoices/money.js'

/**
 * Limits for very long invoices, because layout time grows with rows and characters. Invoices created by operators stay
 * within the line limit.
 */

const maxLines = 1000
const maxSums = 200
const maxLengths = { description: 1000, category: 100, unit: 100 }
// For all lines together, about a hundred pages. Above this, long texts are truncated further.
const maxCharacters = 200_000

export function truncateLines(given: InvoiceLine[]): { lines: InvoiceLine[]; leftOut: number } {
  let share = 1
  let lines = given.slice(0, maxLines).map((line) => truncateLine(line, share))
  while (charactersOf(lines) > maxCharacters) {
    share /= 2
    lines = lines.map((line) => truncateLine(line, share))
  }
  return { lines, leftOut: given.length - lines.length }
}

function truncateLine(line: InvoiceLine, share: number): InvoiceLine {
  const { category, description, quantity } = line
  return {
    ...line,
    category: truncate(category, maxLengths.category * share),
    description: truncate(description, maxLengths.description * share),
    quantity: quantity && { ...quantity, unit: truncate(quantity.unit, maxLengths.unit * share) },
  }
}

// Does not split a surrogate pair.
function truncate(text: string | undefined, length: number): string | undefined {
  if (text === undefined || text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function charactersOf(lines: InvoiceLine[]): number {
  return lines.reduce(
    (sum, { category = '', description = '', quantity }) =>
      sum + category.length + description.length + (quantity?.unit ?? '').length,
    0,
  )
}

export type Sum = { label: string; price: Price; strong?: boolean }

/** Combines the last sums into one if there are very many. All must have the same currency. */
export function combineSums(sums: Sum[], labelOf: (count: number) => string): Sum[] {
  const rest = sums.slice(maxSums)
  const [first] = rest
  if (!first) return sums
  const amount = rest.reduce((sum, { price }) => sum.plus(price.amount), new Big(0))
  const price = { amount: jsonAmount(amount), currency: first.price.currency }
  return [...sums.slice(0, maxSums), { label: labelOf(rest.length), price }]
}
