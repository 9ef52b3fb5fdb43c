import { describe, expect, test } from 'vitest'
import { formatFor } from '../../web/portal/i18n/formats.js'

/** Dates, numbers and money in the reader's language, time zone and units. */

// Still the previous day in Paris.
const now = () => new Date('2026-03-28T22:30:00Z')
const english = formatFor({ language: 'en', timeZone: 'Europe/Paris', weightUnit: 'kg' }, now)
const french = formatFor({ language: 'fr', timeZone: 'Asia/Tokyo', weightUnit: 'lbs' }, now)
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('days', () => {
  test('a day is shown with its distance from today in the reader’s time zone', () => {
    expect(english.dayInWords('2026-04-09')).toBe('9 Apr, in 12 days')
    expect(english.dayInWords('2026-03-28')).toBe('28 Mar, today')
    expect(english.dayInWords('2026-03-27')).toBe('27 Mar, yesterday')
    // Already the next day in Tokyo.
    expect(french.dayInWords('2026-03-28')).toBe('28 mars, hier')
    expect(plain(french.dayInWords('2026-04-09'))).toBe('9 avr., dans 11 j')
    expect([english.today(), french.today()]).toEqual(['2026-03-28', '2026-03-29'])
  })

  test('a day has its year only if it is not the current one', () => {
    expect(english.day('2026-12-31')).toBe('31 Dec')
    expect(english.day('2027-01-01')).toBe('1 Jan 2027')
  })

  test('the day of a timestamp is the local day of its place, not of the reader', () => {
    expect(english.day('2026-04-09T00:30:00+08:00')).toBe('9 Apr')
    expect(english.day('2026-04-09T23:30:00-11:00')).toBe('9 Apr')
    expect(english.daysFromToday('2026-04-09T23:30:00-11:00')).toBe(12)
  })
})

describe('times', () => {
  test('a time is shown in the local time of its place, with the UTC offset', () => {
    expect(english.dateTime('2026-04-09T14:30:00+08:00')).toBe('9 Apr 2026, 14:30 UTC+8')
    expect(english.dateTime('2026-04-09T14:30:00-03:30')).toBe('9 Apr 2026, 14:30 UTC−3:30')
    expect(english.dateTime('2026-04-09T14:30:00Z')).toBe('9 Apr 2026, 14:30 UTC')
    expect(english.dateTime('2026-04-09')).toBe('9 Apr 2026')
    expect(french.time('2026-04-09T14:30:00+08:00')).toBe('14:30')
  })

  test('a time can be shown in a given time zone', () => {
    expect(english.dateTime('2026-04-09T14:30:00+08:00', 'Europe/Paris')).toBe('9 Apr 2026, 08:30 CEST')
    expect(french.dateTime('2026-04-09T14:30:00Z', french.zone)).toContain('23:30')
  })
})

test('amounts are shown in their own currency', () => {
  expect(english.money({ amount: 1234.5, currency: 'EUR' })).toBe('€1,234.50')
  expect(english.money({ amount: 1234.5, currency: 'USD' })).toBe('US$1,234.50')
  expect(english.money({ amount: -1234, currency: 'JPY' })).toBe('-JP¥1,234')
  expect(plain(french.money({ amount: 1234.5, currency: 'EUR' }))).toBe('1 234,50 €')
})

test('weights are shown in the unit that the reader chose', () => {
  expect(english.weight({ value: 12_400, unit: 'kg' })).toBe('12,400 kg')
  expect(english.weight({ value: 100, unit: 'lbs' })).toBe('45.36 kg')
  expect(plain(french.weight({ value: 1000, unit: 'kg' }))).toBe('2 205 lb')
  expect(plain(french.weight({ value: 1000, unit: 'lbs' }))).toBe('1 000 lb')
})

test('volumes, percentages, file sizes and lists are formatted for the language', () => {
  expect(english.volume({ value: 33.456, unit: 'cbm' })).toBe('33.46 m³')
  expect(english.percent(20)).toBe('20%')
  expect(plain(french.percent(5.5))).toBe('5,5 %')
  expect([english.bytes(0), english.bytes(999), english.bytes(1000)]).toEqual(['0 bytes', '999 bytes', '1 kB'])
  expect(english.bytes(2_345_678)).toBe('2.3 MB')
  expect(plain(french.bytes(2_345_678))).toBe('2,3 Mo')
  expect(french.list(['a', 'b', 'c'])).toBe('a, b et c')
})

test('country codes are shown as names, and unknown codes unchanged', () => {
  expect([english.country('DE'), french.country('DE')]).toEqual(['Germany', 'Allemagne'])
  expect(english.country('not one')).toBe('not one')
})
