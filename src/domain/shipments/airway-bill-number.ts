/** IATA Resolution 600a: the airline's three digits, a serial of seven digits and that serial modulo 7. */

const pattern = /^(\d{3})-(\d{7})(\d)$/

export function airwayBillCheckDigit(serial: string): number {
  return Number(serial) % 7
}

const written = /^(\d{3})[\s-]?(\d{4})[\s-]?(\d{3})(\d)$/

/** The check digit that a number in the form of an air waybill should have, if it has another one. */
export function expectedCheckDigit(text: string): number | undefined {
  const [, , first = '', second = '', digit] = written.exec(text.trim()) ?? []
  if (digit === undefined) return undefined
  const expected = airwayBillCheckDigit(first + second)
  return expected === Number(digit) ? undefined : expected
}

/** With the hyphen after the airline prefix, as printed: `020-12345675`. */
export function isAirwayBillNumber(text: string): boolean {
  const [, , serial, digit] = pattern.exec(text) ?? []
  return serial !== undefined && airwayBillCheckDigit(serial) === Number(digit)
}
