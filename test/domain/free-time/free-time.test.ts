import { expect, test } from 'vitest'
import type { FreeTimeTerm } from '../../../src/contract/operator/free-time.js'
import type { TrackingRecord } from '../../../src/contract/public/tracking.js'
import { freeTimeOf } from '../../../src/domain/free-time/free-time.js'
import { freeTimeRules } from '../../../src/domain/free-time/free-time-rules.js'
import { clockOfExample, eventsAt, ruled, shipment, tracked, zoneOf } from './support.js'
import { examples } from './worked-examples.js'

test.for(examples)('by hand: $name', (example) => {
  const { cost, ...expected } = example.expected
  const clock = clockOfExample(example)
  expect(clock).toMatchObject(expected)
  expect(clock?.cost?.amount ?? null).toBe(cost)
})

const at = Date.parse('2026-03-06T12:00:00Z')
const discharged = 'DISCHARGED 2026-03-02T14:00:00+01:00'

function rulesOf(given: Partial<FreeTimeTerm>[], of: Partial<typeof shipment> = {}, events = [discharged]): string[] {
  const facts = { account: 'acme', shipment: { ...shipment, ...of }, tracking: tracked('NL/RTM', events) }
  return freeTimeOf(facts, freeTimeRules(given.map(ruled), [], zoneOf), at)
    .filter(({ direction }) => direction === 'import')
    .map(({ clock, rule }) => `${clock} ${rule?.id}`)
}

test('the most specific rule applies: shipment, account, contract, carrier, terminal, port, country, equipment, any', () => {
  const ladder: Partial<FreeTimeTerm>[] = [
    { id: 'shipment', account: 'acme', svc_shipment_id: 'S-1' },
    { id: 'account', account: 'acme' },
    { id: 'contract', contract: 'Q-1' },
    { id: 'carrier and port', carrier: 'northern line', port: 'NL/RTM' },
    { id: 'carrier', carrier: 'Northern-Line' },
    { id: 'port', port: 'NL/RTM' },
    { id: 'country', port: 'NL' },
    { id: 'equipment', equipment: ['dry'] },
    { id: 'newer', valid_from: '2026-01-01' },
    { id: 'any' },
  ]
  const of = { accepted_quote: { id: 'Q-1' }, booking_information: { carrier: 'Northern Line' } }
  for (const [index, { id }] of ladder.entries()) {
    expect(rulesOf(ladder.slice(index).toReversed(), of)).toEqual([`demurrage ${id}`])
  }
})

test('a rule for something else, or not in force on the day of the event, does not apply', () => {
  const others: Partial<FreeTimeTerm>[] = [
    { account: 'other' },
    { account: 'acme', svc_shipment_id: 'S-2' },
    { carrier: 'Southern Line' },
    { port: 'BE/ANR' },
    { port: 'BE' },
    { equipment: ['reefer'] },
    { terminal: 'ECT' },
    { contract: 'Q-2' },
    { valid_from: '2026-03-03' },
    { valid_to: '2026-03-01' },
  ]
  for (const other of others) expect(rulesOf([other])).toEqual(['demurrage undefined'])
  expect(rulesOf([{ valid_from: '2026-03-02', valid_to: '2026-03-02' }])).toHaveLength(1)
})

test('one period for both and one for each do not run at once: the more specific applies', () => {
  const combined = { id: 'c', clock: 'combined', stop_event: 'EMPTY_IN' } as const
  const detention = { id: 't', clock: 'detention', start_event: 'GATE_OUT', stop_event: 'EMPTY_IN' } as const
  expect(rulesOf([{ id: 'd' }, detention, combined])).toEqual(['combined c'])
  expect(rulesOf([{ id: 'd', port: 'NL' }, detention, combined])).toEqual(['demurrage d', 'detention t'])
  expect(rulesOf([{ id: 'd', port: 'NL' }, detention, { ...combined, port: 'NL/RTM' }])).toEqual(['combined c'])
})

test('a rule for demurrage that is more specific than a combined one leaves detention unknown once it has begun', () => {
  const combined = { id: 'c', clock: 'combined', stop_event: 'EMPTY_IN' } as const
  const specific = { id: 'd', port: 'NL/RTM' }
  expect(rulesOf([specific, combined])).toEqual(['demurrage d'])
  const out = [discharged, 'GATE_OUT 2026-03-04T10:00:00+01:00']
  expect(rulesOf([specific, combined], {}, out)).toEqual(['demurrage d', 'detention undefined'])
  const [, detention] = freeTimeOf(
    { account: 'acme', shipment, tracking: tracked('NL/RTM', out) },
    freeTimeRules([specific, combined].map(ruled), [], zoneOf),
    at,
  )
  expect(detention).toMatchObject({ clock: 'detention', state: 'unknown', cost: null })
})

const assumed = { zone: 'assumed' } as const
const ofDay = { precision: 'day' } as const

test.for([
  ['US/LAX', '2026-03-02T00:00:00Z', { ...assumed, ...ofDay }],
  ['US/LAX', '2026-03-02T00:00:00Z', ofDay],
  ['US/LAX', '2026-03-02T03:00:00Z', assumed],
  ['CN/SHA', '2026-03-02T20:00:00Z', assumed],
  ['US/LAX', '2026-03-03T03:00:00Z', { zone: 'given' }],
  ['CN/SHA', '2026-03-01T20:00:00Z', {}],
] as const)('the free days in %s of what was discharged at %s %o begin after 2 March there', ([port, date, more]) => {
  const clockUntil = (...others: NonNullable<ReturnType<typeof eventsAt>[number]['events']>) => {
    const [step] = eventsAt(port, [`DISCHARGED ${date}`])
    const events = [...(step?.events ?? []).map((event) => ({ ...event, ...more })), ...others]
    const tracking = { svc_shipment_id: 'S-1', tracking_steps: [{ ...step, events }] }
    const rules = freeTimeRules([ruled({ free: 3 })], [], zoneOf)
    return freeTimeOf({ account: 'acme', shipment, tracking }, rules, Date.parse('2026-03-20T00:00:00Z'))[0]
  }
  expect(clockUntil()?.last_free_day).toBe('2026-03-05')
  const out = { code: 'GATE_OUT', status: 'actual', ...ofDay } as const
  // The day is that of the port; and what left on the day on which it came has not left before.
  const days = (day: string) => clockUntil({ ...out, date: `${day}T00:00:00Z` })?.days_over
  expect(['2026-03-05', '2026-03-06', '2026-03-07'].map(days)).toEqual([0, 1, 2])
  expect(clockUntil({ ...out, date: '2026-03-02T00:00:00Z' })?.state).toBe('stopped')
})

function clocksOf(tracking: TrackingRecord, of: Partial<typeof shipment> = {}) {
  const rules = freeTimeRules([ruled({}), ruled({ clock: 'storage', id: 's' })], [], zoneOf)
  return freeTimeOf({ account: 'acme', shipment: { ...shipment, ...of }, tracking }, rules, at)
}

test('events that are kept back do not start or stop a clock, and a replaced container keeps its past', () => {
  const [step] = eventsAt('NL/RTM', [discharged])
  const quarantined = { ...step, events: step?.events?.map((event) => ({ ...event, quarantine: 'too early' })) ?? [] }
  const [held] = clocksOf({ svc_shipment_id: 'S-1', tracking_steps: [quarantined] })
  expect(held).toMatchObject({ state: 'not_started' })

  const replaced = {
    ...tracked('NL/RTM', [discharged]),
    replaced_units: [{ container_number: 'MSKU1234565', replaced_by: 'TGHU1234567' }],
  }
  const [clock] = clocksOf(replaced, { cargo: { containers: [{ container_number: 'TGHU1234567' }] } })
  expect(clock).toMatchObject({ container_number: 'TGHU1234567', last_free_day: '2026-03-09' })
})

test('nothing runs for a finished shipment, and there are no clocks for air freight and shared containers', () => {
  const states = (of: Partial<typeof shipment>) =>
    clocksOf(tracked('NL/RTM', [discharged]), of).map((each) => each.state)
  expect(states({})).toEqual(['ending', 'ending'])
  expect(states({ status: 'finished' })).toEqual(['stopped', 'stopped'])
  expect(clocksOf(tracked('NL/RTM', []), { status: 'cancelled' })).toEqual([])
  expect(states({ freight_mode: 'air' })).toEqual([])
  expect(states({ load_type: 'lcl' })).toEqual([])
})

test('an empty container that is still out of a finished shipment goes on to cost, unless it was finished when first seen', () => {
  const detention = ruled({ clock: 'detention', start_event: 'GATE_OUT', stop_event: 'EMPTY_IN', free: 1 })
  const stateOf = (events: string[], status: typeof shipment.status, wasFinished?: boolean) =>
    freeTimeOf(
      {
        account: 'acme',
        shipment: { ...shipment, status },
        tracking: tracked('NL/RTM', events),
        ...(wasFinished !== undefined && { wasFinished }),
      },
      freeTimeRules([detention], [], zoneOf),
      at,
    ).find(({ clock }) => clock === 'detention')?.state
  const out = [discharged, 'GATE_OUT 2026-03-03T14:00:00+01:00']
  expect(stateOf(out, 'finished')).toBe('expired')
  expect(stateOf(out, 'finished', true)).toBe('stopped')
  expect(stateOf(out, 'cancelled')).toBe('stopped')
  expect(stateOf([...out, 'EMPTY_IN 2026-03-05T14:00:00+01:00'], 'finished')).toBe('stopped')
  expect(stateOf([discharged], 'finished')).toBeUndefined()
})

test('a given last free day runs a clock without a rule, and days granted after it extend it', () => {
  const given = { direction: 'import', clock: 'demurrage', reason: 'Mail', source: 'person' } as const
  const facts = [
    { ...given, id: 'a', recorded_at: '2026-03-02T00:00:00Z', extra_days: 5 },
    { ...given, id: 'b', recorded_at: '2026-03-03T00:00:00Z', last_free_day: '2026-03-08' },
    { ...given, id: 'c', recorded_at: '2026-03-04T00:00:00Z', extra_days: 2 },
  ]
  const tracking = { ...tracked('NL/RTM', [discharged]), free_time: facts }
  const [clock] = freeTimeOf({ account: 'acme', shipment, tracking }, freeTimeRules([], [], zoneOf), at)
  expect(clock).toMatchObject({
    state: 'running',
    last_free_day: '2026-03-10',
    last_free_day_source: 'person',
    cost: null,
  })
  expect(clock).not.toHaveProperty('difference_days')
})

test('a full container that comes back to the terminal has left it when it leaves again', () => {
  const [demurrage, detention] = [
    ruled({ free: 5 }),
    ruled({ id: 'outside', clock: 'detention', start_event: 'GATE_OUT', stop_event: 'EMPTY_IN', free: 5 }),
  ]
  const arriving = (events: string[]) => {
    const steps = eventsAt('NL/RTM', [discharged, ...events])
    return {
      svc_shipment_id: 'S-1',
      tracking_steps: steps.map((step) => ({ ...step, type: 'destination_port' as const })),
    }
  }
  const clocksAfter = (events: string[]) =>
    freeTimeOf(
      { account: 'acme', shipment, tracking: arriving(events) },
      freeTimeRules([demurrage, detention], [], zoneOf),
      Date.parse('2026-03-20T12:00:00+01:00'),
    )
      .filter(({ direction }) => direction === 'import')
      .map(({ clock, started_at, stopped_at, days_over }) => [clock, started_at, stopped_at, days_over])
  const [left, back, again] = ['2026-03-04T10:00:00+01:00', '2026-03-04T16:00:00+01:00', '2026-03-09T10:00:00+01:00']
  const twice = [`GATE_OUT ${left}`, `GATE_IN ${back}`, `GATE_OUT ${again}`]
  expect(clocksAfter(twice)).toMatchObject([
    ['demurrage', expect.any(String), again, 2],
    ['detention', again, undefined, 6],
  ])
  // What was emptied outside came back to be returned.
  expect(clocksAfter([`GATE_OUT ${left}`, 'STRIPPED 2026-03-04T12:00:00+01:00', ...twice.slice(1)])).toMatchObject([
    ['demurrage', expect.any(String), left, 0],
    ['detention', left, undefined, 11],
  ])
})

test('containers of one shipment are returned one by one, each by its own days', () => {
  const other = 'TGHU1234567'
  // Free: 6 to 10 for the first, which came back on the 9th; 7 to 11 for the other, which is still out on the 13th.
  const [step] = eventsAt('NL/RTM', [
    discharged,
    'GATE_OUT 2026-03-05T10:00:00+01:00',
    'EMPTY_IN 2026-03-09T10:00:00+01:00',
  ])
  const [rest] = eventsAt('NL/RTM', [discharged, 'GATE_OUT 2026-03-06T10:00:00+01:00'])
  const ofOther = (rest?.events ?? []).map((event) => ({ ...event, container_number: other }))
  const tracking = {
    svc_shipment_id: 'S-1',
    tracking_steps: [{ ...step, events: [...(step?.events ?? []), ...ofOther] }],
  }
  const tiers = [{ from_day: 1, amount: 30, currency: 'EUR' as const }]
  const detention = ruled({ clock: 'detention', start_event: 'GATE_OUT', stop_event: 'EMPTY_IN', free: 5, tiers })
  const cargo = { containers: [{ container_number: 'MSKU1234565' }, { container_number: other }] }
  const clocks = freeTimeOf(
    { account: 'acme', shipment: { ...shipment, cargo }, tracking },
    freeTimeRules([detention], [], zoneOf),
    Date.parse('2026-03-13T12:00:00+01:00'),
  )
  expect(
    clocks
      .filter(({ clock }) => clock === 'detention')
      .map((each) => [each.container_number, each.state, each.last_free_day, each.days_over, each.cost?.amount]),
  ).toEqual([
    ['MSKU1234565', 'stopped', '2026-03-10', 0, 0],
    [other, 'expired', '2026-03-11', 2, 60],
  ])
})
