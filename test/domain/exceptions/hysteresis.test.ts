import { expect, test } from 'vitest'
import type { Condition } from '../../../src/domain/exceptions/condition.js'
import { nextVersion } from '../../../src/domain/exceptions/episodes.js'
import { evaluateOrder, type OrderFacts } from '../../../src/domain/exceptions/order-rules.js'
import { effectiveRules } from '../../../src/domain/exceptions/thresholds.js'
import { actual, expected, found, type Given } from '../../support/exception-facts.js'

/** What is raised takes more to be cleared than not to be raised, and what was accepted comes back when it has grown. */

const departed = { origin: [actual('DEPARTED', '2026-03-19T12:00:00Z')] }
const now = '2026-03-20T00:00:00Z'

// Desired on 5 April. A day without a time is in time on that day.
const moves: [date: string, raised: 'warning' | 'critical' | undefined, then: string | undefined][] = [
  ['2026-04-05T23:00:00+02:00', undefined, undefined],
  ['2026-04-06T01:00:00+02:00', undefined, 'warning 1'],
  ['2026-04-05T23:00:00+02:00', 'warning', 'warning 0'],
  ['2026-04-05T18:00:00+02:00', 'warning', 'warning 0'],
  ['2026-04-05T17:59:00+02:00', 'warning', undefined],
  ['2026-04-05T00:00:00+02:00', 'warning', undefined],
  ['2026-04-08T23:00:00+02:00', undefined, 'warning 3'],
  ['2026-04-08T23:00:00+02:00', 'warning', 'warning 3'],
  ['2026-04-09T01:00:00+02:00', 'warning', 'critical 4'],
  ['2026-04-08T23:00:00+02:00', 'critical', 'critical 3'],
  ['2026-04-08T17:59:00+02:00', 'critical', 'warning 3'],
]

test.each(moves)(
  'a shipment desired on 5 April and expected on %s, raised before: %s, is late: %s',
  (date, raised, then) => {
    const given: Given = {
      shipment: { desired_delivery_date: '2026-04-05' },
      events: { ...departed, destination: [expected('ARRIVED', date, { issued_at: '2026-03-19T00:00:00Z' })] },
      raised: raised ? [{ kind: 'late', severity: raised }] : [],
    }
    const [late] = found('late', now, given)
    expect(late && `${late.severity} ${late.details.days}`).toBe(then)
  },
)

test.each(moves)(
  'an order desired on 5 April and expected on %s, raised before: %s, is at risk: %s',
  (date, raised, then) => {
    const facts: OrderFacts = {
      po_number: 'PO',
      desired_delivery_date: '2026-04-05',
      desired_ex_factory_date: undefined,
      isCancelled: false,
      lines: [
        {
          po_number: 'PO',
          line: '1',
          sku: 'A',
          desired_date: '2026-04-05',
          ordered: 5,
          assignments: [{ svc_shipment_id: 'S', assigned: 5, packed: [] }],
        },
      ],
      shipments: new Map([
        [
          'S',
          {
            svc_shipment_id: 'S',
            status: 'in_progress',
            main_tracking_dates: { delivery_date: { date, status: 'estimated' } },
          },
        ],
      ]),
      events: new Map(),
      raised: raised ? [{ kind: 'order_at_risk', topic: 'late', severity: raised }] : [],
      knownSince: 0,
      thresholds: effectiveRules().thresholds,
      now: Date.parse(now),
    }
    const [risk] = evaluateOrder(facts).conditions
    expect(risk && `${risk.severity} ${risk.details.days}`).toBe(then)
  },
)

const accepted = (condition: Condition) => {
  const record = nextVersion('t', undefined, condition, circumstances)
  if (!record) throw new Error('nothing was raised')
  const closed = { how: 'accepted', at: new Date(circumstances.now).toISOString(), by: 'person:kim' } as const
  return { ...record, state: 'closed' as const, closed }
}
const circumstances = {
  now: Date.parse('2026-03-01T00:00:00Z'),
  isFirst: false,
  isHistory: false,
  knownSince: 0,
  isVisible: true,
}
const risk = (topic: string, reason_key: Condition['reason_key'], details: Condition['details']): Condition => ({
  kind: 'order_at_risk',
  topic,
  po_number: 'PO',
  severity: 'critical',
  reason_key,
  details,
  evidence: [],
  threatens: [],
})
const late = (days?: number) =>
  risk('late', 'order_late', { desired_date: '2026-02-25', ...(days !== undefined && { days }) })
const short = (quantity: number) => risk('short', 'order_short', { quantity })

test.each([
  ['4 days late, now 7', late(4), late(7), '2026-03-01', undefined],
  ['4 days late, now 8', late(4), late(8), '2026-03-01', 2],
  ['4 days late, now 40', late(4), late(40), '2026-03-01', 2],
  ['4 days late, now 7 by the day', late(4), late(), '2026-03-04', undefined],
  ['4 days late, now 8 by the day', late(4), late(), '2026-03-05', 2],
  ['100 short, now 110', short(100), short(110), '2026-03-01', undefined],
  ['100 short, now 111', short(100), short(111), '2026-03-01', 2],
])('an order that was accepted as %s comes back if it has grown', (_name, before, after, at, episode) => {
  const version = nextVersion('t', accepted(before), after, { ...circumstances, now: Date.parse(at) })
  expect(version?.episode).toBe(episode)
})

test('an event that does not say when it was issued is news from when it was received', () => {
  const given: Given = {
    events: {
      origin: [actual('DEPARTED', '2026-03-02T12:00:00Z')],
      destination: [{ code: 'ARRIVED', status: 'estimated', date: '2026-04-01T00:00:00Z' }],
    },
  }
  expect(found('no_news', now, given)).toHaveLength(1)
  const received = (at: string) => ({ ...given, lastReceived: Date.parse(at) })
  expect(found('no_news', now, received('2026-03-15T00:00:01Z'))).toEqual([])
  expect(found('no_news', now, received('2026-03-15T00:00:00Z'))).toHaveLength(1)
})

test.each([
  ['two sources', 'A', 'B', 1],
  ['one source, which corrects itself', 'A', 'A', 0],
  ['a source and none', 'A', undefined, 1],
  ['no sources', undefined, undefined, 1],
])('arrivals 20 hours apart by %s', (_name, one, other, count) => {
  const source = (name: string | undefined) => (name === undefined ? {} : { source: name })
  const destination = [
    actual('ARRIVED', '2026-03-18T00:00:00Z', source(one)),
    actual('ARRIVED', '2026-03-18T20:00:00Z', source(other)),
  ]
  expect(found('conflict', now, { events: { destination } })).toHaveLength(count)
})
