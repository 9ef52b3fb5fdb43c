import { greatCircleKm } from '../geography/point.js'
import { seaRoute } from '../geography/sea-route.js'
import { railTerminal } from '../geography/terminals.js'
import { type Itinerary, ItineraryBuilder } from './itinerary.js'
import type { Lane } from './lane.js'
import type { Random } from './random.js'

/** The milestones of a lane by mode, with their delays. */

export type FreightType = 'port_to_door' | 'door_to_port' | 'door_to_door' | 'port_to_port'
export type JourneyPlan = { lane: Lane; freightType: FreightType; fullContainers: boolean; trouble?: boolean }

export function fromDoor(type: FreightType): boolean {
  return type.startsWith('door_')
}

export function toDoor(type: FreightType): boolean {
  return type.endsWith('_door')
}

export function planJourney(plan: JourneyPlan, start: number, random: Random): Itinerary {
  const builder = new ItineraryBuilder(start, random)
  const delays = drawDelays(plan, random)
  const perContainer = plan.fullContainers
  if (fromDoor(plan.freightType)) {
    builder
      .atSite('pickup', plan.lane.supplier)
      .reach('picked_up', 'Picked up from supplier', { after: 2, ...delays.pickup, perContainer, workingHours: true })
  }
  mainCarriage[plan.lane.mode](builder, plan, delays, random)
  builder.reach('cleared', 'Customs cleared', { after: random.integer(14, 40), ...delays.customs, workingHours: true })
  finish(builder, plan, delays, random)
  return builder.itinerary
}

type Delay = { late: number; problem?: string }
type Delays = Record<'pickup' | 'departure' | 'arrival' | 'customs' | 'delivery', Delay>

const problems: Record<keyof Delays, readonly string[]> = {
  pickup: ['cargo not ready', 'truck broke down on the way to the supplier'],
  departure: ['rolled to the next sailing', 'held back by bad weather', 'terminal closed by a strike'],
  arrival: ['port congestion, waiting for a berth', 'rerouted around a storm', 'engine trouble on the way'],
  customs: ['held for inspection', 'commercial invoice missing', 'HS code under review'],
  delivery: ['consignee closed, new appointment needed', 'refused for damaged packaging, under survey'],
}
const landWords: Record<string, string> = {
  'rolled to the next sailing': 'no space, moved to the next departure',
  'port congestion, waiting for a berth': 'terminal congestion, waiting for a slot',
  'rerouted around a storm': 'rerouted because of a closed line',
}

function drawDelays({ lane, trouble }: JourneyPlan, random: Random): Delays {
  const unit = lane.mode === 'ocean' ? 24 : 8
  const places = Object.keys(problems) as (keyof Delays)[]
  const troubled = (trouble ?? random.chance(0.12)) ? random.pick(places) : undefined
  const delays = {} as Delays
  for (const place of places) {
    const usual = random.chance(0.3) ? random.decimal(0.1, 1.5) * unit : random.decimal(0, 0.2) * unit
    if (place !== troubled) {
      delays[place] = { late: usual }
      continue
    }
    const problem = random.pick(problems[place])
    delays[place] = {
      late: 24 + random.integer(1, 6) * unit,
      problem: lane.mode === 'ocean' ? problem : (landWords[problem] ?? problem),
    }
  }
  return delays
}

type Carriage = (builder: ItineraryBuilder, plan: JourneyPlan, delays: Delays, random: Random) => void

const mainCarriage: Record<Lane['mode'], Carriage> = {
  ocean(builder, { lane, fullContainers: perContainer }, delays, random) {
    const { origin, destination, transit } = lane
    builder
      .atPlace('origin_port', origin)
      .reach('gate_in', 'Gate in', { after: random.integer(14, 50), perContainer, workingHours: true })
      .reach('loaded', 'Loaded on vessel', { after: random.integer(24, 60), perContainer })
      .reach('departed', 'Vessel departed', { after: random.integer(8, 18), ...delays.departure })
    if (transit) {
      builder
        .atPlace('transshipment_port', transit)
        .reach('transit_arrived', 'Vessel arrived', { after: hoursAtSea(origin.code, transit.code, random) })
        .voyage(origin.code, transit.code)
        .reach('transit_discharged', 'Discharged', { after: random.integer(9, 20), perContainer })
        .reach('transit_loaded', 'Loaded on vessel', { after: random.integer(40, 110), perContainer })
        .reach('transit_departed', 'Vessel departed', { after: random.integer(8, 16) })
    }
    const last = transit ?? origin
    builder
      .atPlace('destination_port', destination)
      .reach('arrived', 'Vessel arrived', { after: hoursAtSea(last.code, destination.code, random), ...delays.arrival })
      .voyage(last.code, destination.code)
      .reach('discharged', 'Discharged', { after: random.integer(10, 30), perContainer })
  },

  air(builder, { lane }, delays, random) {
    const { origin, destination, transit } = lane
    const flight = (km: number) => 1.5 + km / 850
    builder
      .atPlace('origin_port', origin)
      .reach('gate_in', 'Received at airport', { after: random.integer(6, 18) })
      .reach('departed', 'Flight departed', { after: random.integer(9, 26), ...delays.departure })
    if (transit) {
      builder
        .atPlace('transshipment_port', transit)
        .reach('transit_arrived', 'Flight arrived', {
          after: flight(greatCircleKm(origin.coordinates, transit.coordinates)),
        })
        .reach('transit_departed', 'Flight departed', { after: random.integer(9, 22) })
    }
    builder.atPlace('destination_port', destination).reach('arrived', 'Flight arrived', {
      after: flight(greatCircleKm((transit ?? origin).coordinates, destination.coordinates)),
      ...delays.arrival,
    })
  },

  rail(builder, { lane, fullContainers: perContainer }, delays, random) {
    const { origin, destination, km } = lane
    const eurasian = lane.supplier.city.continent === 'asia' && destination.code !== border.code
    builder
      .atPlace('origin_port', origin)
      .reach('gate_in', 'Gate in', { after: random.integer(12, 36), perContainer, workingHours: true })
      .reach('loaded', 'Loaded on train', { after: random.integer(12, 30), perContainer })
      .reach('departed', 'Train departed', { after: random.integer(6, 14), ...delays.departure })
    if (eurasian) {
      // The track gauge changes at the Polish border.
      builder
        .atPlace('inland_terminal', border)
        .reach('border', 'Arrived at border terminal', { after: (km * 0.86) / 38 })
        .reach('inland_departed', 'Departed from border terminal', { after: random.integer(20, 50) })
    }
    builder
      .atPlace('destination_port', destination)
      .reach('arrived', 'Train arrived', { after: (eurasian ? km * 0.14 : km) / 32, ...delays.arrival })
      .reach('discharged', 'Discharged', { after: random.integer(8, 24), perContainer })
  },

  truck(builder, { lane }, delays, random) {
    builder
      .atPlace('origin_port', lane.origin)
      .reach('departed', 'Truck departed', { after: random.integer(3, 8), ...delays.departure })
      .atPlace('destination_port', lane.destination)
      .reach('arrived', 'Truck arrived', { after: 4 + lane.km / 42, ...delays.arrival })
  },
}

const border = railTerminal('PL/MLW')

function hoursAtSea(from: string, to: string, random: Random): number {
  return 18 + seaRoute(from, to).lengthKm / random.integer(30, 35)
}

function finish(builder: ItineraryBuilder, plan: JourneyPlan, delays: Delays, random: Random): void {
  const { lane, freightType, fullContainers: perContainer } = plan
  const delivered = { after: random.integer(3, 9), ...delays.delivery, perContainer, workingHours: true }
  if (!toDoor(freightType)) {
    builder.reach('delivered', 'Delivered to consignee at port', { ...delivered, after: random.integer(12, 40) })
    return
  }
  if (lane.inland && perContainer) {
    builder
      .atPlace('inland_terminal', lane.inland)
      .reach('inland_arrived', 'Arrived at inland terminal', { after: random.integer(30, 70), perContainer })
  }
  builder
    .atSite('delivery', lane.warehouse)
    .reach('out_for_delivery', 'Out for delivery', { after: random.integer(10, 30), perContainer })
    .reach('delivered', 'Delivered', delivered)
}
