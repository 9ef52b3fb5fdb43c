import { Big } from 'big.js'
import { expect } from 'vitest'
import type { InboundLine } from '../../src/contract/public/inbound.js'
import type { TestAccount } from './account.js'

/** What arrives when, of an account. */

const most = 1000

export async function inbound({ call }: TestAccount, query: { since?: string } = {}): Promise<InboundLine[]> {
  const all: InboundLine[] = []
  for (;;) {
    const { status, body } = await call('listInbound', {
      query: { delivered: 'any', take: most, skip: all.length, ...query },
    })
    expect(status).toBe(200)
    all.push(...body)
    if (body.length < most) return all
  }
}

/** What arrives adds up to what is ordered, and agrees with the arrivals of each order. */
export async function expectWholeInbound({ call }: TestAccount, lines: InboundLine[]): Promise<void> {
  const { body: orders } = await call('listPurchaseOrders')
  const shown: string[] = []
  for (const { po_number: reference, purchase_order_lines } of orders) {
    const { body: arrivals } = await call('getOrderArrivals', { params: { reference } })
    for (const { reference: line, ordered_quantity, assigned_order_lines = [] } of purchase_order_lines) {
      const own = lines.filter((each) => each.reference === reference && each.line === line)
      const assigned = total(
        assigned_order_lines
          .filter((each) => each.shipment_status !== 'cancelled')
          .map((each) => each.assigned_quantity),
      )
      expect(total(own.map(({ quantity }) => quantity))).toBe(Math.max(ordered_quantity, assigned))
      const whole = arrivals.lines.find((each) => each.line === line)
      expect(total([whole?.unassigned_quantity ?? 0, assigned])).toBe(Math.max(ordered_quantity, assigned))
      for (const { svc_shipment_id, quantity, expected_date, date_status, days_late } of whole?.arrivals ?? []) {
        shown.push(JSON.stringify([reference, line, svc_shipment_id, quantity, expected_date, date_status, days_late]))
      }
    }
  }
  const assigned = lines.filter(({ svc_shipment_id }) => svc_shipment_id !== undefined)
  const listed = assigned.map((each) =>
    JSON.stringify([
      each.reference,
      each.line,
      each.svc_shipment_id,
      each.quantity,
      each.expected_date,
      each.date_status,
      each.days_late,
    ]),
  )
  expect(listed.toSorted()).toEqual(shown.toSorted())
}

function total(quantities: number[]): number {
  return quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()
}
