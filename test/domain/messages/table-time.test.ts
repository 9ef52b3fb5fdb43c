import { expect, test } from 'vitest'
import { readTimeOfDay, readWritten, readZone } from '../../../src/domain/messages/table/table-time.js'

test.each([
  ['2026-11-17', { date: '2026-11-17' }],
  ['20261117', { date: '2026-11-17' }],
  ['2026-11-17T08:30:00.123+08:00', { date: '2026-11-17', time: '08:30:00', offset: '+08:00' }],
  ['2026/11/17 08:30 UTC+8', { date: '2026-11-17', time: '08:30:00', offset: '+08:00' }],
  ['17/11/2026 8:30 PM', { date: '2026-11-17', time: '20:30:00', order: 'day-month' }],
  ['17-Nov-26 14h05', { date: '2026-11-17', time: '14:05:00' }],
  ['17 décembre 2026 à 8:30', { date: '2026-12-17', time: '08:30:00' }],
  ['Nov 17, 2026', { date: '2026-11-17' }],
  ['05.11.2026', { dates: { 'day-month': '2026-11-05', 'month-day': '2026-05-11' } }],
])('%s is read as people write it', (text, expected) => {
  expect(readWritten(text, undefined)).toEqual(expected)
})

test('what is no date, contradicts the stated order, or needs one is not guessed', () => {
  for (const text of ['', 'soon', '31/02/2026', '2026-13-01', '2026-11-17 25:00', '17.11.26', 'CST'])
    expect(readWritten(text, undefined), text).toBeUndefined()
  expect(readWritten('12/25/2026', 'day-month')).toBeUndefined()
  expect(readWritten('05/11/26', 'month-day')).toEqual({ date: '2026-05-11' })
  expect(readWritten('26/11/05', 'year-month-day')).toEqual({ date: '2026-11-05' })
})

test('times of day and zones are read, abbreviations of zones are not', () => {
  for (const text of ['8:30', '0830', '8h30', '0.354166666666667', '08:30:00'])
    expect(readTimeOfDay(text), text).toEqual({ time: '08:30:00' })
  expect(readTimeOfDay('2026-11-17')).toBeUndefined()
  expect([readZone('UTC+8'), readZone('Asia/Shanghai'), readZone('CST')]).toEqual([
    { offset: '+08:00' },
    { zone: 'Asia/Shanghai' },
    undefined,
  ])
})
