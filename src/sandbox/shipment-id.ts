import { formatShipmentId, idAlphabet, idLength } from '../domain/shipment-id.js'
import type { Random } from './random.js'

const count = idAlphabet.length ** idLength

// Prime, and not the alphabet's length: multiples of it visit every identifier once before any comes again.
const stride = 402_653_189

export function shipmentId(number: number, random: Random): string {
  const offset = random.integer(0, count - 1)
  return formatShipmentId((number * stride + offset) % count)
}
