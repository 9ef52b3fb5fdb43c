import { expect, test } from 'vitest'
import { readBankRow } from '../../src/domain/invoices/bank-list.js'

const rowsOf = (text: string, usual: 'EUR' | 'KWD' = 'EUR') =>
  text.split('\n').flatMap((line, index) => readBankRow(line, index + 1, usual) ?? [])
const amountsOf = (text: string) => rowsOf(text).map(({ amount }) => amount)

test.each([
  ['14.04.2026;1.234,56;Invoice', 1234.56],
  ['2026-04-15\t1,234.56\tInvoice', 1234.56],
  ['2026-04-15;EUR 1000.00;RF94', 1000],
  ['16/04/2026;77,77 €;thank you', 77.77],
  ['16/04/2026;+77,77;thank you', 77.77],
  ['16/04/2026;77,77 C;5.000,00 C', 77.77],
  ['16/04/2026;77,77 H;5.000,00 H', 77.77],
  ['16/04/2026;120 EUR;5 000,00 EUR', 120],
  ['16/04/2026 Invoice (2) voyage 032S 12- 77,77', 77.77],
])('the first amount of a row is what was paid, another one is the balance: %s', (line, amount) => {
  expect(amountsOf(line)).toEqual([amount])
})

test.each([
  '14.04.2026;-120,00;5.000,00;Rent',
  '14.04.2026;−120,00;5.000,00;Rent',
  '14.04.2026;- 120,00;5.000,00;Rent',
  '14.04.2026;120,00-;5.000,00;Rent',
  '14.04.2026;(120.00);5,000.00;Rent',
  '14.04.2026;120,00 D;5.000,00 C;Rent',
  '14.04.2026;120,00 S;5.000,00 H;Rent',
  '14.04.2026;EUR -120.00;EUR 5000.00;Rent',
  '14.04.2026;-120,00 €;5.000,00 €;Rent',
  '14.04.2026;0,00;5.000,00;Notice',
])('a row of money that went out is left out, whatever its balance is: %s', (line) => {
  expect(amountsOf(line)).toEqual([])
})

test('a heading is left out, and a row without an amount is kept for a look', () => {
  expect(amountsOf('Date;Amount;Text\nBalance 12')).toEqual([undefined])
})

const readingOf = (text: string, usual: 'EUR' | 'KWD' = 'EUR') =>
  rowsOf(text, usual).map(({ amount, currency }) => [amount, currency])

test.each([
  ['14.04.2026;12.345 KWD;Invoice', 12.345, 'KWD'],
  ['14.04.2026;KWD 1,234.567;Invoice', 1234.567, 'KWD'],
  ['14.04.2026;12.345;Invoice;KWD', 12.345, 'KWD'],
  ['14.04.2026;1.234.567 KWD;Invoice', 1234567, 'KWD'],
  ['14.04.2026;12.345 EUR;Invoice', 12345, 'EUR'],
  ['14.04.2026;12,345 JPY;Invoice', 12345, 'JPY'],
  ['14.04.2026\t123456\tJPY', 123456, 'JPY'],
  ['14.04.2026\tInvoice\tEUR\t150', 150, 'EUR'],
  ['14.04.2026\t150\tEUR\t', 150, 'EUR'],
  ['14.04.2026;4711;EUR;1.234,56;Invoice', 1234.56, 'EUR'],
  ['14.04.2026;£120;Invoice', 120, 'GBP'],
])(
  'an amount is read by the digits of its currency, which may be in the cell beside it: %s',
  (line, amount, currency) => {
    expect(readingOf(line)).toEqual([[amount, currency]])
  },
)

test('the usual currency decides where a row names none', () => {
  expect(readingOf('14.04.2026;12.345;Invoice', 'KWD')).toEqual([[12.345, 'KWD']])
})

test.each([
  ['14.04.2026 INV-2026-000001 1 234,56 EUR', 1234.56, 'EUR'],
  ['14.04.2026 INV-2026-000001 12 345 678,90', 12345678.9, 'EUR'],
  ['14.04.2026 INV 2026 000001 234,56 USD', 234.56, 'USD'],
  ['14.04.2026 INV-2026-000001 -1 234,56 EUR 5 000,00', undefined, undefined],
  ['14.04.2026 CAD SYSTEMS GMBH 120,00', 120, 'EUR'],
  ['14.04.2026;CAD SYSTEMS GMBH;120,00', 120, 'EUR'],
  ['14.04.2026 CAD SYSTEMS GMBH 120,00 USD', 120, 'USD'],
  ['14.04.2026;120,00;INV123', 120, 'EUR'],
])('in a text, groups of a number are one amount, and a name is no currency: %s', (line, amount, currency) => {
  expect(readingOf(line)).toEqual(amount === undefined ? [] : [[amount, currency]])
})

test.each([
  ['11/18/2026;1,00', '2026-11-18'],
  ['18/11/2026;1,00', '2026-11-18'],
  ['18-11-2026;1,00', '2026-11-18'],
  ['03/04/2026;1,00', '2026-04-03'],
  ['18.11.26;1,00', '2026-11-18'],
  ['2026/11/18;1,00', '2026-11-18'],
  ['31/02/2026;1,00', undefined],
])('the day comes before the month, unless only the other order is a date: %s', (line, date) => {
  expect(rowsOf(line).map(({ paid_on }) => paid_on)).toEqual([date])
})

test.each([
  ['2026-04-15,1234.56,"Invoice 1, second half"', 1234.56, 'EUR'],
  ['"15.04.2026","1.234,56","USD","Müller, Söhne"', 1234.56, 'USD'],
  ['2026-04-15,"1,234.56",USD,Invoice', 1234.56, 'USD'],
  ['2026-04-15,123456,JPY,Invoice', 123456, 'JPY'],
  ['15.04.2026, 1 234,56 EUR', 1234.56, 'EUR'],
  ['"15.04.2026";"1.234,56";"Müller; ""Söhne"""', 1234.56, 'EUR'],
])('columns may be separated by commas, and quoted: %s', (line, amount, currency) => {
  expect(readingOf(line)).toEqual([[amount, currency]])
  expect(rowsOf(line)[0]?.paid_on).toBe('2026-04-15')
})
