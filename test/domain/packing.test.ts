import { expect, test } from 'vitest'
import { lineDifferences, quantityAt, unitOf, withChosen, withMoved } from '../../src/domain/purchase-orders/packing.js'

/** Order lines between shipment and containers: nothing is lost on the way. */

const one = unitOf('TGHU7599330')
const two = unitOf('CSQU3054383')
const packed = (container_number: string, shipped_quantity: number) => ({ container_number, shipped_quantity })

test('an open quantity is assigned, packed, and leaves the shipment again', () => {
  const assigned = withMoved(undefined, 'open', 'loose', 0.3)
  expect(assigned).toEqual({ assigned_quantity: 0.3, shipped_order_lines: [] })
  const some = withMoved(assigned, 'loose', one, 0.1)
  expect(some).toEqual({ assigned_quantity: 0.3, shipped_order_lines: [packed('TGHU7599330', 0.1)] })
  // Exact decimals: 0.3 - 0.1 is 0.2.
  expect(some && quantityAt(some, 'loose')).toBe(0.2)
  const more = withMoved(some, 'open', one, 0.2)
  expect(more).toEqual({ assigned_quantity: 0.5, shipped_order_lines: [packed('TGHU7599330', 0.3)] })
  expect(withMoved(more, one, 'open', 0.3)).toEqual({ assigned_quantity: 0.2, shipped_order_lines: [] })
  expect(withMoved(assigned, 'loose', 'open', 0.3)).toBeUndefined()
})

test('weights and packages are divided with the quantity, and add up to the whole', () => {
  const whole = { ...packed('TGHU7599330', 9), gross_weight: 100, number_of_packages: 5, weight_unit: 'kg' as const }
  const before = { assigned_quantity: 9, shipped_order_lines: [whole], over_shipment_reason: 'Agreed' }
  expect(withMoved(before, one, two, 3)).toEqual({
    ...before,
    shipped_order_lines: [
      { ...whole, shipped_quantity: 6, gross_weight: 66.667, number_of_packages: 3 },
      { ...whole, ...packed('CSQU3054383', 3), gross_weight: 33.333, number_of_packages: 2 },
    ],
  })
  // A whole entry keeps its figures, beside another of the line that is there already.
  const beside = { ...before, assigned_quantity: 10, shipped_order_lines: [packed('CSQU3054383', 1), whole] }
  expect(withMoved(beside, one, two, 9)?.shipped_order_lines).toEqual([
    packed('CSQU3054383', 1),
    { ...whole, container_number: 'CSQU3054383' },
  ])
})

test('of two versions only the chosen quantities of the own one are taken', () => {
  const base = { assigned_quantity: 10, shipped_order_lines: [packed('TGHU7599330', 4)] }
  const mine = withMoved(base, 'loose', one, 2)
  const theirs = withMoved(withMoved(base, 'loose', two, 3), 'loose', 'open', 1)
  const differences = lineDifferences(base, mine, theirs)
  expect(differences).toEqual([
    { place: 'assigned', mine: 10, theirs: 9, isMine: false },
    { place: one, mine: 6, theirs: 4, isMine: true },
    { place: two, mine: 0, theirs: 3, isMine: false },
  ])
  expect(withChosen(mine, theirs, new Set([one]))).toEqual({
    assigned_quantity: 9,
    shipped_order_lines: [packed('CSQU3054383', 3), packed('TGHU7599330', 6)],
  })
  expect(withChosen(undefined, theirs, new Set(['assigned']))).toBeUndefined()
})
