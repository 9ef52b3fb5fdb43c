import { hour } from '../domain/dates/local-time.js'
import { greatCircleKm } from '../geography/point.js'
import { railTerminal } from '../geography/terminals.js'
import { type Delays, drawDelays, type TroublePlace } from './delays.js'
import { type Itinerary, ItineraryBuilder } from './itinerary.js'
import type { FreightMode, Lane } from './lane.js'
import { carryByOcean, planOcean } from './ocean-carriage.js'
import type { Random } from './random.js'

/** The milestones of a lane by mode, with their delays. */

export type FreightType = 'port_to_door' | 'door_to_port' | 'door_to_door' | 'port_to_port'
export type JourneyPlan = {
  lane: Lane
  freightType: FreightType
  fullContainers: boolean
  trouble?: boolean | TroublePlace | undefined
  /** Whether half of the containers is delivered later. */
  isSplit?: boolean | undefined
  isClearedEarly?: boolean | undefined
}

export function fromDoor(type: FreightType): boolean {
  return type.startsWith('door_')
}

export function toDoor(type: FreightType): boolean {
  return type.endsWith('_door')
}

export function planJourney(plan: JourneyPlan, earliest: number, random: Random): Itinerary {
  const { lane, fullContainers: perContainer } = plan
  const delays = drawDelays(lane.mode, plan.trouble, random)
  // What customs hold is not cleared early.
  const isClearedEarly = (plan.isClearedEarly ?? random.chance(0.2)) && !delays.customs.problem
  const ocean = lane.mode === 'ocean' ? planOcean(lane, earliest, random) : undefined
  const builder = new ItineraryBuilder(ocean?.start ?? earliest, random)
  if (fromDoor(plan.freightType)) {
    builder
      .atSite('pickup', lane.supplier)
      .reach('picked_up', 'Picked up from supplier', { after: 2, ...delays.pickup, perContainer, workingHours: true })
  }
  if (ocean) carryByOcean(builder, lane, ocean, { perContainer, isClearedEarly }, delays, random)
  else carryByLandOrAir[lane.mode as 'air'](builder, plan, delays, random)
  if (!ocean || !isClearedEarly) {
    const after = random.integer(14, 40)
    builder.reach('cleared', 'Customs cleared', { after, ...delays.customs, workingHours: true })
  }
  if (ocean && (delays.release.problem || random.chance(0.3))) {
    builder.reach('released', 'Released by carrier', { after: random.integer(3, 9), ...delays.release })
  }
  finish(builder, plan, delays, random)
  return builder.itinerary
}

type Carriage = (builder: ItineraryBuilder, plan: JourneyPlan, delays: Delays, random: Random) => void

const carryByLandOrAir: Record<Exclude<FreightMode, 'ocean'>, Carriage> = {
  air(builder, { lane }, delays, random) {
    const { origin, destination, transit } = lane
    const flight = (km: number) => 1.5 + km / 850
    builder
      .atPlace('origin_port', origin)
      .reach('gate_in', 'Received at airport', { after: random.integer(6, 18) })
      .reach('loaded', 'Loaded on aircraft', { after: random.integer(8, 22), ...delays.departure })
      .reach('departed', 'Flight departed', { after: random.integer(2, 4) })
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
      .reach('loaded', 'Loaded on train', { after: random.integer(12, 30), perContainer, ...delays.departure })
      .reach('departed', 'Train departed', { after: random.integer(6, 14) })
    if (eurasian) {
      // The track gauge changes at the Polish border.
      builder
        .atPlace('inland_terminal', border)
        .reach('border', 'Arrived at border terminal', { after: (km * 0.86) / 38 })
        .reach('border_left', 'Departed from border terminal', { after: random.integer(20, 50) })
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

function finish(builder: ItineraryBuilder, plan: JourneyPlan, delays: Delays, random: Random): void {
  const { lane, freightType, fullContainers: perContainer } = plan
  const isSplit = perContainer && !delays.delivery.problem && (plan.isSplit ?? random.chance(0.15))
  const apart = isSplit ? random.integer(1, 3) * 24 : 0
  const split = { perContainer, splitBy: apart * hour }
  const delivered = { after: random.integer(3, 9), ...delays.delivery, ...split, workingHours: true }
  if (toDoor(freightType)) {
    if (lane.inland && perContainer) {
      builder
        .atPlace('inland_terminal', lane.inland)
        .reach('inland_arrived', 'Arrived at inland terminal', { after: random.integer(30, 70), perContainer })
        .leavePort(8)
    }
    builder
      .atSite('delivery', lane.warehouse)
      .reach('out_for_delivery', 'Out for delivery', { after: random.integer(10, 30), late: apart, ...split })
    if (perContainer && !lane.inland) builder.leavePort(0)
    builder.reach('delivered', 'Delivered', delivered)
  } else {
    const words = 'Delivered to consignee at port'
    builder.reach('delivered', words, { ...delivered, after: random.integer(12, 40), late: delivered.late + apart })
  }
  if (perContainer) {
    const after = random.integer(20, 120)
    builder.reach('empty_returned', 'Empty container returned', { after, ...split, workingHours: true })
  }
}
