import type { FreeTimeTerm, WorkingDays } from '../contract/operator/free-time.js'
import type { FreeTimeClockName } from '../contract/public/free-time.js'
import type { Currency } from '../contract/public/shared-types.js'

/** Rules of free time and calendars of the sandbox. All of it is invented: no carrier's or terminal's tariff. */

const source = 'Invented for the sandbox'

type Rates = { first: number; later: number; currency: Currency }

function rule(
  id: string,
  clock: FreeTimeClockName,
  { first, later, currency }: Rates,
  rest: Partial<FreeTimeTerm> = {},
): FreeTimeTerm {
  const isDetention = clock === 'detention'
  const stop_event = isDetention || clock === 'combined' ? 'EMPTY_IN' : 'GATE_OUT'
  return {
    id,
    direction: 'import',
    clock,
    free: 4,
    unit: 'calendar_days',
    start_event: isDetention ? 'GATE_OUT' : 'DISCHARGED',
    start_rule: 'next_day',
    stop_event,
    after_free: 'calendar',
    tiers: [
      { from_day: 1, to_day: 5, amount: first, currency },
      { from_day: 6, amount: later, currency },
    ],
    source,
    ...rest,
  }
}

const euros = { first: 45, later: 85, currency: 'EUR' } as const

export const sandboxTerms: FreeTimeTerm[] = [
  rule('any-demurrage', 'demurrage', { first: 60, later: 110, currency: 'EUR' }, { label: 'Demurrage' }),
  rule('any-detention', 'detention', { first: 40, later: 75, currency: 'EUR' }, { free: 7, label: 'Detention' }),
  rule(
    'any-reefer',
    'demurrage',
    { first: 120, later: 210, currency: 'EUR' },
    {
      equipment: ['reefer'],
      free: 2,
      label: 'Demurrage, refrigerated',
    },
  ),
  rule('france-combined', 'combined', euros, { port: 'FR', free: 3, label: 'Demurrage and detention, merged' }),
  rule('netherlands-demurrage', 'demurrage', euros, { port: 'NL', unit: 'working_days', free: 3, label: 'Demurrage' }),
  rule('netherlands-detention', 'detention', euros, { port: 'NL', free: 6, label: 'Detention' }),
  rule('hamburg-combined', 'combined', euros, { port: 'DE/HAM', unit: 'working_days', free: 5, label: 'Merged' }),
  rule('spain-demurrage', 'demurrage', euros, { port: 'ES', free: 2, label: 'Demoras' }),
  rule(
    'britain-storage',
    'storage',
    { first: 38.5, later: 70, currency: 'GBP' },
    {
      port: 'GB',
      free: 72,
      unit: 'hours',
      start_rule: 'at_time',
      label: 'Quay rent',
    },
  ),
]

const holidays = ['01-01', '05-01', '12-25', '12-26']

/** For this year and the next. */
export function sandboxCalendars(today: string): WorkingDays[] {
  const year = Number(today.slice(0, 4))
  const days = [year, year + 1].flatMap((each) =>
    holidays.map((date) => ({ date: `${each}-${date}`, kind: 'holiday' as const })),
  )
  return ['NL', 'DE', 'FR', 'ES', 'GB', 'SE'].map((place) => ({ place, weekend: [6, 7], days }))
}
