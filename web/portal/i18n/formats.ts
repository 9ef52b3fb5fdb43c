import type { Language } from '../../../src/contract/portal/people.js'
import type { Volume, Weight } from '../../../src/contract/public/shared-types.js'
import { presentTime } from '../../ui/clock.js'

/** Formats for dates, numbers, money and units. */

// Days before months: '9 Apr'.
const locales: Record<Language, string> = { en: 'en-GB', fr: 'fr-FR' }
const poundsPerKilogram = 2.204_622_621_8
const msPerDay = 86_400_000

export type Format = ReturnType<typeof formatFor>

type Preferences = { language: Language; timeZone: string; weightUnit: 'kg' | 'lbs' }

export function formatFor({ language, timeZone, weightUnit }: Preferences, now = () => new Date(presentTime())) {
  const locale = locales[language]
  const calendar = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale, options))
  const dayOfYear = calendar({ timeZone: 'UTC', day: 'numeric', month: 'short' })
  const dayWithYear = calendar({ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
  const weekday = calendar({ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
  const clock = calendar({ timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
  const joined = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  const numbers = onceEach((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))
  const times = onceEach((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))
  const isoDay = once(() => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }))

  const number = (n: number, options: Intl.NumberFormatOptions = {}) => numbers(options).format(n)
  const today = () => isoDay().format(now())
  const isThisYear = (date: string) => date.slice(0, 4) === today().slice(0, 4)
  const daysFromToday = (date: string) => Math.round((dateOf(date).getTime() - dateOf(today()).getTime()) / msPerDay)
  const day = (date: string) => (isThisYear(date) ? dayOfYear() : dayWithYear()).format(dateOf(date))

  return {
    locale,
    /** The reader's time zone, for times without a place. */
    zone: timeZone,
    /** `YYYY-MM-DD` in the reader's time zone. */
    today,
    /** Negative in the past. */
    daysFromToday,
    day,
    /** 'Thu 9 Apr' */
    weekday: (date: string) => weekday().format(dateOf(date)),
    /** '9 Apr, in 12 days' */
    dayInWords: (date: string) => `${day(date)}, ${relative().format(daysFromToday(date), 'day')}`,
    /** 'in 12 days' */
    fromToday: (date: string) => relative().format(daysFromToday(date), 'day'),
    /** In its own UTC offset, or in a zone: '9 Apr 2026, 14:30 UTC+8' */
    dateTime(date: string, zone?: string): string {
      if (date.length === 10) return dayWithYear().format(dateOf(date))
      if (zone === undefined) {
        const there = new Date(`${date.slice(0, 19)}Z`)
        return `${dayWithYear().format(there)}, ${clock().format(there)} ${offsetOf(date)}`
      }
      const options = { timeZone: zone, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
      return times({ ...options, day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(date))
    },
    /** The time of day alone: '14:30'. */
    time: (date: string) => clock().format(new Date(`${date.slice(0, 19)}Z`)),
    money: ({ amount, currency }: { amount: number; currency: string }) =>
      number(amount, { style: 'currency', currency }),
    number,
    weight({ value, unit }: Weight): string {
      const converted =
        unit === weightUnit ? value : weightUnit === 'lbs' ? value * poundsPerKilogram : value / poundsPerKilogram
      return `${number(converted, { maximumFractionDigits: Math.abs(converted) < 100 ? 2 : 0 })} ${weightUnit === 'kg' ? 'kg' : 'lb'}`
    },
    volume: ({ value, unit }: Volume) =>
      `${number(value, { maximumFractionDigits: 2 })} ${unit === 'cbm' ? 'm³' : unit}`,
    bytes(n: number): string {
      const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
      const step = Math.min(steps.length - 1, n < 1000 ? 0 : Math.floor(Math.log10(n) / 3))
      const maximumFractionDigits = step > 1 ? 1 : 0
      const unit = { style: 'unit', unit: steps[step], unitDisplay: step === 0 ? 'long' : 'short' } as const
      return number(n / 1000 ** step, { ...unit, maximumFractionDigits })
    },
    /** 20 is '20%', as in the API. */
    percent: (n: number) => number(n / 100, { style: 'percent', maximumFractionDigits: 2 }),
    /** 'a, b and c' */
    list: (items: string[]) => joined().format(items),
    /** 'France', from 'FR'. */
    country: (code: string) =>
      /^[A-Za-z]{2}$/.test(code) ? (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code) : code,
  }
}

// Creating a format takes longer than rendering a row of a table, and a page needs few of them.
function once<Made>(make: () => Made): () => Made {
  let one: Made | undefined
  return () => (one ??= make())
}

function onceEach<Options, Made>(make: (options: Options) => Made): (options: Options) => Made {
  const made = new Map<string, Made>()
  return (options) => {
    const key = JSON.stringify(options)
    const known = made.get(key) ?? make(options)
    made.set(key, known)
    return known
  }
}

function dateOf(date: string): Date {
  return new Date(`${date.slice(0, 10)}T00:00:00Z`)
}

/** 'UTC+8', 'UTC−3:30', from the offset of a timestamp. */
function offsetOf(date: string): string {
  const found = /([+-])(\d\d):(\d\d)$/.exec(date)
  if (!found) return 'UTC'
  const [, sign, hours, minutes] = found
  if (hours === '00' && minutes === '00') return 'UTC'
  return `UTC${sign === '-' ? '−' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`
}
