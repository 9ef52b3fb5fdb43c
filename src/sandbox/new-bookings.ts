import type { ImportLine } from '../contract/import-line.js'
import { day } from '../domain/dates/local-time.js'
import { bundleLines } from './bundle-lines.js'
import { demoAccounts } from './demo.js'
import { openOrderBook } from './orders.js'
import { type Bundle, makeShipment, type ShipmentSpec } from './shipment.js'

/** Shipments that the customers of the demo book as time moves: which ones depends on the day alone. */

/** Of an account and a day. */
export const bookingsPerDay = 10

export type Booking = { slug: string; bundle: Bundle; lines: ImportLine[] }

type Wanted = { slug: string; now: number; place: number; spec: ShipmentSpec; variant?: number }

/** Undefined for an account that is not of the demo. */
export function makeBooking({ slug, now, place, spec, variant = 0 }: Wanted): Booking | undefined {
  const account = Object.values(demoAccounts()).find((each) => each.slug === slug)
  if (!account) return undefined
  // Beyond the numbers of the demo data, and different every day.
  const number = Math.floor(now / day) * bookingsPerDay + place
  const random = account.random.stream(`booking ${number}/${variant}`)
  // Numbers of orders that no other booking has.
  const book = { ...openOrderBook(account, 'slashes'), next: number * 10 }
  const bundle = makeShipment({ account, book, now }, number, spec, random)
  // Invoices are issued by the forwarder.
  const lines = [...bundleLines(account, { ...bundle, invoices: [], payments: [] })]
  return { slug, bundle, lines }
}
