import { containerCheckDigit } from '../../src/domain/container-number.js'

/** A container number that is right, one for every serial number. */
export function containerNumber(serial: number): string {
  const number = `MSCU${String(serial).padStart(6, '0')}`
  return `${number}${containerCheckDigit(number)}`
}
