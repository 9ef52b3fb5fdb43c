import { Big } from 'big.js'
import type { Tier } from '../../contract/operator/free-time.js'
import type { FreeTimeCost } from '../../contract/public/free-time.js'
import type { Price } from '../../contract/public/shared-types.js'
import { jsonAmount } from '../invoices/money.js'

/** What so many days cost by their tiers; null if a day has no rate. Days that are not charged yet cost nothing. */
export function costOf(tiers: Tier[] | undefined, days: number): FreeTimeCost | null {
  const [first] = tiers ?? []
  if (!tiers || !first) return null
  const lines: FreeTimeCost['lines'] = []
  let covered = 0
  let sum = new Big(0)
  for (const { from_day, to_day = Number.POSITIVE_INFINITY, amount } of inOrder(tiers)) {
    if (from_day > days) break
    const last = Math.min(to_day, days)
    const count = last - from_day + 1
    const total = new Big(amount).times(count)
    lines.push({ from_day, to_day: last, days: count, per_day: amount, amount: jsonAmount(total) })
    sum = sum.plus(total)
    covered += count
  }
  return covered === days ? { amount: jsonAmount(sum), currency: first.currency, lines } : null
}

/** What one day costs, the first that is charged being 1. */
export function rateOf(tiers: Tier[] | undefined, day: number): Price | null {
  const tier = tiers?.find(({ from_day, to_day }) => from_day <= day && day <= (to_day ?? Number.POSITIVE_INFINITY))
  return tier ? { amount: tier.amount, currency: tier.currency } : null
}

export function inOrder(tiers: Tier[]): Tier[] {
  return tiers.toSorted((one, other) => one.from_day - other.from_day)
}
