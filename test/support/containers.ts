import { containerCheckDigit } from '../../src/domain/shipments/container-number.js'

/** A valid container number for a serial number. */
export function containerNumber(serial: number): string {
  const number = `MSCU${String(serial).padStart(6, '0')}`
  return `${number}${containerCheckDigit(number)}`
}
