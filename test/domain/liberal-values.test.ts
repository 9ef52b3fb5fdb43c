import { expect, test } from 'vitest'
import {
  readContainerNumber,
  readContainerType,
  readDecimal,
  readPortCode,
  readWrittenDate,
} from '../../src/domain/records/liberal-values.js'

test.each([
  ['CNSHA', 'CN/SHA'],
  ['cn sha', 'CN/SHA'],
  ['CN-SHA', 'CN/SHA'],
  ['CN/SHA', 'CN/SHA'],
  ['US/LA', undefined],
  ['Shanghai', undefined],
])('the port %s is read as %s', (text, code) => expect(readPortCode(text)).toBe(code))

test.each([
  ['MSKU 703141-5', 'MSKU7031415'],
  ['msku7031415', 'MSKU7031415'],
  ['MSKU.703.141.5', 'MSKU7031415'],
  ['MSKU 70314', undefined],
  [`MSKU${' '.repeat(1000)}7031415`, undefined],
])('the container %s is read as %s', (text, number) => expect(readContainerNumber(text)).toBe(number))

test.each([
  ['40HC', 'forty_foot_highcube_standard'],
  ["40' HC", 'forty_foot_highcube_standard'],
  ['45G1', 'forty_foot_highcube_standard'],
  ['20 DV', 'twenty_foot_standard'],
  ['22R1', 'twenty_foot_reefer'],
  ['45HC', 'forty_five_foot_highcube_standard'],
  ['53HC', undefined],
])('the container type %s is read as %s', (text, type) => expect(readContainerType(text)).toBe(type))

test.each([
  ['2,05', 2.05],
  ['-2,5', -2.5],
  ['1.234,5', 1234.5],
  ['1,234.5', 1234.5],
  ['1 234,5', 1234.5],
  ['1 234 567', 1_234_567],
  ["12'345.60", 12345.6],
  ['1,234,567', 1_234_567],
  ['1234,567', 1234.567],
  ['0,123', 0.123],
  // A thousand, or a little more than one.
  ['1,234', undefined],
  ['1.2.3', undefined],
  ['1,2,3', undefined],
  ['12,34.5', undefined],
  [',5', undefined],
  ['abc', undefined],
])('the number %s is read as %s', (text, number) => expect(readDecimal(text)).toBe(number))

test.each([
  ['16/11/2026', { date: '2026-11-16', order: 'day-month' }],
  ['11.16.2026', { date: '2026-11-16', order: 'month-day' }],
  ['2026/11/16', { date: '2026-11-16' }],
  ['5-11-2026', { dates: { 'day-month': '2026-11-05', 'month-day': '2026-05-11' } }],
  ['5/5/2026', { date: '2026-05-05' }],
  ['31/02/2026', undefined],
  ['16/11/26', undefined],
])('the date %s is read as %j', (text, date) => expect(readWrittenDate(text)).toEqual(date))
