import { formatShipmentId, idAlphabet, idLength } from '../domain/shipments/shipment-id.js'
import type { Random } from './random.js'

const count = idAlphabet.length ** idLength

// Coprime to the number of identifiers: its multiples visit every identifier before any repeats.
const stride = 402_653_189

export function shipmentId(number: number, random: Random): string {
  const offset = random.integer(0, count - 1)
  return formatShipmentId((number * stride + offset) % count)
}
