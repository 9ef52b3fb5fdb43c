import type { Random } from '../../src/sandbox/random.js'
import { Verbatim } from './json-text.js'

/** Values that are known to break services, by kind. */

export type HostileValue = { kind: string; value: unknown }

const unicode = [
  'a\0b',
  '\0',
  '\ud800',
  'x\udfff',
  'half a ship \ud83d',
  '\u202egnp.exe',
  'שלום עולם',
  '\u2066مرحبا\u2069 \u200f(1)',
  'zero\u200b\u200c\u200dwidth\u2060',
  '\ufeffmark',
  `e${'\u0301'.repeat(60)}`,
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'İstanbul STRASSE ẞ ſ ﬁ Ǆ',
  'one\u2028two\u2029three\u0085four',
  '\u0001\u0002\u001b[31mred\u001b[0m\u007f',
  'tab\tand\r\nSet-Cookie: a=b',
  '\uffff\ufffe',
  '\u{10ffff}\u{e000}',
  'Ａ１ full width',
  '\u00a0',
  '\u3000',
  '\u0000\u0000',
  'ℌ𝔞𝔪𝔟𝔲𝔯𝔤 ㎏',
  '\u00e9 e\u0301',
]

const injections = [
  "' or '1'='1",
  "'; drop table accounts; --",
  '" or ""="',
  '$1',
  '%',
  '_%\\',
  "\\'",
  "E'\\x41'",
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '&lt;b&gt;&amp;',
  'javascript:alert(1)',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)*cmd',
  '+1-1',
  '-2+3',
  '\t=1+1',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'C:\\aux',
  '.',
  '..',
  '/',
  '//',
  'a/b?c=d#e',
  'a;b=c,d&e',
  '%2e%2e%00%zz',
  '{{7*7}}${7*7}#{7*7}<%= 7*7 %>',
  '${jndi:ldap://127.0.0.1/a}',
  '%s%s%n%d',
  '(a+)+$',
  '!!! & | (x:* <-> y)',
  "a':* & !b",
  '{"a":[1,2]}',
  '[]',
  '\\u0000',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '1e5',
  '0x10',
  '007',
  '1,000.50',
  '١٢٣',
  '',
  ' ',
  '  two spaces  ',
  '"',
  "'",
  '`',
  '\\',
  '*',
  'W/"x"',
  'COM1.txt',
  'a\nb',
  '-----BEGIN PRIVATE KEY-----',
]

export const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'toJSON',
  'then',
  'length',
]

const dates = [
  '2026-02-30',
  '2025-02-29',
  '2024-02-29',
  '1900-02-29',
  '0000-01-01',
  '0001-01-01',
  '0099-12-31',
  '9999-12-31',
  '10000-01-01',
  '2026-13-01',
  '2026-00-10',
  '2026-06-31',
  '2026-1-1',
  '20260101',
  '+002026-01-01',
  '-000001-01-01',
  '1582-10-10',
  '２０２６-01-01',
  '2026-01-01\n',
  'infinity',
  'today',
]

const moments = [
  '2026-02-30T10:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-23:59',
  '2026-06-30T23:59:60Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00+14:00',
  '2026-01-01T00:00:00-23:59',
  '2026-01-01T00:00:00-00:00',
  '2026-01-01T00:00:00.123456789+05:45',
  '2026-01-01T00:00:00.1234567890Z',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00Z',
  '1883-11-18T12:00:00-04:56',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  'infinity',
  'now',
]

const numbers = [
  0, -0, -1, 1, 0.1, 0.30000000000000004, 1e-7, 5e-324, 1e-320, -1e-10, 1.005, 999_999_999_999_999, 1e15,
  1_000_000_000_000_001, 9_007_199_254_740_991, 9_007_199_254_740_992, -9_007_199_254_740_992, 2_147_483_647,
  2_147_483_648, -2_147_483_649, 4_294_967_296, 9.223372036854776e18, 1e21, 1e22, 1e100, 1.7976931348623157e308,
  -1.7976931348623157e308,
]

const writtenNumbers = [
  '1e400',
  '-1e400',
  '9007199254740993',
  '0.1234567890123456789012345678901234567890',
  '1234567890123456789012345678901234567890',
  `0.${'0'.repeat(400)}1`,
  `1${'0'.repeat(400)}`,
  `1.${'3'.repeat(1000)}`,
  '-0',
  '1E5',
  '1.0',
  '10e-1',
]

// Not JSON.
const brokenTokens = ['NaN', 'Infinity', '01', '.5', '+1', '0x1', "'a'", 'undefined', '1,', '"\t"', '"\\x41"', '//']

export function hostileText(random: Random, { longest = 300_000 } = {}): HostileValue {
  const kind = random.weighted([
    ['unicode', 4],
    ['fragment', 5],
    ['length', 2],
    ['name', 1],
    ['date', 1],
  ] as const)
  if (kind === 'length') return { kind, value: longText(random, longest) }
  const lists = { unicode, fragment: injections, name: prototypeNames, date: [...dates, ...moments] }
  const value = random.pick<string>(lists[kind])
  return { kind, value: random.chance(0.2) ? `${random.pick(injections)}${value}` : value }
}

/** At the length limits of columns, indexes and search words. */
function longText(random: Random, longest: number): string {
  const length = random.weighted([
    [random.pick([63, 64, 100, 101, 200, 201, 254, 255, 256, 257, 1000, 1001, 2000, 2001]), 12],
    [random.pick([2046, 2047, 2048, 2712, 5000, 5001, 8191, 10_000]), 4],
    [random.pick([65_535, 70_000, 300_000]), 1],
  ])
  const unit = random.pick(['x', 'x', 'é', '船', '🚢', 'e\u0301', 'ab ', "'", '"', '<', '-', 'word%W '])
  // Distinct words fill an index more than repeated ones.
  if (unit.includes('%W')) return Array.from({ length: Math.min(length, longest) / 7 }, (_, i) => `w${i}`).join(' ')
  return unit.repeat(Math.ceil(Math.min(length, longest) / unit.length)).slice(0, Math.min(length, longest))
}

export function hostileDate(random: Random, format: 'date' | 'date-time'): HostileValue {
  const lists = random.chance(0.85) ? [format === 'date' ? dates : moments] : [dates, moments]
  return { kind: 'date', value: random.pick(lists.flat()) }
}

export function hostileNumber(random: Random): HostileValue {
  if (random.chance(0.7)) return { kind: 'number', value: random.pick(numbers) }
  return { kind: 'number', value: new Verbatim(random.pick(writtenNumbers)) }
}

export function brokenToken(random: Random): HostileValue {
  return { kind: 'syntax', value: new Verbatim(random.pick(brokenTokens)) }
}

export function deepValue(random: Random): HostileValue {
  const depth = random.pick([60, 63, 64, 65, 66, 100, 1000, 20_000])
  const value = random.pick([
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    `${'[{"a":'.repeat(depth)}"x"${'}]'.repeat(depth)}`,
  ])
  return { kind: 'nesting', value: new Verbatim(value) }
}

/** A value of any type. */
export function anyValue(random: Random): HostileValue {
  const value = random.pick<unknown>([null, true, false, 0, 1.5, '', 'text', '1', [], {}, [[]], [null], { a: 1 }])
  return { kind: value === null ? 'null' : 'type', value }
}
