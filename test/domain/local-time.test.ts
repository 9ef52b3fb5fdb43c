import { expect, test } from 'vitest'
import { canonicalTimeZone, offsetAt } from '../../src/domain/dates/local-time.js'
import { zoneOffset } from '../../src/domain/messages/event-time.js'

const winter = Date.UTC(2026, 0, 15)

test('a time zone has one name, however it is spelled', () => {
  expect(canonicalTimeZone('europe/PARIS')).toBe('Europe/Paris')
  expect(offsetAt(winter, 'EUROPE/paris')).toBe(offsetAt(winter, 'Europe/Paris'))
  for (const wrong of ['Europe/Nowhere', '', 'Europe/Paris\u212a', 'x'.repeat(300)]) {
    expect(canonicalTimeZone(wrong)).toBeUndefined()
  }
})

test('4,000 spellings of a time zone take less than 30 MB', () => {
  const name = 'america/indianapolis'
  const spelled = (number: number) =>
    name
      .split('')
      .map((letter, index) => ((number >> index) & 1 ? letter.toUpperCase() : letter))
      .join('')
  offsetAt(winter, name)
  const before = process.memoryUsage().rss
  for (let number = 0; number < 4000; number += 1) {
    offsetAt(winter, spelled(number))
    zoneOffset('2026-01-15T00:00:00', spelled(number))
  }
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(30)
})

test('the offset of a local time is right in the hours around a change of the clocks', () => {
  const offsets = ['2026-03-29T01:59:59', '2026-03-29T03:00:00', '2026-10-25T00:30:00', '2026-10-25T03:30:00']
  expect(offsets.map((local) => zoneOffset(local, 'Europe/Paris'))).toEqual(['+01:00', '+02:00', '+02:00', '+01:00'])
  expect(zoneOffset('2026-01-15T00:00:00', 'Europe/London')).toBe('Z')
  expect(zoneOffset('2026-01-15T00:00:00', 'Asia/Kolkata')).toBe('+05:30')
  expect(zoneOffset('2026-01-15T00:00:00', 'America/St_Johns')).toBe('-03:30')
})
