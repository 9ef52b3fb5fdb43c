/** IATA Resolution 600a: the airline's three digits, a serial of seven digits and that serial modulo 7. */

const pattern = /^(\d{3})-(\d{7})(\d)$/

export function airwayBillCheckDigit(serial: string): number {
  return Number(serial) % 7
}

/** With the hyphen after the airline prefix, as printed: `020-12345675`. */
export function isAirwayBillNumber(text: string): boolean {
  const [, , serial, digit] = pattern.exec(text) ?? []
  return serial !== undefined && airwayBillCheckDigit(serial) === Number(digit)
}
