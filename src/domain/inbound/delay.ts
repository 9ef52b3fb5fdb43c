import type { Delay } from '../../contract/public/inbound.js'
import { dateAfter } from '../dates/local-days.js'
import { daysLate } from '../shipments/lateness.js'

/** A part of an order line that is on its way, with the date on which it is expected. */
export type LineOnTheWay = {
  sku: string
  name: string | undefined
  reference: string
  line: string
  svc_shipment_id: string
  quantity: number
  expected_date: string
  desired_date: string | undefined
}

const mostLines = 500

/** Which lines would be late if they came some days later, and which orders that are not late by any line. */
export function simulateDelay(
  lines: LineOnTheWay[],
  lateOrders: ReadonlySet<string>,
  { days, today }: { days: number; today: string },
): Omit<Delay, 'vessel'> {
  const late = lines.flatMap(({ desired_date, name, ...line }) => {
    const delayed_date = dateAfter(line.expected_date, days)
    const lateness = (expected: string) => daysLate({ desired: desired_date, expected, isOver: false }, today) ?? 0
    const days_late = lateness(delayed_date)
    if (days_late <= 0) return []
    return {
      ...line,
      ...(name !== undefined && { name }),
      ...(desired_date !== undefined && { desired_delivery_date: desired_date }),
      delayed_date,
      days_late,
      is_late_now: lateness(line.expected_date) > 0,
    }
  })
  const newlyLate = late.filter(({ is_late_now }) => !is_late_now)
  const lateNow = late.filter(({ is_late_now }) => is_late_now)
  const distinct = (values: string[]) => new Set(values).size
  return {
    shipments: [...new Set(lines.map(({ svc_shipment_id }) => svc_shipment_id))].slice(0, mostLines),
    lines_concerned: lines.length,
    late_lines: [...newlyLate, ...lateNow].slice(0, mostLines),
    newly_late: {
      lines: newlyLate.length,
      orders: distinct(newlyLate.map(({ reference }) => reference).filter((each) => !lateOrders.has(each))),
      skus: distinct(newlyLate.map(({ sku }) => sku)),
    },
  }
}
