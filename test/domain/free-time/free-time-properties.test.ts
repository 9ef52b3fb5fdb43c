import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FreeTimeTerm, Tier, WorkingDays } from '../../../src/contract/operator/free-time.js'
import type { FreeTimeFact } from '../../../src/contract/public/free-time.js'
import { dateOfDay, dayNumber, dayOf, startOfDay } from '../../../src/domain/dates/local-days.js'
import { freeTimeOf } from '../../../src/domain/free-time/free-time.js'
import { freeTimeRules } from '../../../src/domain/free-time/free-time-rules.js'
import { ruled, shipment, tracked } from './support.js'

/** The same by a plain count, day by day, on dates as text. */

const zones = [
  'Europe/Amsterdam',
  'America/Los_Angeles',
  'America/Santiago',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
]

const formats = new Map(zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone })]))
const dateIn = (zone: string, instant: number) => formats.get(zone)?.format(instant) as string
const shifted = (date: string, days: number) =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

type Case = {
  zone: string
  term: FreeTimeTerm
  calendar: WorkingDays
  start: number
  hours: number
  extra: number[]
}

function plainCount({ zone, term, calendar, start, hours, extra }: Case) {
  const kindOf = (date: string) => calendar.days.find((each) => each.date === date)?.kind
  const weekday = (date: string) => new Date(`${date}T12:00:00Z`).getUTCDay() || 7
  const isWorking = (date: string) =>
    kindOf(date) ? kindOf(date) === 'working' : !calendar.weekend?.includes(weekday(date))
  let date = dateIn(zone, start)
  if (term.start_rule !== 'same_day') date = shifted(date, 1)
  while (term.start_rule === 'next_working_day' && !isWorking(date)) date = shifted(date, 1)
  let last = shifted(date, -1)
  for (let left = term.free + extra.reduce((sum, each) => sum + each, 0); left > 0; date = shifted(date, 1)) {
    last = date
    if (term.unit === 'calendar_days' || isWorking(date)) left -= 1
  }
  let over = 0
  let cents = 0
  const end = dateIn(zone, start + hours * 3_600_000)
  for (let each = shifted(last, 1); each <= end; each = shifted(each, 1)) {
    if (term.after_free === 'working' ? !isWorking(each) : kindOf(each) === 'closure') continue
    over += 1
    const tier = term.tiers?.find(({ from_day, to_day = 9999 }) => from_day <= over && over <= to_day)
    cents += Math.round((tier?.amount ?? 0) * 100)
  }
  return { last, over, cents }
}

const day = fc.integer({ min: 0, max: 120 })
const amount = fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100)
const tiers = fc.tuple(fc.integer({ min: 1, max: 10 }), amount, amount).map(([to_day, first, then]): Tier[] => [
  { from_day: 1, to_day, amount: first, currency: 'EUR' },
  { from_day: to_day + 1, amount: then, currency: 'EUR' },
])
const term = fc
  .record({
    free: fc.integer({ min: 0, max: 20 }),
    unit: fc.constantFrom('calendar_days' as const, 'working_days' as const),
    start_rule: fc.constantFrom('same_day' as const, 'next_day' as const, 'next_working_day' as const),
    after_free: fc.constantFrom('calendar' as const, 'working' as const),
    tiers,
  })
  .map(ruled)

const cases: fc.Arbitrary<Case> = fc
  .record({
    zone: fc.constantFrom(...zones),
    term,
    start: fc
      .integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2027, 11, 1) / 60_000 })
      .map((each) => each * 60_000),
    hours: fc.integer({ min: 0, max: 100 * 24 }),
    extra: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
    weekend: fc.subarray([1, 5, 6, 7]),
    days: fc.uniqueArray(fc.tuple(day, fc.constantFrom('holiday' as const, 'closure' as const, 'working' as const)), {
      selector: ([each]) => each,
      maxLength: 25,
    }),
  })
  .map(({ weekend, days, ...rest }) => ({
    ...rest,
    calendar: {
      place: 'NL/RTM',
      weekend,
      days: days.map(([each, kind]) => ({ date: shifted(dateIn(rest.zone, rest.start), each - 3), kind })),
    },
  }))

/** As of the pick-up, or at that time while it is still there. */
function clockOf({ zone, term: rule, calendar, start, hours, extra }: Case, isStopped: boolean, quarantine?: string) {
  const stop = start + hours * 3_600_000
  const events = [`DISCHARGED ${new Date(start).toISOString()}`]
  if (isStopped) events.push(`GATE_OUT ${new Date(stop).toISOString()}`)
  const free_time = extra.map(
    (extra_days, index): FreeTimeFact => ({
      id: String(index),
      direction: 'import',
      clock: 'demurrage',
      source: 'carrier',
      reason: 'Mail',
      recorded_at: '2024-01-01T00:00:00Z',
      extra_days,
    }),
  )
  const rules = freeTimeRules([rule], [calendar], () => zone)
  const tracking = { ...tracked('NL/RTM', events), free_time }
  const stopping = tracking.tracking_steps?.[0]?.events?.[1]
  if (stopping && quarantine !== undefined) stopping.quarantine = quarantine
  const [clock] = freeTimeOf({ account: 'acme', shipment, tracking }, rules, stop)
  return clock
}

test('last free day, days over and cost are those of a plain count, in any zone and calendar', () => {
  fc.assert(
    fc.property(cases, fc.boolean(), (given, isStopped) => {
      const { last, over, cents } = plainCount(given)
      const clock = clockOf(given, isStopped)
      expect(clock).toMatchObject({ last_free_day: last, days_over: over })
      expect(Math.round((clock?.cost?.amount ?? -1) * 100)).toBe(cents)
      const until = Date.parse(clock?.free_until ?? '')
      expect([dateIn(given.zone, until), dateIn(given.zone, until + 1000)]).toEqual([last, shifted(last, 1)])
      if (isStopped) return
      const next = Date.parse(clock?.next_change_at ?? '')
      const now = given.start + given.hours * 3_600_000
      expect([dateIn(given.zone, next - 1), dateIn(given.zone, next)]).toEqual([
        dateIn(given.zone, now),
        shifted(dateIn(given.zone, now), 1),
      ])
    }),
    { numRuns: 400 },
  )
})

test('an event that is kept back leaves the clock as if it had never come', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const without = clockOf(given, false)
      expect(clockOf(given, true, 'impossible')).toEqual(without)
    }),
    { numRuns: 50 },
  )
})

test('local days begin at their first instant, also where clocks change at midnight or a day is left out', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 14_600, max: 24_000 }), (zone, number) => {
      const start = startOfDay(number, zone)
      expect([dayOf(start, zone), dayOf(start - 1, zone)]).toEqual([number, number - 1])
    }),
    { numRuns: 400 },
  )
  // Samoa went from 29 to 31 December 2011.
  const skipped = dayNumber('2011-12-30')
  const start = startOfDay(skipped, 'Pacific/Apia')
  expect([start - 1, start].map((each) => dateOfDay(dayOf(each, 'Pacific/Apia')))).toEqual(['2011-12-29', '2011-12-31'])
})
