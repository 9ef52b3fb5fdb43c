import type { ImportLine } from '../../src/contract/import-line.js'
import type { EventCode } from '../../src/contract/public/event-codes.js'
import type { Shipment } from '../../src/contract/public/shipment.js'
import type { TrackingRecord } from '../../src/contract/public/tracking.js'
import { totalsOf } from '../../src/domain/invoices/invoice-totals.js'
import { numbersOf } from '../../src/domain/shipments/shipment-cargo.js'
import { noEntries } from '../../src/domain/tracking/tracking.js'
import { decideDates } from '../../src/domain/tracking/tracking-dates.js'
import { greatCircleKm, longitudeDifference } from '../../src/geography/point.js'
import { seaPort } from '../../src/geography/ports.js'
import { seaRoute } from '../../src/geography/sea-route.js'
import { wholeTracking } from '../../src/ledger/whole-tracking.js'
import { linesOf } from './consistency.js'

/** What is wrong in generated data as seen by people of the trade: a list of sentences, empty if nothing is. */

const hour = 3_600_000
const day = 24 * hour

export type Tracked = { account: string; shipment: Shipment; tracking: TrackingRecord; events: Event[] }
type Step = NonNullable<TrackingRecord['tracking_steps']>[number]
type Event = NonNullable<Step['events']>[number] & { step: Step; at: number }

export function trackedIn(lines: readonly ImportLine[]): Tracked[] {
  const shipments = new Map(
    linesOf(lines, 'shipment').map(({ account, data }) => [`${account} ${data.svc_shipment_id}`, data]),
  )
  return linesOf(lines, 'tracking').map(({ account, data: tracking }) => ({
    account,
    tracking,
    shipment: shipments.get(`${account} ${tracking.svc_shipment_id}`)!,
    events: tracking.tracking_steps!.flatMap((step) =>
      step.events!.map((event) => ({ ...event, step, at: Date.parse(event.date!) })),
    ),
  }))
}

const actual = (events: Event[], code: EventCode, ...types: Step['type'][]) =>
  events.find((event) => event.status === 'actual' && event.code === code && types.includes(event.step.type))

type Call = { at: number; port: string; what: 'departs' | 'arrives'; voyage: string }

/** Where each ship was when, as its shipments say. */
function callsOf(all: Tracked[]): Map<string, Call[]> {
  const calls = new Map<string, Call[]>()
  for (const { shipment, events } of all) {
    const { vessel, voyage } = shipment.booking_information?.ocean_booking ?? {}
    const departed = actual(events, 'DEPARTED', 'origin_port')
    if (vessel === undefined || voyage === undefined || !departed) continue
    const arrived = actual(events, 'ARRIVED', 'transshipment_port', 'destination_port')
    const of = calls.get(vessel) ?? []
    of.push({ at: departed.at, port: departed.step.port!.unlocode!, what: 'departs', voyage })
    if (arrived) of.push({ at: arrived.at, port: arrived.step.port!.unlocode!, what: 'arrives', voyage })
    calls.set(vessel, of)
  }
  return calls
}

// 30 knots.
const fastestKmPerHour = 55

export function shipsInTwoPlaces(all: Tracked[]): string[] {
  const faults: string[] = []
  for (const [vessel, calls] of callsOf(all)) {
    const ordered = calls.toSorted((one, other) => one.at - other.at)
    for (const [index, call] of ordered.entries()) {
      const before = ordered[index - 1]
      if (!before) continue
      const km = greatCircleKm(seaPort(before.port).coordinates, seaPort(call.port).coordinates)
      const hours = (call.at - before.at) / hour
      if (km > hours * fastestKmPerHour)
        faults.push(`${vessel}: ${Math.round(km)} km from ${before.port} to ${call.port} in ${hours} h`)
      const isSameCall = before.what === call.what && before.port === call.port && before.voyage === call.voyage
      if (isSameCall && call.at !== before.at)
        faults.push(`${vessel} ${call.what} ${call.port} twice on ${call.voyage}`)
    }
  }
  return faults
}

/** On the whole way of each shipment, transshipments included, its ship is on no other voyage. */
export function shipsOnTwoVoyages(all: Tracked[]): string[] {
  const spans = new Map<string, Map<string, [from: number, to: number]>>()
  for (const { shipment, events } of all) {
    const { vessel, voyage } = shipment.booking_information?.ocean_booking ?? {}
    const departed = actual(events, 'DEPARTED', 'origin_port')
    if (vessel === undefined || voyage === undefined || !departed) continue
    const to = actual(events, 'ARRIVED', 'destination_port')?.at ?? departed.at
    const voyages = spans.get(vessel) ?? new Map<string, [number, number]>()
    const known = voyages.get(voyage) ?? [departed.at, to]
    voyages.set(voyage, [Math.min(known[0], departed.at), Math.max(known[1], to)])
    spans.set(vessel, voyages)
  }
  return [...spans].flatMap(([vessel, voyages]) => {
    const ordered = [...voyages].toSorted(([, one], [, other]) => one[0] - other[0])
    return ordered.flatMap(([voyage, [from]], index) => {
      const [before, span] = ordered[index - 1] ?? []
      return span && from < span[1] ? [`${vessel} is on ${before} and ${voyage} at once`] : []
    })
  })
}

/** Voyages whose letter does not say where the way of the shipment leads. */
export function wrongDirections(all: Tracked[]): string[] {
  return all.flatMap(({ shipment }) => {
    const { voyage } = shipment.booking_information?.ocean_booking ?? {}
    if (voyage === undefined) return []
    const { origin_port_unlocode: from, destination_port_unlocode: to } = shipment.route!
    const { points } = seaRoute(from!, to!)
    let [east, north] = [0, 0]
    points.forEach((point, index) => {
      const before = points[index - 1] ?? point
      const narrowing = Math.cos((point[1] * Math.PI) / 180)
      east += longitudeDifference(before[0], point[0]) * narrowing
      north += point[1] - before[1]
    })
    const along = { E: east, W: -east, N: north, S: -north }[voyage.slice(-1)] ?? 0
    const isFitting = along > 0 && along >= 0.6 * Math.max(Math.abs(east), Math.abs(north))
    return isFitting ? [] : [`${voyage} from ${from} to ${to}`]
  })
}

type Region = 'far_east' | 'south_asia' | 'gulf' | 'north_europe' | 'mediterranean' | 'us_west' | 'us_east'

const regions: Record<Region, readonly string[]> = {
  far_east: ['CN', 'JP', 'KR', 'TW', 'VN', 'TH', 'HK'],
  south_asia: ['IN', 'BD', 'LK'],
  gulf: ['AE', 'QA', 'KW'],
  north_europe: ['NL', 'BE', 'DE', 'GB', 'SE', 'DK', 'PL', 'NO', 'FR/LEH'],
  mediterranean: ['ES/BCN', 'ES/VLC', 'IT', 'SI', 'TR', 'FR/FOS'],
  us_west: ['US/LAX', 'US/OAK', 'CA/VAN'],
  us_east: ['US/NYC', 'US/SAV', 'CA/HAL', 'US/HOU'],
}

/** Days from port to port: what lines publish, with what delays and transshipments add. */
const transitDays: Partial<Record<`${Region} ${Region}`, readonly [least: number, most: number]>> = {
  'far_east north_europe': [22, 62],
  'far_east mediterranean': [18, 57],
  'far_east us_west': [11, 34],
  'far_east us_east': [20, 58],
  'south_asia north_europe': [14, 52],
  'south_asia mediterranean': [11, 40],
  'south_asia us_east': [18, 50],
  'mediterranean north_europe': [4, 24],
  'mediterranean us_east': [9, 32],
  'north_europe us_east': [8, 28],
  'north_europe gulf': [14, 38],
  'far_east gulf': [12, 48],
}

export function transits(
  all: Tracked[],
): { lane: string; days: number; limits: readonly [number, number] | undefined }[] {
  const regionOf = (port: string) =>
    (Object.keys(regions) as Region[]).find((region) => regions[region].some((start) => port.startsWith(start)))
  return all.flatMap(({ shipment, events }) => {
    if (shipment.freight_mode !== 'ocean') return []
    const [departed, arrived] = [
      actual(events, 'DEPARTED', 'origin_port'),
      actual(events, 'ARRIVED', 'destination_port'),
    ]
    if (!departed || !arrived) return []
    const { origin_port_unlocode: from = '', destination_port_unlocode: to = '' } = shipment.route!
    const limits = transitDays[`${regionOf(from)!} ${regionOf(to)!}`]
    return [{ lane: `${from} ${to}`, days: (arrived.at - departed.at) / day, limits }]
  })
}

const limitsOfOthers = { air: [0.04, 9], rail: [0.5, 32], truck: [0.2, 9] } as const

export function implausibleTransits(all: Tracked[]): string[] {
  const wrong = ({ lane, days, limits = [0.5, 75] }: ReturnType<typeof transits>[number]) =>
    days < limits[0] || days > limits[1] ? [`${lane}: ${days.toFixed(1)} days`] : []
  const others = all.flatMap(({ shipment: { freight_mode: mode, route }, events }) => {
    const [departed, arrived] = [
      actual(events, 'DEPARTED', 'origin_port'),
      actual(events, 'ARRIVED', 'destination_port'),
    ]
    if (mode === 'ocean' || mode === undefined || !departed || !arrived) return []
    const lane = `${mode} ${route!.origin_port_unlocode} ${route!.destination_port_unlocode}`
    return [{ lane, days: (arrived.at - departed.at) / day, limits: limitsOfOthers[mode] }]
  })
  return [...transits(all), ...others].flatMap(wrong)
}

/** Dates that the shipment would show, against its own events. */
export function contradictedDates(all: Tracked[], now: number): string[] {
  return all.flatMap(({ shipment, tracking, events }) => {
    if (tracking.status === 'cancelled') return []
    const faults: string[] = []
    const fault = (text: string) => faults.push(`${shipment.svc_shipment_id} (${tracking.status}): ${text}`)
    const own = {
      pickup_date:
        actual(events, 'PICKED_UP', 'pickup') ??
        actual(
          events.filter(({ step }) => step === tracking.tracking_steps![0]),
          'GATE_IN',
          'origin_port',
        ),
      departure_date: actual(events, 'DEPARTED', 'origin_port'),
      arrival_date: actual(events, 'ARRIVED', 'destination_port'),
      delivery_date: actual(events, 'DELIVERED', 'delivery', 'destination_port'),
    }
    const whole = wholeTracking(tracking, noEntries, shipment)
    for (const { description, quarantine } of whole.tracking_steps!.flatMap(({ events: shown }) => shown ?? [])) {
      if (quarantine !== undefined) fault(`${description} is kept back: ${quarantine}`)
    }
    const { decisions } = decideDates(whole, numbersOf(shipment))
    const order: number[] = []
    for (const { milestone, shown, movedFrom, problem } of decisions) {
      if (!shown) {
        if (milestone !== 'pickup_date') fault(`no ${milestone}`)
        continue
      }
      const at = Date.parse(shown.date)
      order.push(at)
      if (movedFrom !== undefined) fault(`${milestone} was moved from ${movedFrom} to ${shown.date}`)
      if (shown.status === 'actual' && !own[milestone]) fault(`${milestone} has not happened`)
      if (shown.status === 'actual' && at > now) fault(`${milestone} is in the future`)
      if (shown.status === 'estimated' && at < now) fault(`${milestone} was expected on ${shown.date}`)
      if ((shown.status === 'problem') !== (problem !== undefined)) fault(`${milestone} is a problem without reason`)
      const isDone = milestone !== 'delivery_date' || tracking.status === 'delivered'
      if (own[milestone] && isDone && shown.status !== 'actual')
        fault(`${milestone} is ${shown.status} although it happened`)
    }
    if (order.some((at, index) => at < (order[index - 1] ?? 0))) fault('dates are not in order')
    return faults
  })
}

/** Invoices whose status is not what their payments come to. */
export function wrongPayments(lines: readonly ImportLine[]): string[] {
  const paid = new Map<string, number>()
  for (const { account, data } of linesOf(lines, 'payment')) {
    const key = `${account} ${data.reference} ${data.currency}`
    paid.set(key, Math.round(((paid.get(key) ?? 0) + data.amount) * 1000) / 1000)
  }
  return linesOf(lines, 'invoice').flatMap(({ account, data: { reference, status, type, lines: items } }) => {
    const [{ gross, currency }] = totalsOf(items!) as [ReturnType<typeof totalsOf>[number]]
    const sum = paid.get(`${account} ${reference} ${currency}`) ?? 0
    const isRight =
      type === 'credit_note' || (status !== 'paid' && status !== 'partially_paid')
        ? sum === 0
        : status === 'paid'
          ? sum === gross
          : sum > 0 && sum < gross
    return isRight ? [] : [`${reference} is ${status}: ${sum} of ${gross} ${currency}`]
  })
}

export function missingDocuments(lines: readonly ImportLine[]): string[] {
  const filed = new Set(
    linesOf(lines, 'document').map(({ account, data }) => `${account} ${data.svc_shipment_id} ${data.type}`),
  )
  return linesOf(lines, 'shipment').flatMap(({ account, data: { svc_shipment_id, status, transported_goods } }) => {
    const needed = [
      ...(status === 'finished' ? ['proof_of_delivery'] : []),
      ...(transported_goods?.is_hazardous ? ['dangerous_goods_declaration'] : []),
    ]
    return needed.map((type) => `${account} ${svc_shipment_id} ${type}`).filter((key) => !filed.has(key))
  })
}

/** The shipments on which something of this kind occurred. */
export const occurrences = {
  'customs hold': ({ events }: Tracked) =>
    events.some(({ code }) => code === 'CUSTOMS_HOLD' || code === 'CUSTOMS_INSPECTION'),
  'carrier hold': ({ events }: Tracked) => events.some(({ code }) => code === 'CARRIER_HOLD'),
  rollover: ({ events }: Tracked) => events.some(({ code }) => code === 'ROLLED'),
  offload: ({ events }: Tracked) => events.some(({ code }) => code === 'OFFLOADED'),
  'failed delivery': ({ events }: Tracked) => events.some(({ code }) => code === 'DELIVERY_FAILED'),
  'empty return': ({ events }: Tracked) =>
    events.some(({ code, status }) => code === 'EMPTY_IN' && status === 'actual'),
  'pre-arrival clearance': ({ events }: Tracked) => {
    const [cleared, arrived] = [
      actual(events, 'CUSTOMS_RELEASED', 'destination_port'),
      actual(events, 'ARRIVED', 'destination_port'),
    ]
    return cleared !== undefined && arrived !== undefined && cleared.at < arrived.at
  },
  'split delivery': ({ events }: Tracked) => {
    const times = events.filter(({ code, status }) => code === 'DELIVERED' && status === 'actual').map(({ at }) => at)
    return times.length > 1 && Math.max(...times) - Math.min(...times) >= 12 * hour
  },
} satisfies Record<string, (tracked: Tracked) => boolean>
