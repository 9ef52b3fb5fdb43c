import fc from 'fast-check'
import { expect, test } from 'vitest'
import { airwayBillCheckDigit, isAirwayBillNumber } from '../../src/domain/shipments/airway-bill-number.js'
import { containerCheckDigit, isContainerNumber } from '../../src/domain/shipments/container-number.js'

test('published container numbers are valid', () => {
  expect(containerCheckDigit('CSQU305438')).toBe(3)
  for (const number of ['CSQU3054383', 'TOLU4734787']) {
    expect(containerCheckDigit(number.slice(0, 10)), number).toBe(Number(number[10]))
    expect(isContainerNumber(number)).toBe(true)
  }
})

// The table of the standard, which the code computes.
const letterValues: Record<string, number> = {
  A: 10,
  B: 12,
  C: 13,
  D: 14,
  E: 15,
  F: 16,
  G: 17,
  H: 18,
  I: 19,
  J: 20,
  K: 21,
  L: 23,
  M: 24,
  N: 25,
  O: 26,
  P: 27,
  Q: 28,
  R: 29,
  S: 30,
  T: 31,
  U: 32,
  V: 34,
  W: 35,
  X: 36,
  Y: 37,
  Z: 38,
}

test('every letter has the value of the standard, and a remainder of ten is written as zero', () => {
  const remainders = new Set<number>()
  for (const letter of Object.keys(letterValues)) {
    for (let serial = 0; serial < 60; serial++) {
      const prefix = `${letter}B${letter}U${String(serial).padStart(6, '0')}`
      const values = Array.from(prefix, (each) => letterValues[each] ?? Number(each))
      const sum = values.reduce((total, value, index) => total + value * 2 ** index, 0)
      remainders.add(sum % 11)
      expect(containerCheckDigit(prefix), prefix).toBe(sum % 11 === 10 ? 0 : sum % 11)
    }
  }
  expect(remainders.size).toBe(11)
})

test('a container number with any one digit changed is refused', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999 }),
      fc.integer({ min: 4, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (serial, position, shift) => {
        const prefix = `HLXU${String(serial).padStart(6, '0')}`
        const digit = containerCheckDigit(prefix)
        const other = (Number(prefix[position]) + shift) % 10
        const changed = `${prefix.slice(0, position)}${other}${prefix.slice(position + 1)}`
        // ISO 6346 advises against serials whose remainder is 10: they share the digit 0 with another remainder.
        fc.pre(digit !== 0 && containerCheckDigit(changed) !== 0)
        expect(isContainerNumber(`${changed}${digit}`)).toBe(false)
      },
    ),
  )
})

test('a text of another format is not a container number', () => {
  for (const text of ['', 'CSQU305438', 'csqu3054383', 'CSQA3054383', 'CSQU 3054383', 'CSQU30543833', 'CSQU3054384']) {
    expect(isContainerNumber(text), text).toBe(false)
  }
})

test('an air waybill number ends in its serial modulo seven', () => {
  expect(airwayBillCheckDigit('1234567')).toBe(5)
  expect(isAirwayBillNumber('020-12345675')).toBe(true)
  for (const text of ['020-12345674', '02012345675', '20-12345675', '020-1234567', '020-12345675 ']) {
    expect(isAirwayBillNumber(text), text).toBe(false)
  }
})
