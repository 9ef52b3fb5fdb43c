import { day } from '../../domain/dates/local-time.js'
import { type ImportStorage, importLines } from '../../ingest/lines/import.js'
import type { Records } from '../../ledger/records.js'
import { readRecords } from '../../ledger/records.js'
import type { ShipmentSpec } from '../../sandbox/shipment.js'
import { findAccount } from '../../store/accounts.js'
import { listMovingShipments } from '../../store/shipments.js'

/** The customers of the demo go on booking, so that there is always something under way. */

// About as many as the demo begins with; booked until there are so many, at most two a day.
const usuallyMoving: Record<string, number> = { demo: 30, 'demo-second': 6 }
const mostDaily = 2
// What a scenario needs is booked in the places after those.
const specs: readonly ShipmentSpec[] = [
  { status: 'booked', mode: 'ocean', transit: true, hub: 'SG/SIN' },
  { phase: 'in_transit', mode: 'ocean' },
  { phase: 'arrived', mode: 'ocean' },
]
const mostVariants = 60

export type Bookings = {
  /** Books what customers need today. */
  book(now: number): Promise<void>
  /** Books a shipment with such a tracking; whether there is one. */
  bookOne(now: number, suits: (tracking: Records['tracking']) => boolean): Promise<boolean>
}

export function openBookings(storage: ImportStorage): Bookings {
  const { db } = storage
  let lastDay: number | undefined

  // Loaded on demand: the generator needs ports and sea routes.
  const generator = () => import('../../sandbox/new-bookings.js')

  async function isFree(slug: string, svc_shipment_id: string): Promise<boolean> {
    const account = await findAccount(db, slug)
    return (
      account !== undefined && !(await readRecords(db, account, 'shipment', [svc_shipment_id])).has(svc_shipment_id)
    )
  }

  async function save(lines: object[]): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const faults: string[] = []
    const { kept } = await importLines(storage, chunksOf(text), {
      folder: '.',
      skipInvalid: false,
      // They are booked now.
      isHistory: false,
      author: 'sandbox',
      onFault: ({ line, pointer, detail }) => faults.push(`line ${line}: ${pointer} ${detail}`),
    })
    if (!kept) throw new Error(`a booking of the sandbox is not valid: ${faults.join('; ')}`)
  }

  return {
    async book(now) {
      const today = Math.floor(now / day)
      if (today === lastDay) return
      lastDay = today
      const { makeBooking } = await generator()
      const moving = await listMovingShipments(db)
      const lines: object[] = []
      for (const [slug, usual] of Object.entries(usuallyMoving)) {
        const missing = usual - moving.filter((each) => each.slug === slug).length
        for (let place = 0; place < Math.min(missing, mostDaily); place += 1) {
          const booking = makeBooking({ slug, now, place, spec: { status: 'booked' } })
          // Booked before the sandbox was stopped on the same day.
          if (booking && (await isFree(slug, booking.bundle.shipment.svc_shipment_id))) lines.push(...booking.lines)
        }
      }
      if (lines.length > 0) await save(lines)
    },
    async bookOne(now, suits) {
      const { makeBooking, bookingsPerDay } = await generator()
      for (const slug of Object.keys(usuallyMoving)) {
        for (let place = mostDaily; place < bookingsPerDay; place += 1) {
          const first = makeBooking({ slug, now, place, spec: { status: 'booked' } })
          if (!first || !(await isFree(slug, first.bundle.shipment.svc_shipment_id))) continue
          for (let variant = 0; variant < mostVariants * specs.length; variant += 1) {
            const spec = specs[Math.floor(variant / mostVariants)] as ShipmentSpec
            const booking = makeBooking({ slug, now, place, spec, variant })
            if (!booking?.bundle.tracking || !suits(booking.bundle.tracking)) continue
            await save(booking.lines)
            return true
          }
          break
        }
      }
      return false
    },
  }
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
