import { expect, test } from 'vitest'
import type { AssignedLine } from '../../src/contract/public/purchase-order.js'
import {
  orderProgressOf,
  orderStateOf,
  priceOfLines,
  quantitiesOf,
} from '../../src/domain/purchase-orders/order-quantities.js'

function line(ordered_quantity: number, ...assigned_order_lines: AssignedLine[]) {
  return { ordered_quantity, assigned_order_lines }
}

function assigned(
  assigned_quantity: number,
  shipment_status?: AssignedLine['shipment_status'],
  ...shipped: number[]
): AssignedLine {
  return {
    svc_shipment_id: 'SHP-1',
    assigned_quantity,
    ...(shipment_status && { shipment_status }),
    shipped_order_lines: shipped.map((shipped_quantity) => ({ shipped_quantity })),
  }
}

test('quantities are summed over the lines of an order and their shipments', () => {
  const lines = [line(400, assigned(150, 'in_progress', 100, 40), assigned(50, 'booked')), line(200)]
  expect(quantitiesOf(lines)).toEqual({ ordered: 600, assigned: 200, shipped: 140 })
})

test('quantities are added as exact decimals', () => {
  const lines = [line(0.1, assigned(0.1)), line(0.2, assigned(0.2))]
  expect(quantitiesOf(lines)).toEqual({ ordered: 0.3, assigned: 0.3, shipped: 0 })
})

test('a line without assignments is not assigned', () => {
  expect(quantitiesOf([{ ordered_quantity: 5 }])).toEqual({ ordered: 5, assigned: 0, shipped: 0 })
})

test('an order is open, partly assigned, assigned or shipped', () => {
  expect(orderStateOf({ ordered: 10, assigned: 0, shipped: 0 })).toBe('open')
  expect(orderStateOf({ ordered: 10, assigned: 4, shipped: 4 })).toBe('partly_assigned')
  expect(orderStateOf({ ordered: 10, assigned: 10, shipped: 9 })).toBe('assigned')
  expect(orderStateOf({ ordered: 10, assigned: 10, shipped: 10 })).toBe('shipped')
})

test('quantities have the progress of their shipments, and the rest is unassigned', () => {
  const lines = [
    line(600, assigned(240, 'in_progress'), assigned(60, 'finished')),
    line(100, assigned(20, 'booked'), assigned(10, 'cancelled'), assigned(5)),
  ]
  expect(orderProgressOf(lines)).toEqual({
    ordered: 700,
    unassigned: 375,
    planned: 25,
    under_way: 240,
    delivered: 60,
    cancelled: 10,
  })
})

test('prices are added up per currency', () => {
  const lines = [
    { ordered_quantity: 3, unit_price: { amount: 0.1, currency: 'USD' } },
    { ordered_quantity: 2, unit_price: { amount: 5, currency: 'EUR' } },
    { ordered_quantity: 1, unit_price: { amount: 0.2, currency: 'USD' } },
    { ordered_quantity: 7 },
  ]
  expect(priceOfLines(lines)).toEqual([
    { amount: 0.5, currency: 'USD' },
    { amount: 10, currency: 'EUR' },
  ])
})
