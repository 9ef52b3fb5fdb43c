import type { FreeTimeTerm, WorkingDays } from '../../../src/contract/operator/free-time.js'
import type { FreeTimeClock, FreeTimeFact } from '../../../src/contract/public/free-time.js'

/**
 * Free time counted by hand, with a calendar on the wall: the days are written out beside each example. The rates are invented.
 * In 2026: 2 March is a Monday, 1 April a Wednesday, 1 July a Wednesday. Clocks change on 8 March in Los Angeles, on 29 March in Europe.
 */
export type Example = {
  name: string
  port: string
  terms: Partial<FreeTimeTerm>[]
  calendars?: WorkingDays[]
  /** Code and time of each. */
  events: string[]
  given?: Partial<FreeTimeFact>[]
  container?: 'forty_foot_standard' | 'forty_foot_reefer'
  now: string
  expected: Partial<Omit<FreeTimeClock, 'cost'>> & { cost: number | null }
}

const rates = [
  { from_day: 1, to_day: 7, amount: 55, currency: 'EUR' as const },
  { from_day: 8, amount: 90, currency: 'EUR' as const },
]
const perDay = (amount: number, currency: 'EUR' | 'USD' | 'CNY' | 'GBP' | 'KWD' | 'JPY') => [
  { from_day: 1, amount, currency },
]
const importDemurrage = {
  direction: 'import',
  clock: 'demurrage',
  free: 7,
  unit: 'calendar_days',
  start_event: 'DISCHARGED',
  start_rule: 'next_day',
  stop_event: 'GATE_OUT',
  after_free: 'calendar',
} as const
const rotterdam = { ...importDemurrage, tiers: rates }
const losAngeles = { ...importDemurrage, free: 4, tiers: perDay(200, 'USD') }
const july: WorkingDays = {
  place: 'US',
  weekend: [6, 7],
  days: [{ date: '2026-07-03', kind: 'holiday', name: 'Independence Day, observed' }],
}

export const examples: Example[] = [
  {
    // Counts from 3 March: 3 4 5 6 7 8 9.
    name: 'seven calendar days from the day after discharge, picked up in the last half hour',
    port: 'NL/RTM',
    terms: [rotterdam],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'GATE_OUT 2026-03-09T23:30:00+01:00'],
    now: '2026-03-20T12:00:00Z',
    expected: { state: 'stopped', last_free_day: '2026-03-09', days_used: 7, days_over: 0, cost: 0 },
  },
  {
    // Charged: 10 11 12.
    name: 'picked up three days late',
    port: 'NL/RTM',
    terms: [rotterdam],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'GATE_OUT 2026-03-12T08:00:00+01:00'],
    now: '2026-03-20T12:00:00Z',
    expected: { state: 'stopped', last_free_day: '2026-03-09', days_over: 3, cost: 165 },
  },
  {
    // Charged: 10 to 20 are 11 days; 7 x 55 = 385, 4 x 90 = 360.
    name: 'eleven days late, over two tiers',
    port: 'NL/RTM',
    terms: [rotterdam],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'GATE_OUT 2026-03-20T08:00:00+01:00'],
    now: '2026-03-25T12:00:00Z',
    expected: { state: 'stopped', days_over: 11, cost: 745, each_further_day: null },
  },
  {
    // Counts from 2 March: 2 3 4 5 6 7 8. On the 6th, the 7th and 8th are left.
    name: 'the day of discharge counts, and the clock is ending',
    port: 'NL/RTM',
    terms: [{ ...rotterdam, start_rule: 'same_day' }],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00'],
    now: '2026-03-06T12:00:00Z',
    expected: {
      state: 'ending',
      last_free_day: '2026-03-08',
      free_until: '2026-03-08T23:59:59+01:00',
      days_used: 5,
      days_left: 2,
      days_over: 0,
      cost: 0,
      each_further_day: { amount: 55, currency: 'EUR' },
      next_change_at: '2026-03-07T00:00:00+01:00',
    },
  },
  {
    // The rule of reefers: 3 4 5. Charged: 6.
    name: 'a reefer has three days, by a rule of its own',
    port: 'NL/RTM',
    terms: [
      { ...rotterdam, id: 'all' },
      { ...rotterdam, id: 'reefer', equipment: ['reefer'], free: 3, tiers: perDay(110, 'EUR') },
    ],
    container: 'forty_foot_reefer',
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'GATE_OUT 2026-03-06T10:00:00+01:00'],
    now: '2026-03-20T12:00:00Z',
    expected: { last_free_day: '2026-03-05', days_over: 1, cost: 110 },
  },
  {
    // 06:30 UTC on the 3rd is 22:30 on the 2nd: 3 4 5 6. 07:30 UTC on the 7th is 23:30 on the 6th.
    name: 'days are those of Los Angeles, not of UTC',
    port: 'US/LAX',
    terms: [losAngeles],
    events: ['DISCHARGED 2026-03-03T06:30:00Z', 'GATE_OUT 2026-03-07T07:30:00Z'],
    now: '2026-03-20T12:00:00Z',
    expected: { last_free_day: '2026-03-06', days_over: 0, cost: 0 },
  },
  {
    // 6 7 8 9, with the change of clocks on the 8th. The 9th ends at 07:00 UTC on the 10th.
    name: 'the last second of the last free day, after clocks changed',
    port: 'US/LAX',
    terms: [losAngeles],
    events: ['DISCHARGED 2026-03-05T20:00:00-08:00', 'GATE_OUT 2026-03-10T06:59:59Z'],
    now: '2026-03-20T12:00:00Z',
    expected: { last_free_day: '2026-03-09', free_until: '2026-03-09T23:59:59-07:00', days_over: 0, cost: 0 },
  },
  {
    // As before, one second later: the 10th is charged.
    name: 'the first second of the first charged day',
    port: 'US/LAX',
    terms: [losAngeles],
    events: ['DISCHARGED 2026-03-05T20:00:00-08:00', 'GATE_OUT 2026-03-10T07:00:00Z'],
    now: '2026-03-20T12:00:00Z',
    expected: { last_free_day: '2026-03-09', days_over: 1, cost: 200 },
  },
  {
    // Thursday 2 July; Friday is a holiday, then a weekend; free: Mon 6, 7, 8, Thu 9.
    // Charged: Fri 10, Sat 11, Sun 12, not Mon 13 (closed), Tue 14, Wed 15: 5 x 200.
    name: 'working free days, calendar chargeable days, an unscheduled closure is not charged',
    port: 'US/LAX',
    terms: [{ ...losAngeles, unit: 'working_days', start_rule: 'next_working_day', label: 'Import demurrage' }],
    calendars: [july, { place: 'US/LAX', days: [{ date: '2026-07-13', kind: 'closure', name: 'Power cut' }] }],
    events: ['DISCHARGED 2026-07-02T09:00:00-07:00', 'GATE_OUT 2026-07-15T16:00:00-07:00'],
    now: '2026-08-01T12:00:00Z',
    expected: { state: 'stopped', last_free_day: '2026-07-09', days_used: 4, days_over: 5, cost: 1000 },
  },
  {
    // Monday 6 July; free: Tue 7, not Wed 8 (closed), Thu 9, Fri 10. Charged: Sat 11, Sun 12, Mon 13.
    name: 'a closure within the free time does not use up a free working day',
    port: 'US/LAX',
    terms: [{ ...losAngeles, free: 3, unit: 'working_days' }],
    calendars: [july, { place: 'US/LAX', days: [{ date: '2026-07-08', kind: 'closure' }] }],
    events: ['DISCHARGED 2026-07-06T09:00:00-07:00', 'GATE_OUT 2026-07-13T16:00:00-07:00'],
    now: '2026-08-01T12:00:00Z',
    expected: { last_free_day: '2026-07-10', days_over: 3, cost: 600 },
  },
  {
    // Wednesday 1 April; free: Thu 2, Tue 7, 8, 9, Fri 10. Charged: Mon 13, 14, 15.
    name: 'working days over Easter, free and charged',
    port: 'DE/HAM',
    terms: [{ ...importDemurrage, free: 5, unit: 'working_days', after_free: 'working', tiers: perDay(20.1, 'EUR') }],
    calendars: [
      {
        place: 'DE',
        weekend: [6, 7],
        days: [
          { date: '2026-04-03', kind: 'holiday' },
          { date: '2026-04-06', kind: 'holiday' },
        ],
      },
    ],
    events: ['DISCHARGED 2026-04-01T09:00:00+02:00', 'GATE_OUT 2026-04-15T16:00:00+02:00'],
    now: '2026-05-01T12:00:00Z',
    // 3 x 20.10
    expected: { last_free_day: '2026-04-10', days_over: 3, cost: 60.3 },
  },
  {
    // Thursday 5 March; free: Thu 5, Sun 8, Mon 9, Tue 10, Wed 11. On Thu 12 one day is over; nobody knows the rate.
    name: 'the weekend is Friday and Saturday, and no rate is known',
    port: 'SA/JED',
    terms: [{ ...importDemurrage, free: 5, unit: 'working_days', start_rule: 'same_day' }],
    calendars: [{ place: 'SA', weekend: [5, 6], days: [] }],
    events: ['DISCHARGED 2026-03-05T10:00:00+03:00'],
    now: '2026-03-12T12:00:00+03:00',
    expected: { state: 'expired', last_free_day: '2026-03-11', days_over: 1, cost: null, each_further_day: null },
  },
  {
    // Free: 10 11 12 13 14. Charged: 15 16 17 18 19 20.
    name: 'import detention, from gate-out to the return of the empty container',
    port: 'NL/RTM',
    terms: [
      {
        ...importDemurrage,
        clock: 'detention',
        free: 5,
        start_event: 'GATE_OUT',
        stop_event: 'EMPTY_IN',
        tiers: perDay(30, 'EUR'),
      },
    ],
    events: [
      'DISCHARGED 2026-03-02T14:00:00+01:00',
      'GATE_OUT 2026-03-09T10:00:00+01:00',
      'EMPTY_IN 2026-03-20T10:00:00+01:00',
    ],
    now: '2026-03-25T12:00:00Z',
    expected: { clock: 'detention', last_free_day: '2026-03-14', days_over: 6, cost: 180 },
  },
  {
    // Free: 2 to 15 March. Charged: 16 17 18 at 50, 19 20 at 80: 150 + 160. The gate-out on the 9th does not stop it.
    name: 'one free period for demurrage and detention',
    port: 'NL/RTM',
    terms: [
      {
        ...importDemurrage,
        clock: 'combined',
        free: 14,
        start_rule: 'same_day',
        stop_event: 'EMPTY_IN',
        tiers: [
          { from_day: 1, to_day: 3, amount: 50, currency: 'EUR' },
          { from_day: 4, amount: 80, currency: 'EUR' },
        ],
      },
    ],
    events: [
      'DISCHARGED 2026-03-02T14:00:00+01:00',
      'GATE_OUT 2026-03-09T10:00:00+01:00',
      'EMPTY_IN 2026-03-20T10:00:00+01:00',
    ],
    now: '2026-03-25T12:00:00Z',
    expected: { clock: 'combined', last_free_day: '2026-03-15', days_over: 5, cost: 310 },
  },
  {
    // Free: 3 to 9. Charged: 10 11.
    name: 'export detention, from the empty container to gate-in',
    port: 'CN/SHA',
    terms: [
      {
        ...importDemurrage,
        direction: 'export',
        clock: 'detention',
        start_event: 'EMPTY_OUT',
        stop_event: 'GATE_IN',
        tiers: perDay(100, 'CNY'),
      },
    ],
    events: ['EMPTY_OUT 2026-03-02T10:00:00+08:00', 'GATE_IN 2026-03-11T10:00:00+08:00'],
    now: '2026-03-25T12:00:00Z',
    expected: { direction: 'export', last_free_day: '2026-03-09', days_over: 2, cost: 200 },
  },
  {
    // Free: 11 to 15. Charged: 16 17.
    name: 'export demurrage, from gate-in until it is loaded',
    port: 'CN/SHA',
    terms: [
      {
        ...importDemurrage,
        direction: 'export',
        free: 5,
        start_event: 'GATE_IN',
        start_rule: 'same_day',
        stop_event: 'LOADED',
        tiers: perDay(150, 'CNY'),
      },
    ],
    events: ['GATE_IN 2026-03-11T10:00:00+08:00', 'LOADED 2026-03-17T10:00:00+08:00'],
    now: '2026-03-25T12:00:00Z',
    expected: { direction: 'export', last_free_day: '2026-03-15', days_over: 2, cost: 300 },
  },
  {
    // 72 hours after Friday 15:00 GMT is Monday 15:00 GMT, which is 16:00 in summer time. Charged: the rest of 30, and 31 March.
    name: 'hours of storage, over a change of clocks',
    port: 'GB/FXT',
    terms: [
      {
        ...importDemurrage,
        clock: 'storage',
        free: 72,
        unit: 'hours',
        start_rule: 'at_time',
        tiers: perDay(45.5, 'GBP'),
      },
    ],
    events: ['DISCHARGED 2026-03-27T15:00:00Z', 'GATE_OUT 2026-03-31T09:00:00+01:00'],
    now: '2026-04-25T12:00:00Z',
    expected: { free_until: '2026-03-30T16:00:00+01:00', last_free_day: '2026-03-30', days_over: 2, cost: 91 },
  },
  {
    // Free: 3 to 9, and 10 11 granted. Charged: 12.
    name: 'two days granted in addition',
    port: 'NL/RTM',
    terms: [rotterdam],
    given: [{ id: 'g', source: 'carrier', extra_days: 2 }],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'GATE_OUT 2026-03-12T08:00:00+01:00'],
    now: '2026-03-20T12:00:00Z',
    expected: { last_free_day: '2026-03-11', extra_days: 2, days_over: 1, cost: 55 },
  },
  {
    // Computed: 9. Given: 8. Charged: 9 10.
    name: 'the carrier gave a last free day that is a day before the computed one',
    port: 'NL/RTM',
    terms: [rotterdam],
    given: [
      { id: 't', source: 'terminal', last_free_day: '2026-03-07' },
      { id: 'c', source: 'carrier', last_free_day: '2026-03-08' },
    ],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'GATE_OUT 2026-03-10T08:00:00+01:00'],
    now: '2026-03-20T12:00:00Z',
    expected: {
      last_free_day: '2026-03-08',
      last_free_day_source: 'carrier',
      computed_last_free_day: '2026-03-09',
      difference_days: -1,
      days_over: 2,
      cost: 110,
    },
  },
  {
    // Available on the 4th, so free: 5 6 7. Charged: 8 9 10; 3 x 10.125.
    name: 'from availability, in a currency with three decimals',
    port: 'KW/SWK',
    terms: [{ ...importDemurrage, free: 3, start_event: 'AVAILABLE', tiers: perDay(10.125, 'KWD') }],
    events: [
      'DISCHARGED 2026-03-02T14:00:00+03:00',
      'AVAILABLE 2026-03-04T14:00:00+03:00',
      'GATE_OUT 2026-03-10T08:00:00+03:00',
    ],
    now: '2026-03-20T12:00:00Z',
    expected: { last_free_day: '2026-03-07', days_over: 3, cost: 30.375 },
  },
  {
    // Nothing is free. Charged: 3 4 5, so far; Monday is the day of discharge.
    name: 'nothing is free, and the container is still there',
    port: 'NL/RTM',
    terms: [{ ...rotterdam, free: 0 }],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00'],
    now: '2026-03-05T23:59:00+01:00',
    expected: {
      state: 'expired',
      last_free_day: '2026-03-02',
      days_over: 3,
      cost: 165,
      each_further_day: { amount: 55, currency: 'EUR' },
    },
  },
  {
    // Rates end after five days; 10 to 15 are six.
    name: 'no cost is shown for days without a rate',
    port: 'NL/RTM',
    terms: [{ ...rotterdam, tiers: [{ from_day: 1, to_day: 5, amount: 55, currency: 'EUR' }] }],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'GATE_OUT 2026-03-15T08:00:00+01:00'],
    now: '2026-03-20T12:00:00Z',
    expected: { days_over: 6, cost: null },
  },
  {
    // Friday 2 October, a holiday to the 7th; Saturday 10 is worked. Free: Thu 8, Fri 9, Sat 10. Charged: Sun 11, Mon 12.
    name: 'a Saturday that is worked counts',
    port: 'CN/SHA',
    terms: [{ ...importDemurrage, free: 3, unit: 'working_days', tiers: perDay(100, 'CNY') }],
    calendars: [
      {
        place: 'CN',
        weekend: [6, 7],
        days: [
          ...[1, 2, 5, 6, 7].map((day) => ({ date: `2026-10-0${day}`, kind: 'holiday' as const })),
          { date: '2026-10-10', kind: 'working' },
        ],
      },
    ],
    events: ['DISCHARGED 2026-10-02T10:00:00+08:00', 'GATE_OUT 2026-10-12T10:00:00+08:00'],
    now: '2026-11-01T12:00:00Z',
    expected: { last_free_day: '2026-10-10', days_over: 2, cost: 200 },
  },
  {
    // It left at some time before the delivery on the 15th, five to six days late or not at all.
    name: 'a delivered container has left, but it is not known when',
    port: 'NL/RTM',
    terms: [rotterdam],
    events: ['DISCHARGED 2026-03-02T14:00:00+01:00', 'DELIVERED 2026-03-15T08:00:00+01:00'],
    now: '2026-03-20T12:00:00Z',
    expected: { state: 'stopped', last_free_day: '2026-03-09', cost: null },
  },
  {
    // 48 hours from the beginning of the 2nd: the 2nd and the 3rd. Charged: 4.
    name: 'hours that end at midnight have their last free day before',
    port: 'NL/RTM',
    terms: [
      {
        ...importDemurrage,
        clock: 'storage',
        free: 48,
        unit: 'hours',
        start_rule: 'at_time',
        tiers: perDay(40, 'EUR'),
      },
    ],
    events: ['DISCHARGED 2026-03-02T00:00:00+01:00', 'GATE_OUT 2026-03-04T09:00:00+01:00'],
    now: '2026-03-25T12:00:00Z',
    expected: { last_free_day: '2026-03-03', free_until: '2026-03-04T00:00:00+01:00', days_over: 1, cost: 40 },
  },
  {
    // 22:30 UTC on 31 March is Wednesday, 1 April. Free: Thu 2, not Fri 3 to Mon 6, Tue 7, 8, 9, Fri 10, Mon 13.
    // Charged: 14 to 20, weekend included: 5 x 50, 2 x 85.
    name: 'a combined period of working days over Easter, then calendar days in two tiers',
    port: 'DE/HAM',
    terms: [
      {
        ...importDemurrage,
        clock: 'combined',
        free: 6,
        unit: 'working_days',
        start_rule: 'next_working_day',
        stop_event: 'EMPTY_IN',
        tiers: [
          { from_day: 1, to_day: 5, amount: 50, currency: 'EUR' },
          { from_day: 6, amount: 85, currency: 'EUR' },
        ],
      },
    ],
    calendars: [
      {
        place: 'DE',
        weekend: [6, 7],
        days: [
          { date: '2026-04-03', kind: 'holiday' },
          { date: '2026-04-06', kind: 'holiday' },
        ],
      },
    ],
    events: [
      'DISCHARGED 2026-03-31T22:30:00Z',
      'GATE_OUT 2026-04-08T10:00:00+02:00',
      'EMPTY_IN 2026-04-20T10:00:00+02:00',
    ],
    now: '2026-05-01T12:00:00Z',
    expected: { clock: 'combined', last_free_day: '2026-04-13', days_over: 7, cost: 420 },
  },
  {
    // Free: Tue 3, 4, Thu 5; granted: Fri 6, Mon 9. Charged: 10.
    name: 'days that are granted in addition to working days are working days',
    port: 'NL/RTM',
    terms: [{ ...rotterdam, free: 3, unit: 'working_days' }],
    given: [{ source: 'carrier', extra_days: 2 }],
    events: ['DISCHARGED 2026-03-02T10:00:00+01:00', 'GATE_OUT 2026-03-10T10:00:00+01:00'],
    now: '2026-04-01T12:00:00Z',
    expected: { last_free_day: '2026-03-09', extra_days: 2, days_over: 1, cost: 55 },
  },
  {
    // Free: 28. In Beirut the 29th begins at 01:00, as clocks change at midnight.
    name: 'a day without its first hour is charged from its beginning',
    port: 'LB/BEY',
    terms: [{ ...importDemurrage, free: 1, tiers: perDay(10, 'USD') }],
    events: ['DISCHARGED 2026-03-27T10:00:00+02:00', 'GATE_OUT 2026-03-29T01:00:00+03:00'],
    now: '2026-04-01T12:00:00Z',
    expected: { last_free_day: '2026-03-28', free_until: '2026-03-28T23:59:59+02:00', days_over: 1, cost: 10 },
  },
  {
    // 1 May is a holiday of the country, on which the port works. Free: Thu 30, Fri 1. Charged: Sat 2.
    name: "a port's own day comes before that of its country",
    port: 'DE/HAM',
    terms: [{ ...importDemurrage, free: 2, unit: 'working_days', tiers: perDay(20, 'EUR') }],
    calendars: [
      { place: 'DE', weekend: [6, 7], days: [{ date: '2026-05-01', kind: 'holiday' }] },
      { place: 'DE/HAM', days: [{ date: '2026-05-01', kind: 'working' }] },
    ],
    events: ['DISCHARGED 2026-04-29T10:00:00+02:00', 'GATE_OUT 2026-05-02T10:00:00+02:00'],
    now: '2026-06-01T12:00:00Z',
    expected: { last_free_day: '2026-05-01', days_over: 1, cost: 20 },
  },
]
